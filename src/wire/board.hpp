#pragma once

// The board of a node: memory in which its ranks show each other a few figures, and faults, as by a collective call of
// an MPI library, without one. What an init agrees on inside a node it agrees on here.
//
// A round is one such call. Rounds use the two banks in turn: who writes in round n has ended round n - 1, and so have
// all come to it, which each does after it has read what it wanted of round n - 2.
//
// A round to which a rank does not come may be given up: whoever waits for too long marks the round's counter, so long
// as that is not full. So either all ranks end the round, or none does, also one that comes late. A board is of no use
// after that.

#include <atomic>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <span>

#include "wire/meanwhile.hpp"
#include "wire/patience.hpp"
#include "wire/shared_table.hpp"
#include "wire/telegram.hpp"

namespace rondo::internal {

class Board {
 public:
  static constexpr std::size_t most_figures = 31;

  // Of a node with so many ranks.
  [[nodiscard]] static std::int64_t bytes(int ranks);

  // Local. In memory that was zero before the first of them was made in it; the rank is the local one.
  Board(std::byte *memory, int ranks, int rank, const Patience &patience);

  // Collective over the node: shows this rank's figures and its fault, if it has one, and returns when all have shown
  // theirs. Those can be read until this rank's next round. Gives the fault of the lowest rank that has brought one, or
  // null. Takes no memory. If nobody comes for `most_idle` (0: however long), the round is given up: it throws Error
  // (stalled) on all ranks, with the lowest local rank that had not come as `value` and the number of the others as
  // `other`; and so does each further round, at once.
  const Telegram *show(std::span<const std::int64_t> figures, const Telegram *fault, Meanwhile meanwhile,
                       std::chrono::duration<double> most_idle = {});

  // Of the last round.
  [[nodiscard]] std::span<const std::int64_t> figures(int rank) const { return note(rank).figures; }
  [[nodiscard]] std::int64_t maximum(std::size_t figure) const;
  [[nodiscard]] std::uint64_t any_bits(std::size_t figure) const;  // that are set in the figure of one rank at least
  // The lowest rank that has brought one; -1 if none has.
  [[nodiscard]] int rank_at_fault() const;
  [[nodiscard]] const Telegram &telegram(int rank) const { return note(rank).telegram; }

 private:
  // What one rank shows in a round.
  struct alignas(cache_line) Note {
    std::int32_t at_fault;
    std::atomic<std::uint32_t> round;  // that its rank has come to, of those which fit
    std::int64_t figures[most_figures];
    Telegram telegram;
  };

  [[nodiscard]] std::size_t bank() const { return round_ % 2; }
  [[nodiscard]] ArrivalCounter &counter() const { return reinterpret_cast<ArrivalCounter *>(memory_)[bank()]; }
  [[nodiscard]] Note &note(int rank) const {
    auto *const notes = reinterpret_cast<Note *>(memory_ + 2 * sizeof(ArrivalCounter));
    return notes[bank() * static_cast<std::size_t>(ranks_) + rank];
  }
  void await_all(std::uint64_t full, Meanwhile meanwhile, std::chrono::duration<double> most_idle) const;
  [[nodiscard]] bool give_up(std::uint64_t full) const;
  void throw_if_given_up() const;

  std::byte *memory_;
  int ranks_;
  int rank_;
  Patience patience_;
  std::uint64_t round_ = 0;
};

}  // namespace rondo::internal
