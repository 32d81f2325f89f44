#pragma once

// The choice by measurement, as far as it is arithmetic: which candidates are timed, how often, and which of them stay.

#include <array>
#include <cstddef>
#include <span>
#include <vector>

#include "model/choose.hpp"

namespace rondo::internal {

// The few candidates that are worth timing, of all that serve, cheapest first. Those that differ most come first, so
// that an estimate that is wrong is made good even where there is no time for all: the cheapest of those that send
// straight to each rank, by way of the node with leaders, in the hierarchical way, or by digits of all ranks, of those
// that pad, and the MPI library's own call. Then come other algorithms, and in the last quarter of the places other
// parameters.
std::vector<Choice> worth_timing(std::span<const Choice> candidates, std::size_t most);

// Timing by elimination: all that are left run by turns, a few exchanges each, as the caches are no plan's own in a
// program either; and after each round of turns the slower half is out, but for the first contender, which stays: so at
// the end it has been timed at the same time as the one that is to replace it. What a round may take is what is left of
// the budget over the rounds to come. Ranks that give the same figures keep the same contenders. Only the constructor
// takes memory.
class Knockout {
 public:
  // `first` has the seconds of a first exchange of each contender, of which `spent` are spent already. The first
  // contender wins unless another takes less than this share of its time: few exchanges tell no more. Ranks begin a
  // turn of a contender up to `apart` seconds one after the other.
  Knockout(std::span<const double> first, double budget, double spent, double clearly, double apart = 0);

  [[nodiscard]] bool over() const { return over_; }
  // Those that run in the next turn, in this order.
  [[nodiscard]] std::span<const std::size_t> left() const { return left_; }
  // Whether each runs an exchange that is not timed before those that are.
  [[nodiscard]] bool warms_up() const { return turns_ > 1; }
  // How many exchanges of one are timed in that turn.
  [[nodiscard]] int exchanges(std::size_t contender) const;
  // What a turn has brought: the seconds of one exchange of each that is left, and all that has been spent.
  void take(std::span<const double> seconds, double spent);

  // There is no time for more: the fastest so far wins.
  void end();

  // The fastest of those that are left; but the first contender where that one is not clearly faster. And what an
  // exchange of any has taken when it was last timed.
  [[nodiscard]] std::size_t winner() const {
    return seconds_[left_.front()] < clearly_ * seconds_[0] ? left_.front() : 0;
  }
  [[nodiscard]] double seconds(std::size_t contender) const { return seconds_[contender]; }

 private:
  static constexpr std::size_t most_turns = 9;  // of a round; odd: the median of them counts

  [[nodiscard]] double batch(std::size_t contender) const;
  void sort();
  void begin_round(double spent);
  void end_round(double spent);

  double budget_;
  double clearly_;
  double apart_;
  bool short_of_time_ = false;
  double share_ = 0;               // of the budget, for one contender in one turn
  std::vector<double> seconds_;    // by contender
  std::vector<std::size_t> left_;  // the fastest first
  std::size_t turns_ = most_turns;
  std::size_t turn_ = 0;                               // of the round
  std::vector<std::array<double, most_turns>> round_;  // by contender, the turns of this round
  bool over_ = false;
};

}  // namespace rondo::internal
