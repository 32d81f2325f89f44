#pragma once

// What the single acts of an exchange cost, and what an exchange is estimated to cost by them.

#include <array>
#include <cstddef>
#include <cstdint>
#include <string_view>

namespace rondo::internal {

// What an exchange by the MPI library's own call takes where it has been measured, by the length of its blocks, which
// all have the same. MPI libraries change their algorithm at lengths of their own, so this is no straight line.
struct NativeTimes {
  static constexpr std::array<std::int64_t, 7> blocks{0, 8, 64, 512, 4096, 32768, 262144};  // bytes

  std::array<double, blocks.size()> seconds{};  // all 0 where nothing has been measured

  [[nodiscard]] bool known() const { return seconds.back() > 0; }
  // Of blocks of any length: on the straight line between the two lengths around it; of blocks shorter than the
  // shortest that has been measured, that one's.
  [[nodiscard]] double of(double block) const;

  friend bool operator==(const NativeTimes &, const NativeTimes &) = default;
};

// By how much a measured time of the MPI library's call is taken to be longer when it is compared with estimates. These
// are off by a tenth in many cases, so the call is taken where it is ahead by more than that.
constexpr double doubt_in_estimates = 1.1;

// Bytes of the longest message that MPI libraries send at once. Before they send a longer one they ask whether it is
// expected, and wait for the answer. Over networks most have a limit of 64 KiB, of which their own head takes a part.
constexpr std::int64_t longest_at_once = 65000;

// What each thing costs, in seconds. The defaults are those of a 2-core machine over shared memory; they decide
// which of two algorithms is cheaper, and need be right only against each other. `rondo calibrate` measures those of a
// machine.
struct CostModel {
  double step = 0.25e-6;            // to end one step and begin the next
  double message = 0.30e-6;         // to start and complete one message
  double byte = 0.10e-9;            // to move a byte between ranks of a node
  double far_byte = 0.10e-9;        // likewise, between nodes
  double long_message = 1e-6;       // what a message between nodes takes more that is longer than longest_at_once
  double copied_byte = 0.05e-9;     // to copy a byte inside a rank
  double native_overhead = 0.1e-6;  // what a call into the MPI library's collective costs beyond its messages
  double shared_step = 0.10e-6;     // the same through shared memory
  double shared_message = 0.04e-6;
  double shared_byte = 0.10e-9;
  double turn = 1.35e-6;  // to switch to the next rank on a core: a step has as many as there are turns
  NativeTimes native{};
  // The same where one rank sends to all others and receives nothing: it may then run ahead of them, as far as the MPI
  // library has buffers.
  NativeTimes native_one_way{};

  friend bool operator==(const CostModel &, const CostModel &) = default;
};

// One of the prices that a machine has, by its name in profiles.
struct Price {
  std::string_view name;
  double CostModel::*of;
};
constexpr std::array<Price, 10> machine_prices{{{"step", &CostModel::step},
                                                {"message", &CostModel::message},
                                                {"byte", &CostModel::byte},
                                                {"far_byte", &CostModel::far_byte},
                                                {"long_message", &CostModel::long_message},
                                                {"copied_byte", &CostModel::copied_byte},
                                                {"shared_step", &CostModel::shared_step},
                                                {"shared_message", &CostModel::shared_message},
                                                {"shared_byte", &CostModel::shared_byte},
                                                {"turn", &CostModel::turn}}};

// Bytes and counts behind an estimate, for one exchange of the busiest rank.
struct Estimate {
  double steps = 0;
  double messages = 0;
  double bytes = 0;
  double copied_bytes = 0;
  // Seconds: to get messages and steps going and to wait for turns, to move bytes between ranks, to copy them inside
  // one, and all of it.
  double synchronising = 0;
  double moving = 0;
  double copying = 0;
  double seconds = 0;

  void add_up() { seconds = synchronising + moving + copying; }
};

// Seconds for the steps and messages of an estimate. With `shared` all messages go through shared memory, else none.
// Where several ranks share a core, each step waits until each of them has had its turn on it.
double synchronisation(const Estimate &given, bool shared, std::int64_t turns, const CostModel &model);

}  // namespace rondo::internal
