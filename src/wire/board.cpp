#include "wire/board.hpp"

#include <algorithm>
#include <utility>

#include "exchange/error.hpp"
#include "wire/library_progress.hpp"

namespace rondo::internal {

namespace {

// A counter that is given up holds this, the number of the other missing ranks, and the lowest of them.
constexpr std::uint64_t given_up = std::uint64_t{1} << 63;
constexpr int others_at = 52;
constexpr std::uint64_t most_others = 0x7ff;
constexpr int lowest_at = 40;
constexpr std::uint64_t most_lowest = 0xfff;

}  // namespace

std::int64_t Board::bytes(int ranks) {
  return static_cast<std::int64_t>(2 * sizeof(ArrivalCounter) + 2 * static_cast<std::size_t>(ranks) * sizeof(Note));
}

Board::Board(std::byte *memory, int ranks, int rank, const Patience &patience)
    : memory_(memory), ranks_(ranks), rank_(rank), patience_(patience) {}

const Telegram *Board::show(std::span<const std::int64_t> figures, const Telegram *fault, Meanwhile meanwhile,
                            std::chrono::duration<double> most_idle) {
  if (round_ > 0) throw_if_given_up();
  ++round_;
  Note &mine = note(rank_);
  mine.round.store(static_cast<std::uint32_t>(round_), std::memory_order_relaxed);
  std::copy(figures.begin(), figures.end(), mine.figures);
  mine.at_fault = fault != nullptr ? 1 : 0;
  if (fault != nullptr) mine.telegram = *fault;
  // Each bank is used by every other round.
  const std::uint64_t full = static_cast<std::uint64_t>(ranks_) * ((round_ + 1) / 2);
  if (counter().arrived.fetch_add(1, std::memory_order_acq_rel) + 1 == full) {
    counter().bell.ring();
  } else {
    await_all(full, meanwhile, most_idle);
    throw_if_given_up();
  }
  const int at_fault = rank_at_fault();
  return at_fault < 0 ? nullptr : &telegram(at_fault);
}

void Board::await_all(std::uint64_t full, Meanwhile meanwhile, std::chrono::duration<double> most_idle) const {
  std::uint64_t seen = counter().arrived.load(std::memory_order_relaxed);
  const auto arrived = [&] { return up(&counter().arrived, full); };
  for (Waiting waiting(patience_); !arrived();) {
    if (!waiting.spinning() && waiting.moment()) {
      let_library_move();
      if (most_idle.count() > 0 && waiting.elapsed() > most_idle) {
        const std::uint64_t now = counter().arrived.load(std::memory_order_relaxed);
        if (std::exchange(seen, now) == now && give_up(full)) return;
        waiting.begin_again();
      }
    }
    if (meanwhile != nullptr) meanwhile();
    // Nobody rings for what is driven meanwhile.
    if (!waiting.pause()) counter().bell.sleep(std::chrono::microseconds(meanwhile != nullptr ? 50 : 1000), arrived);
  }
}

// Whether it has been given up: not if the round has just become full, or a rank is just coming.
bool Board::give_up(std::uint64_t full) const {
  std::uint64_t lowest = most_lowest;
  std::uint64_t missing = 0;
  for (int rank = ranks_; rank-- > 0;) {
    if (note(rank).round.load(std::memory_order_relaxed) == static_cast<std::uint32_t>(round_)) continue;
    lowest = static_cast<std::uint64_t>(rank);
    ++missing;
  }
  if (missing == 0) return false;
  const std::uint64_t mark =
      given_up | std::min(missing - 1, most_others) << others_at | std::min(lowest, most_lowest) << lowest_at;
  std::uint64_t now = counter().arrived.load(std::memory_order_relaxed);
  while (now < full) {
    if (counter().arrived.compare_exchange_weak(now, now | mark, std::memory_order_acq_rel)) {
      counter().bell.ring();
      return true;
    }
  }
  return false;
}

// Of this rank's last round. A rank that comes late finds the counter so, too.
void Board::throw_if_given_up() const {
  const std::uint64_t found = counter().arrived.load(std::memory_order_acquire);
  if ((found & given_up) == 0) return;
  throw Error::of(Fault::stalled, [] { return "a rank of the node has not come to an agreement"; })
      .with_values(static_cast<std::int64_t>(found >> lowest_at & most_lowest),
                   static_cast<std::int64_t>(found >> others_at & most_others));
}

std::int64_t Board::maximum(std::size_t figure) const {
  std::int64_t most = INT64_MIN;
  for (int rank = 0; rank < ranks_; ++rank) most = std::max(most, note(rank).figures[figure]);
  return most;
}

std::uint64_t Board::any_bits(std::size_t figure) const {
  std::uint64_t any = 0;
  for (int rank = 0; rank < ranks_; ++rank) any |= static_cast<std::uint64_t>(note(rank).figures[figure]);
  return any;
}

int Board::rank_at_fault() const {
  for (int rank = 0; rank < ranks_; ++rank) {
    if (note(rank).at_fault != 0) return rank;
  }
  return -1;
}

}  // namespace rondo::internal
