#include <algorithm>
#include <cstdint>

#include "call/message_reader.hpp"
#include "wire/device_memory.hpp"
#include "wire/type_cache.hpp"

namespace rondo::internal::call {

namespace {

// No product of a plain call overflows: counts and displacements have 31 bits, and there are fewer ranks than that.
constexpr std::int64_t largest_type = 256;

// The blocks of one side, in both directions alike.
class PlainSide {
 public:
  PlainSide(const SideArguments &given, const DatatypeShape &shape)
      : shape_(shape),
        type_(*given.types),
        counts_(static_cast<const int *>(given.counts)),
        displs_(static_cast<const int *>(given.displs)) {}

  // False where the count is bad.
  bool add(int peer, std::vector<Message> &messages) {
    const std::int64_t count = counts_[displs_ == nullptr ? 0 : peer];
    if (count <= 0) return count == 0;
    const std::int64_t bytes = count * shape_.size;
    const std::int64_t place = displs_ == nullptr ? count * peer : displs_[peer];
    const std::int64_t offset = place * shape_.extent;
    messages.push_back(
        {.peer = peer, .count = count, .type = type_, .offset = offset, .bytes = bytes, .shape = shape_});
    longest_ = std::max(longest_, bytes);
    all_bytes_ += bytes;
    begin_ = std::min(begin_, offset);
    end_ = std::max(end_, offset + bytes);
    return true;
  }

  [[nodiscard]] std::int64_t longest() const { return longest_; }  // bytes
  [[nodiscard]] std::int64_t all_bytes() const { return all_bytes_; }
  // Between the first and the last byte, from the buffer.
  [[nodiscard]] Extent reach() const {
    return end_ < begin_ ? Extent{} : Extent{begin_ + shape_.true_lower_bound, end_ - begin_};
  }

 private:
  const DatatypeShape &shape_;
  const MPI_Datatype type_;
  const int *const counts_;
  const int *const displs_;  // null: one count for all, one after the other
  std::int64_t longest_ = 0;
  std::int64_t all_bytes_ = 0;
  std::int64_t begin_ = INT64_MAX;
  std::int64_t end_ = INT64_MIN;
};

bool is_plain(const CallArguments &arguments, const Peers &peers) {
  const auto has_ints = [](const SideArguments &side) {
    return side.width == sizeof(int) && (side.displs == nullptr || side.displ_width == sizeof(int));
  };
  return peers.neighbors == nullptr && !arguments.gathers && !arguments.each_type && !arguments.in_place() &&
         arguments.send.buffer != nullptr && arguments.receive.buffer != nullptr && has_ints(arguments.send) &&
         has_ints(arguments.receive);
}

bool is_plain(const DatatypeShape &shape) {
  return shape.dense && shape.size > 0 && shape.size <= largest_type && shape.extent == shape.size &&
         std::abs(shape.true_lower_bound) <= INT32_MAX;
}

}  // namespace

// Compiled in one piece: it is part of every call of a program whose counts are new each time.
[[gnu::flatten]] bool MessageReader::read_plain(const CallArguments &arguments, const Peers &peers,
                                                Messages &messages) {
  if (!is_plain(arguments, peers)) return false;
  const KnownType *const received = kept_type(*arguments.receive.types, "receive");
  const KnownType *const sent = kept_type(*arguments.send.types, "send");
  if (received == nullptr || sent == nullptr || !is_plain(received->shape) || !is_plain(sent->shape)) return false;
  if (!are_ordinary_memory(arguments.send.buffer, arguments.receive.buffer) && may_have_device_memory()) return false;
  PlainSide send(arguments.send, sent->shape);
  PlainSide receive(arguments.receive, received->shape);
  bool good = true;
  const auto add = [&](int peer) {
    good = good && send.add(peer, messages.sends) && receive.add(peer, messages.receives);
  };
  // Each rank begins with the one after it, so that not all send to the same one first.
  for (int peer = peers.rank + 1; peer < peers.ranks; ++peer) add(peer);
  for (int peer = 0; peer < peers.rank; ++peer) add(peer);
  messages.longest = std::max(send.longest(), receive.longest());
  good = good && send.add(peers.rank, messages.own_sends) && receive.add(peers.rank, messages.own_receives);
  const auto own_bytes = [](const std::vector<Message> &own) { return own.empty() ? 0 : own.front().bytes; };
  if (!good || own_bytes(messages.own_sends) != own_bytes(messages.own_receives)) return false;
  messages.sent_bytes = send.all_bytes();
  messages.most_pieces = 2 * messages.sends.size();
  messages.lies_ready = true;
  messages.sent = send.reach();
  messages.received = receive.reach();
  return true;
}

}  // namespace rondo::internal::call
