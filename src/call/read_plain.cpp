#include <algorithm>
#include <cstdint>
#include <cstdlib>
#include <ranges>

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

  // Of all entries, those of the rank itself apart. ranks[entry] ascends. False where a count is bad.
  template <class Ranks>
  bool read(const Ranks &ranks, int own, std::vector<Message> &to_others, std::vector<Message> &to_self) {
    const int entries = static_cast<int>(ranks.size());
    int first = 0;
    while (first < entries && ranks[first] < own) ++first;
    const int after = first < entries && ranks[first] == own ? first + 1 : first;
    bool good = true;
    // Each rank begins with the one after it, so that not all send to the same one first.
    for (int entry = after; good && entry < entries; ++entry) good = add(entry, ranks[entry], to_others);
    for (int entry = 0; good && entry < first; ++entry) good = add(entry, ranks[entry], to_others);
    longest_ = longest_of_all_;
    return good && (after == first || add(first, own, to_self));
  }

  [[nodiscard]] std::int64_t longest() const { return longest_; }  // bytes for another rank
  [[nodiscard]] std::int64_t all_bytes() const { return all_bytes_; }
  // Between the first and the last byte, from the buffer.
  [[nodiscard]] Extent reach() const {
    return end_ < begin_ ? Extent{} : Extent{begin_ + shape_.true_lower_bound, end_ - begin_};
  }

 private:
  bool add(int entry, int peer, std::vector<Message> &messages) {
    const std::int64_t count = counts_[displs_ == nullptr ? 0 : entry];
    if (count <= 0) return count == 0;
    const std::int64_t bytes = count * shape_.size;
    const std::int64_t place = displs_ == nullptr ? count * entry : displs_[entry];
    const std::int64_t offset = place * shape_.extent;
    messages.push_back(
        {.peer = peer, .count = count, .type = type_, .offset = offset, .bytes = bytes, .shape = shape_});
    longest_of_all_ = std::max(longest_of_all_, bytes);
    all_bytes_ += bytes;
    begin_ = std::min(begin_, offset);
    end_ = std::max(end_, offset + bytes);
    return true;
  }

  const DatatypeShape &shape_;
  const MPI_Datatype type_;
  const int *const counts_;
  const int *const displs_;  // null: one count for all, one after the other
  std::int64_t longest_ = 0;
  std::int64_t longest_of_all_ = 0;
  std::int64_t all_bytes_ = 0;
  std::int64_t begin_ = INT64_MAX;
  std::int64_t end_ = INT64_MIN;
};

bool is_plain(const CallArguments &arguments, const Peers &peers) {
  const auto has_ints = [](const SideArguments &side) {
    return side.width == sizeof(int) && (side.displs == nullptr || side.displ_width == sizeof(int));
  };
  const bool ascend = peers.neighbors == nullptr || peers.neighbors->ascend;
  return ascend && !arguments.gathers && !arguments.each_type && !arguments.in_place() &&
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
  const auto read_both = [&](const auto &destinations, const auto &sources) {
    return send.read(destinations, peers.rank, messages.sends, messages.own_sends) &&
           receive.read(sources, peers.rank, messages.receives, messages.own_receives);
  };
  const auto all = std::views::iota(0, peers.ranks);
  const bool good = peers.neighbors == nullptr ? read_both(all, all)
                                               : read_both(peers.neighbors->destinations, peers.neighbors->sources);
  const auto own_bytes = [](const std::vector<Message> &own) { return own.empty() ? 0 : own.front().bytes; };
  if (!good || own_bytes(messages.own_sends) != own_bytes(messages.own_receives)) return false;
  messages.longest = std::max(send.longest(), receive.longest());
  messages.sent_bytes = send.all_bytes();
  messages.most_pieces = 2 * messages.sends.size();
  messages.lies_ready = true;
  messages.sent = send.reach();
  messages.received = receive.reach();
  return true;
}

}  // namespace rondo::internal::call
