#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

#include "wire/shared_messages.hpp"
#include "wire/shared_region.hpp"
#include "wire/wire_steps.hpp"

namespace rondo::internal {

// The wire shared: how messages travel between ranks of a node, through the areas of a region that all of them map.
//
// A message is pushed: the sender copies it to where the receiver looks for it, straight into scratch if it rests
// there (one copy), else into the receiver's inbox for it, from where it is copied on (two); then it raises the
// message's flag with the number of the start. A large message is cut, with a flag for each cut, so that the receiver
// copies one cut on while the sender writes the next. Large messages are pulled where that is better (SharedGroup): the
// sender only raises the flag, and the receiver takes the data out of the sender's memory, which is mapped (buffers
// that the plan allocated) or attached (wire/attach.hpp), and acknowledges. Where much memory would be needed and
// nothing can be attached, they pass through rings of cuts (wire/ring_end.hpp). Whoever copies out of shared memory
// takes the cache lines, too, for the next who writes there (wire/copy.hpp).
//
// A message that rests in its sender's scratch at the end of a start (Transfer::rests_at_sender) is taken from there,
// too, where all ranks meet, each hearing of every other in some step. Nobody acknowledges it, so that no rank waits
// for one that is late with taking it: a rank that is in start n knows that all have begun start n - 1, and so have
// taken what rested in start n - 2, which is the last that may have had the same bank. Where they do not meet it is
// pushed.
//
// Two messages that pass through inboxes, one from a to b and one from b to a in each start, take turns with the two
// inboxes of the first bank: what a rank has copied out of an inbox in one start it writes its own message to in the
// next. The cache lines are there then, while they would have to be fetched from the other's cache to be written
// elsewhere, which costs as much again as the other's fetching them. The flags stay where they are: to write to a line
// that the other looks at, and that it has written last, takes longer than to one of one's own.
//
// The banks of areas, two or more, serve starts by turns. With B of them, for start n a sender may write to b's bank
// once b has completed start n - B, which used the same bank. b has done so if it has begun start n - B + 1. A sender
// that received anything from b in start n - 1 knows that. Another needs a credit, which it finds in b's area: the
// number of the start that b has begun last. So a rank that only sends is ahead by B starts at most (banks_for).
//
// A place in b's scratch may hold a block of an earlier step of the same start. A sender that is to write there waits
// with its step until b's mark, in b's area, says that b has come to the step from which the place is free. That step
// is no later than the sender's own, so ranks cannot wait for each other in a circle: when all have come to a step, all
// that it waits for is over.
class SharedSteps : public WireSteps {
 public:
  // Throws Error (mismatch) when the other end of a message expects another size.
  explicit SharedSteps(const Binding &binding);

  [[nodiscard]] bool in_use() const { return region_ != nullptr; }

  // Gives credit to others.
  void open(const Start &start) { last_begun_->store(start.number, std::memory_order_release); }

  // Whether this rank has all credits that it needs, and all places are free that it writes to in the step. Neither a
  // start nor a step waits for that.
  [[nodiscard]] bool may_begin(std::size_t index, const Start &start) const {
    for (const Awaited &place : part(messages_.awaited, messages_.steps[index].awaited)) {
      if (!up(place.mark, region_->mark_of(start.number, place.step))) return false;
    }
    if (index > 0 || start.number <= banks_) return true;
    for (const PeerFlag &credit : messages_.credits) {
      if (!up(credit.flag, credit_for(start))) return false;
    }
    return true;
  }
  void name_holding_up(std::size_t index, const Start &start, std::set<int> &ranks) const;

  // Each message is signalled as soon as it is there: its receiver can go on while the others are copied.
  void begin(std::size_t index, const Start &start) {
    const SharedStep &step = messages_.steps[index];
    start_ = start.number;
    flags_up_ = takings_over_ = acknowledged_ = 0;
    for (Taking &taking : takings_of(step)) taking.done = 0;
    const auto pushes = part(messages_.pushes, step.pushes);
    std::size_t done = 0;
    for (const Signal &signal : part(messages_.signals, step.signals)) {
      run(pushes.subspan(done, signal.copies - done));
      done = signal.copies;
      signal.give(start);
    }
    run(pushes.subspan(done));
    for (RingEnd &ring : rings_of(step)) {
      ring.begin(start.round);
      ring.advance();
    }
    if (step.arrival_counter < 0) return;
    ArrivalCounter &counter = *messages_.arrival_counters[step.arrival_counter];
    if (counter.arrived.fetch_add(1, std::memory_order_acq_rel) + 1 == full_count(start)) counter.bell.ring();
  }

  // All flags are up, all pulls are done, and all pulls by others are acknowledged.
  bool arrived(std::size_t index, const Start &start, bool) {
    const SharedStep &step = messages_.steps[index];
    if (step.arrival_counter >= 0) {
      const ArrivalCounter &counter = *messages_.arrival_counters[step.arrival_counter];
      if (!up(&counter.arrived, full_count(start))) return false;
    }
    bool through = true;
    for (RingEnd &ring : rings_of(step)) through = ring.advance() && through;
    if (takings_over_ < step.takings.count) through = take_what_is_there(step, start) && through;
    for (; flags_up_ < step.flags.count; ++flags_up_) {
      if (!up(messages_.flags[step.flags.first + flags_up_].flag, start.number)) return false;
    }
    for (; acknowledged_ < step.acknowledgements.count; ++acknowledged_) {
      if (!up(messages_.acknowledgements[step.acknowledgements.first + acknowledged_].flag, start.number)) return false;
    }
    return through;
  }

  // What lay in places that others wait for has been sent: the messages of the step are complete on all wires.
  void finish(std::size_t index) {
    const SharedStep &step = messages_.steps[index];
    run(part(messages_.unloads, step.unloads));
    if (come_to_ != nullptr) come_to_->store(region_->mark_of(start_, step.number + 1), std::memory_order_release);
  }

  void name_missing(std::size_t step, const Start &start, std::set<int> &ranks) const;
  [[nodiscard]] std::uint32_t arrivals(std::size_t step) const;

  // The next start's stores to others then find these lines here: who waits has time for that now. Lines of flags alone
  // are left to those who look at them.
  void fetch_for_next() const {
    for (const Flag *flag : messages_.fetched_before) fetch_for_writing(flag);
  }

  [[nodiscard]] bool can_move() const { return true; }
  void move(const Moved &moved);

  [[nodiscard]] bool may_be_held_up() const {
    return !messages_.credits.empty() || messages_.steps.front().awaited.count > 0;
  }
  [[nodiscard]] bool needed_after_begin() const;
  [[nodiscard]] Bell *bell(std::size_t index) const {
    const int counter = messages_.steps[index].arrival_counter;
    return counter >= 0 ? &messages_.arrival_counters[counter]->bell : bell_;
  }
  [[nodiscard]] bool must_look() const { return false; }
  void give_up() { region_->withdraw(); }

 private:
  [[nodiscard]] std::span<RingEnd> rings_of(const SharedStep &step) {
    return std::span(messages_.rings).subspan(step.rings.first, step.rings.count);
  }
  [[nodiscard]] std::span<Taking> takings_of(const SharedStep &step) {
    return std::span(messages_.takings).subspan(step.takings.first, step.takings.count);
  }
  bool take_what_is_there(const SharedStep &step, const Start &start);

  // What an arrival counter comes to when all ranks have arrived in all starts so far that have used the bank.
  [[nodiscard]] std::uint64_t full_count(const Start &start) const {
    return region_->peers().size() * (start.round + 1);
  }
  // The start that the receivers must have begun, so that they have completed the one before it in this bank.
  [[nodiscard]] std::uint64_t credit_for(const Start &start) const { return start.number - banks_ + 1; }

  const SharedRegion *region_;
  Flag *last_begun_ = nullptr;  // of this rank
  Bell *bell_ = nullptr;        // likewise
  Flag *come_to_ = nullptr;     // likewise, if another rank waits for it
  std::uint64_t banks_ = 2;
  SharedMessages messages_{};
  std::uint64_t start_ = 0;  // the number of the one under way
  // How far the step under way is.
  std::uint32_t flags_up_ = 0;
  std::uint32_t takings_over_ = 0;
  std::uint32_t acknowledged_ = 0;
};

}  // namespace rondo::internal
