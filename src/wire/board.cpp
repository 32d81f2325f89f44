#include "wire/board.hpp"

#include <algorithm>

#include "wire/library_progress.hpp"

namespace rondo::internal {

std::int64_t Board::bytes(int ranks) {
  return static_cast<std::int64_t>(2 * sizeof(ArrivalCounter) + 2 * static_cast<std::size_t>(ranks) * sizeof(Note));
}

Board::Board(std::byte *memory, int ranks, int rank, const Patience &patience)
    : memory_(memory), ranks_(ranks), rank_(rank), patience_(patience) {}

const Telegram *Board::show(std::span<const std::int64_t> figures, const Telegram *fault, Meanwhile meanwhile) {
  ++round_;
  Note &mine = note(rank_);
  std::copy(figures.begin(), figures.end(), mine.figures);
  mine.at_fault = fault != nullptr ? 1 : 0;
  if (fault != nullptr) mine.telegram = *fault;
  // Each bank is used by every other round.
  const std::uint64_t full = static_cast<std::uint64_t>(ranks_) * ((round_ + 1) / 2);
  if (counter().arrived.fetch_add(1, std::memory_order_acq_rel) + 1 == full) {
    counter().bell.ring();
  } else {
    await_all(full, meanwhile);
  }
  const int at_fault = rank_at_fault();
  return at_fault < 0 ? nullptr : &telegram(at_fault);
}

void Board::await_all(std::uint64_t full, Meanwhile meanwhile) const {
  const auto arrived = [&] { return up(&counter().arrived, full); };
  for (Waiting waiting(patience_); !arrived();) {
    if (!waiting.spinning() && waiting.moment()) let_library_move();
    if (meanwhile != nullptr) meanwhile();
    // Nobody rings for what is driven meanwhile.
    if (!waiting.pause()) counter().bell.sleep(std::chrono::microseconds(meanwhile != nullptr ? 50 : 1000), arrived);
  }
}

std::int64_t Board::maximum(std::size_t figure) const {
  std::int64_t most = INT64_MIN;
  for (int rank = 0; rank < ranks_; ++rank) most = std::max(most, note(rank).figures[figure]);
  return most;
}

int Board::rank_at_fault() const {
  for (int rank = 0; rank < ranks_; ++rank) {
    if (note(rank).at_fault != 0) return rank;
  }
  return -1;
}

}  // namespace rondo::internal
