#include "model/knockout.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <tuple>
#include <utility>

namespace rondo::internal {

namespace {

constexpr int most_exchanges = 1000;

// How many rounds halve so many until one is left.
int rounds_for(std::size_t contenders) {
  return static_cast<int>(std::ceil(std::log2(static_cast<double>(contenders))));
}

// Algorithms alike in these send much the same messages.
bool alike(const Algorithm &a, const Algorithm &b) {
  const auto traits = [](const Algorithm &one) {
    return std::tuple(one.layout == Layout::native, one_hop(one.layout), pads(one.layout), one.takes_leaders,
                      one.takes_pattern);
  };
  return traits(a) == traits(b);
}

}  // namespace

std::vector<Choice> worth_timing(std::span<const Choice> candidates, std::size_t most) {
  const auto same = [](const Choice &a, const Choice &b) { return a.algorithm == b.algorithm; };
  const auto similar = [](const Choice &a, const Choice &b) { return alike(*a.algorithm, *b.algorithm); };
  std::vector<Choice> chosen;
  std::vector<char> taken(candidates.size(), 0);
  // Takes those that none before is like, in this sense.
  const auto take = [&](auto &&like) {
    for (std::size_t i = 0; i < candidates.size() && chosen.size() < most; ++i) {
      const auto is_like = [&](const Choice &one) { return like(one, candidates[i]); };
      if (taken[i] != 0 || std::any_of(chosen.begin(), chosen.end(), is_like)) continue;
      taken[i] = 1;
      chosen.push_back(candidates[i]);
    }
  };
  take(similar);
  const std::size_t places = most;
  most = most - most / 4;
  take(same);
  most = places;
  take([](const Choice &, const Choice &) { return false; });
  return chosen;
}

Knockout::Knockout(std::span<const double> first, double budget, double spent, double clearly, double apart)
    : budget_(budget),
      clearly_(clearly),
      apart_(apart),
      seconds_(first.begin(), first.end()),
      left_(first.size()),
      round_(first.size()) {
  std::iota(left_.begin(), left_.end(), std::size_t{0});
  begin_round(spent);
}

void Knockout::sort() {
  std::sort(left_.begin(), left_.end(),
            [&](std::size_t a, std::size_t b) { return std::pair(seconds_[a], a) < std::pair(seconds_[b], b); });
}

// The exchanges of one turn where there is time enough: several, and so many that the clock can tell, and that it
// counts little how far apart ranks begin.
double Knockout::batch(std::size_t contender) const {
  constexpr double least = 5;
  constexpr double clear_to_clock = 50e-6;
  constexpr double outweighed = 10;
  const double long_enough = std::max(clear_to_clock, outweighed * apart_);
  return std::clamp(std::ceil(long_enough / std::max(seconds_[contender], 1e-9)), least,
                    static_cast<double>(most_exchanges));
}

// Where the time is too short for three turns of such, a round is three turns of fewer exchanges, or one turn of one
// exchange. Where it is too short for that, those that were slowest so far do not run any more.
void Knockout::begin_round(double spent) {
  constexpr double least_turns = 3;
  sort();
  const double rest = budget_ - spent;
  const auto sum = [&](auto &&cost_of) {
    return std::accumulate(left_.begin(), left_.end(), 0.0,
                           [&](double all, std::size_t one) { return all + cost_of(one); });
  };
  const auto once_each = [&] { return sum([&](std::size_t one) { return seconds_[one]; }); };
  while (left_.size() > 1 && once_each() > rest) left_.pop_back();
  over_ = left_.size() <= 1;
  if (over_) return;
  const double round = rest / rounds_for(left_.size());
  const double turns = round / sum([&](std::size_t one) { return (1 + batch(one)) * seconds_[one]; });
  short_of_time_ = turns < least_turns;
  if (short_of_time_) {
    turns_ = 2 * least_turns * once_each() <= rest ? 3 : 1;
  } else {
    turns_ = (static_cast<std::size_t>(std::min(turns, static_cast<double>(most_turns))) - 1) / 2 * 2 + 1;
  }
  share_ = round / static_cast<double>(turns_ * left_.size());
}

int Knockout::exchanges(std::size_t contender) const {
  if (!short_of_time_) return static_cast<int>(batch(contender));
  const double fit = share_ / std::max(seconds_[contender], 1e-9) - (warms_up() ? 1 : 0);
  return static_cast<int>(std::clamp(fit, 1.0, static_cast<double>(most_exchanges)));
}

void Knockout::take(std::span<const double> seconds, double spent) {
  for (std::size_t i = 0; i < left_.size(); ++i) round_[left_[i]][turn_] = seconds[i];
  if (++turn_ == turns_) end_round(spent);
}

void Knockout::end() {
  sort();
  over_ = true;
}

void Knockout::end_round(double spent) {
  turn_ = 0;
  for (const std::size_t one : left_) {
    std::sort(round_[one].begin(), round_[one].begin() + static_cast<std::ptrdiff_t>(turns_));
    seconds_[one] = round_[one][turns_ / 2];
  }
  sort();
  const auto first = std::find(left_.begin(), left_.end(), std::size_t{0});
  const auto stay = left_.begin() + static_cast<std::ptrdiff_t>((left_.size() + 1) / 2);
  // It may have been too slow for the time that was left, and be out already.
  if (left_.size() > 2 && first != left_.end() && first >= stay) std::iter_swap(first, stay - 1);
  left_.erase(stay, left_.end());
  begin_round(spent);
}

}  // namespace rondo::internal
