#include "cli/memory.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "cli/payload.hpp"

namespace rondo::internal::cli {

namespace {

constexpr std::ptrdiff_t guard = 32;  // bytes before and after each space

std::vector<std::byte> space_for(const std::vector<Extent> &extents) {
  std::int64_t end = 0;
  for (const Extent &extent : extents) end = std::max(end, extent.end());
  return std::vector<std::byte>(end + 2 * guard);
}

// Differs from round to round, so that what was left behind by the last one shows.
std::byte guard_byte(int round) {
  return static_cast<std::byte>(0xA5 + 0x11 * round);
}

std::span<std::byte> part(std::vector<std::byte> &space, const Extent &extent) {
  return std::span(space).subspan(guard + extent.offset, static_cast<std::size_t>(extent.length));
}

// The peer whose block holds the byte at this offset; -1 when none does.
int owner(const std::vector<Extent> &extents, std::int64_t offset) {
  const auto found = std::find_if(extents.begin(), extents.end(),
                                  [&](const Extent &e) { return e.offset <= offset && offset < e.end(); });
  return found == extents.end() ? -1 : static_cast<int>(found - extents.begin());
}

std::ptrdiff_t first_difference(const std::vector<std::byte> &a, const std::vector<std::byte> &b) {
  return std::mismatch(a.begin(), a.end(), b.begin()).first - a.begin();
}

}  // namespace

RankMemory::RankMemory(const Exchange &exchange, std::int64_t scratch_bytes)
    : exchange_(exchange),
      send_(space_for(exchange.send)),
      sent_(send_.size()),
      receive_(space_for(exchange.receive)),
      expected_(receive_.size()),
      scratch_(static_cast<std::size_t>(scratch_bytes + 2 * guard)) {}

void RankMemory::prepare(int round) {
  round_ = round;
  for (auto *space : {&send_, &receive_, &expected_, &scratch_}) {
    std::fill(space->begin(), space->end(), guard_byte(round));
  }
  const bool by_segment = exchange_.kind->blocks == Numbered::by_segment;
  for (int peer = 0; peer < exchange_.ranks(); ++peer) {
    // What is for all is filled with the same bytes for each: those for rank 0.
    const auto destination = [&](int rank) { return by_segment ? 0 : rank; };
    fill_payload(part(send_, exchange_.send_to(peer)), {exchange_.rank, destination(peer)}, round);
    fill_payload(part(expected_, exchange_.receive[static_cast<std::size_t>(peer)]),
                 {peer, destination(exchange_.rank)}, round);
  }
  sent_ = send_;
}

Spaces RankMemory::spaces() {
  return {send_.data() + guard, receive_.data() + guard, scratch_.data() + guard};
}

std::string RankMemory::fault() const {
  const auto where = [this](const char *what) {
    return fmt::format("run {}, rank {}: {}", round_ + 1, exchange_.rank, what);
  };
  if (receive_ != expected_) {
    const std::int64_t offset = first_difference(receive_, expected_) - guard;
    const int source = owner(exchange_.receive, offset);
    if (source < 0)
      return where("byte ") + fmt::format("{} of the receive space, which is no block's, was written", offset);
    return where("byte ") +
           fmt::format("{} of the block from rank {} is wrong", offset - exchange_.receive[source].offset, source);
  }
  if (send_ != sent_) {
    return where("byte ") + fmt::format("{} of the send space was written", first_difference(send_, sent_) - guard);
  }
  const auto untouched = [this](std::byte byte) { return byte == guard_byte(round_); };
  if (!std::all_of(scratch_.begin(), scratch_.begin() + guard, untouched)) return where("wrote before scratch");
  if (!std::all_of(scratch_.end() - guard, scratch_.end(), untouched)) return where("wrote behind scratch");
  return {};
}

}  // namespace rondo::internal::cli
