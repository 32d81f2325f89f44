#pragma once

// A large message in little shared memory.
//
// The sender writes the message in cuts, one after the other, into a ring of slots in the receiver's bank; it waits
// with a cut until the receiver has taken the one that lay in the slot before. Each end counts its cuts, over all
// starts that use the bank, in a flag that the other end looks at: so nothing is reset between starts.

#include <cstddef>
#include <cstdint>
#include <vector>

#include "wire/bell.hpp"
#include "wire/bound_copy.hpp"
#include "wire/bound_spaces.hpp"
#include "wire/flag.hpp"
#include "wire/wire_steps.hpp"

namespace rondo::internal {

// How a message is cut: all cuts are of the same length but the last.
struct RingShape {
  std::int64_t bytes = 0;  // of the message
  std::int64_t cut = 0;    // bytes
  std::int64_t slots = 0;

  [[nodiscard]] std::int64_t cuts() const { return (bytes + cut - 1) / cut; }
};

// One end of such a message.
class RingEnd {
 public:
  struct Places {
    std::byte *slots;
    const Flag *theirs;  // cuts that the other end has written, or taken
    Flag *mine;
    Bell *bell;  // of the other end
  };

  // `runs` is where the message lies in this process.
  RingEnd(bool sends, int peer, const RingShape &shape, const Places &places, std::vector<Run> runs)
      : sends_(sends), peer_(peer), shape_(shape), cuts_(shape.cuts()), places_(places), runs_(std::move(runs)) {}

  [[nodiscard]] bool sends() const { return sends_; }
  [[nodiscard]] int peer() const { return peer_; }
  [[nodiscard]] std::int64_t moved() const { return done_; }  // cuts, of this start
  [[nodiscard]] bool done() const { return done_ == cuts_; }

  // To be called at each start, before anything moves, with the number of starts before it that have used the bank.
  void begin(std::uint64_t starts_before);
  void move(const Moved &moved) {
    for (Run &run : runs_) moved.follow(run.address, run.home);
  }
  // Moves as many cuts as can be moved without waiting; whether all have been.
  bool advance();

 private:
  [[nodiscard]] bool may_move() const;
  void move_cut();

  bool sends_;
  int peer_;
  RingShape shape_;
  std::int64_t cuts_;
  Places places_;
  std::vector<Run> runs_;
  std::uint64_t before_ = 0;  // cuts, of the starts before
  std::int64_t done_ = 0;     // cuts, of the start under way
  std::size_t run_ = 0;       // the next byte: in which run, and where there
  std::int64_t used_ = 0;
};

}  // namespace rondo::internal
