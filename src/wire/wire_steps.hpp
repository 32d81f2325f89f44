#pragma once

// What the executor (plan/plan.hpp) knows of a wire: the shape that all wires have.
//
// A plan runs in steps, and in each step every wire moves those of the step's messages that travel on it. A wire is a
// class that is constructed from a Binding, at init, when it works out all that its messages need; from then on it is
// told to begin a step, asked whether the step's messages have arrived, and told to finish the step. A class derived
// from WireSteps writes these operations:
//
//   explicit W(const Binding &)        binds all its messages; local. Step s of the operations is binding.steps[s].
//   bool in_use() const                whether any message travels on it. If not, no other operation is called.
//   void begin(s, start)               does all that this rank can do for the step before it waits: copies, signals,
//                                      requests. Waits for nothing and allocates nothing.
//   bool arrived(s, start, may_call)   looks, without waiting, and takes what has come; true once all messages of the
//                                      step are complete, both ways. Calls MPI only if it may: a thread beside one that
//                                      is in a call of MPI's must not.
//   void finish(s)                     copies what has arrived to where it belongs.
//   void name_missing(s, start, ranks) adds the ranks that the step still waits for, to name them in an error.
//   uint32 arrivals(s) const           how much of the step has come: a plan in which it does not grow has stalled.
//
// It may also write those that WireSteps has for wires that do not need them, below. The executor calls all of them on
// the wire's own type: there is no virtual call, and a wire that is not in use costs a test of in_use().
// docs/adding-a-wire.md adds one.

#include <mpi.h>

#include <concepts>
#include <cstddef>
#include <cstdint>
#include <set>
#include <string>
#include <tuple>
#include <vector>

#include "schedule/schedule.hpp"
#include "wire/bell.hpp"
#include "wire/bound_spaces.hpp"
#include "wire/channel.hpp"

namespace rondo::internal {

class NativeCall;
class SharedRegion;

// One start of a plan, as its wires see it.
struct Start {
  std::uint64_t number = 0;           // from 1
  std::uint64_t round = 0;            // of the banks: how many starts before it have used its own
  const std::string *plan = nullptr;  // its name, for messages
};

// All that a wire is bound to. Two messages from a to b in a step match in order.
struct Binding {
  const Schedule &schedule;
  const BoundSpaces &spaces;
  const Channel &channel;
  std::vector<std::size_t> steps;        // of the schedule: those in which this rank sends or receives
  const SharedRegion *shared = nullptr;  // null where nothing is shared
  int bank = 0;                          // of the shared areas
  NativeCall *native = nullptr;          // null but for a plan that is the MPI library's own call
};

// Messages that MPI still reads or writes memory for.
struct Unfinished {
  int received = 0;
  int sent = 0;
};

// What a wire need not say.
class WireSteps {
 public:
  // Called first in a start, before may_begin and before any copy: does what need not wait for these.
  void open(const Start &) {}
  // Whether the step may begin. Where not, a later test or wait asks again.
  [[nodiscard]] bool may_begin(std::size_t, const Start &) const { return true; }
  // The ranks that must go on before it may.
  void name_holding_up(std::size_t, const Start &, std::set<int> &) const {}
  // Called at the end of a start, on the wires that the plan's next start will use (those of the next bank):
  // begins to fetch what that start will write.
  void fetch_for_next() const {}

  // Whether move() serves where a plan is given other buffers. If it does not for all wires, all are constructed anew.
  [[nodiscard]] bool can_move() const { return false; }
  // Called while the plan is inactive: what lies in the send and the receive space has moved by so many bytes.
  void move(const Moved &) {}

  // Whether a step's begin() calls MPI.
  [[nodiscard]] bool begin_calls_mpi(std::size_t) const { return false; }
  // Whether any operation does.
  [[nodiscard]] bool calls_mpi() const { return false; }
  // Whether may_begin may say no to the first step.
  [[nodiscard]] bool may_be_held_up() const { return false; }
  // Whether another rank may need something of this one in a step that has begun: then all waits and tests of this rank
  // look at the plan.
  [[nodiscard]] bool needed_after_begin() const { return false; }

  // Whether wait_in_mpi(s), which waits for all of the step in a call of MPI's, may take the place of arrived().
  [[nodiscard]] bool waits_in_mpi() const { return false; }
  void wait_in_mpi(std::size_t) {}

  // The bell that is rung when something of the step may have arrived, if there is one, and whether there is something
  // under way for which nobody rings.
  [[nodiscard]] Bell *bell(std::size_t) const { return nullptr; }
  [[nodiscard]] bool must_look() const { return true; }

  // To be called when an exchange has failed, before the program hears of it: lets the other ranks know that what they
  // would read of this rank's memory may change from now on.
  void give_up() {}
  // To be called when the plan of an exchange that has failed is freed: cancels what can be cancelled, and says what is
  // still under way. It must not call MPI after MPI_Finalize.
  Unfinished withdraw(std::size_t) { return {}; }
};

template <class W>
concept Wired = std::derived_from<W, WireSteps> && std::constructible_from<W, const Binding &> &&
                requires(W wire, const W &fixed, std::size_t step, const Start &start, std::set<int> &ranks) {
                  { fixed.in_use() } -> std::same_as<bool>;
                  wire.begin(step, start);
                  { wire.arrived(step, start, true) } -> std::same_as<bool>;
                  wire.finish(step);
                  fixed.name_missing(step, start, ranks);
                  { fixed.arrivals(step) } -> std::same_as<std::uint32_t>;
                };

// The wires of a plan, by value. Each operation is called on those that are in use, in the order of the list.
template <Wired... Each>
class WireList {
 public:
  explicit WireList(const Binding &binding) : wires_(Each(binding)...) {}

  template <class Operation>
  void each(Operation &&operation) {
    (call(std::get<Each>(wires_), operation), ...);
  }
  template <class Operation>
  void each(Operation &&operation) const {
    (call(std::get<Each>(wires_), operation), ...);
  }

  // Whether it is true of all. All are asked, so that none waits for another.
  template <class Question>
  bool all(Question &&question) {
    bool yes = true;
    each([&](auto &wire) { yes = question(wire) && yes; });
    return yes;
  }
  template <class Question>
  bool all(Question &&question) const {
    bool yes = true;
    each([&](const auto &wire) { yes = question(wire) && yes; });
    return yes;
  }
  template <class Question>
  bool any(Question &&question) const {
    return !all([&](const auto &wire) { return !question(wire); });
  }

 private:
  template <class W, class Operation>
  static void call(W &wire, Operation &operation) {
    if (wire.in_use()) operation(wire);
  }

  std::tuple<Each...> wires_;
};

}  // namespace rondo::internal
