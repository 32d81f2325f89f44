#pragma once

#include <algorithm>
#include <array>
#include <bit>
#include <cstdint>
#include <vector>

#include "varying/figures.hpp"

namespace rondo::internal {

// Which of a few candidates a start takes, as all ranks decide alike from the figures that all have learned: for each
// order of magnitude of the data, the one whose starts have taken the slowest rank least.
//
// Candidates are tried twice each when a magnitude is met first, and again after 64, 256, 1024, ... starts of it, as
// what is fast may change. The time of a start is known to all after the next one.
class VaryingContest {
 public:
  explicit VaryingContest(std::size_t candidates) : candidates_(candidates) {
    for (Magnitude &magnitude : magnitudes_) magnitude.least.resize(candidates);
  }

  // The candidate for the next start. The first is that of the estimate.
  std::size_t next() {
    if (candidates_ == 1) return 0;
    Magnitude &magnitude = magnitudes_[expected_];
    if (magnitude.starts == magnitude.next_trials) {
      magnitude.trials = 0;
      std::fill(magnitude.least.begin(), magnitude.least.end(), 0);
      magnitude.next_trials = 4 * std::max<std::uint64_t>(16, magnitude.next_trials);
    }
    ++magnitude.starts;
    std::size_t taken = magnitude.best();
    if (magnitude.trials < trials * candidates_) taken = magnitude.trials++ % candidates_;
    before_last_ = last_;
    last_ = {expected_, taken, true};
    return taken;
  }

  // What all ranks have learned from the start that next() was called for.
  void learn(const VaryingFigures &figures) {
    expected_ = static_cast<std::size_t>(std::bit_width(figures.bytes));
    if (before_last_.made) magnitudes_[before_last_.magnitude].time(before_last_.candidate, figures.time);
  }

 private:
  static constexpr std::size_t trials = 2;

  struct Magnitude {
    std::vector<std::uint32_t> least{};  // by candidate, of the last trials; 0: none yet
    std::uint64_t starts = 0;
    std::uint64_t next_trials = 0;
    std::size_t trials = 0;

    void time(std::size_t candidate, std::uint32_t units) {
      std::uint32_t &known = least[candidate];
      known = known == 0 ? std::max(1U, units) : std::min(known, std::max(1U, units));
    }
    [[nodiscard]] std::size_t best() const {
      std::size_t best = 0;
      for (std::size_t i = 1; i < least.size(); ++i) {
        if (least[i] != 0 && (least[best] == 0 || least[i] < least[best])) best = i;
      }
      return best;
    }
  };
  struct Taken {
    std::size_t magnitude = 0;
    std::size_t candidate = 0;
    bool made = false;
  };

  std::size_t candidates_;
  std::array<Magnitude, 33> magnitudes_{};
  std::size_t expected_ = 0;
  Taken last_{};
  Taken before_last_{};
};

}  // namespace rondo::internal
