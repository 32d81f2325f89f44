#include "cli/block_sizes.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "cli/hash.hpp"
#include "model/choose_varying.hpp"

namespace rondo::internal::cli {

namespace {

using Kind = Distribution::Kind;

// The upper quantile of the standard normal distribution for 0 < tail <= 0.5, to 4.5e-4 (Abramowitz and Stegun,
// Handbook of Mathematical Functions, 26.2.23).
double upper_quantile(double tail) {
  const double t = std::sqrt(-2 * std::log(tail));
  const double numerator = 2.515517 + t * (0.802853 + t * 0.010328);
  const double denominator = 1 + t * (1.432788 + t * (0.189269 + t * 0.001308));
  return t - numerator / denominator;
}

// The quantile of the standard normal distribution cut to three standard deviations on both sides.
double cut_normal_quantile(double probability) {
  constexpr double beyond = 0.0013498980316301;  // of the whole distribution, above three standard deviations
  const double whole = beyond + probability * (1 - 2 * beyond);
  const double quantile = whole < 0.5 ? -upper_quantile(whole) : upper_quantile(1 - whole);
  return std::clamp(quantile, -3.0, 3.0);
}

// The quantile of the standard normal distribution.
double normal_quantile(double probability) {
  constexpr double least = 1e-12;
  const double tail = std::clamp(std::min(probability, 1 - probability), least, 0.5);
  return probability < 0.5 ? -upper_quantile(tail) : upper_quantile(tail);
}

// Bytes are drawn for ranks until one rank has `largest`: how many are then expected for the rank in the middle. That
// rank and its neighbours, as many as have about as many, have a Poisson distribution each, and the largest of theirs
// lies above the expected one by a number of deviations that is the quantile of their number.
double expected_peak(std::int64_t largest, double deviation) {
  const double full = static_cast<double>(largest);
  double peak = full;
  for (int i = 0; i < 50 && peak > 0; ++i) {
    const double neighbors = 2 * deviation * std::sqrt(2 / std::sqrt(std::max(peak, 1.0)));
    const double above = neighbors <= 2 ? 0 : upper_quantile(1 / neighbors);
    peak = std::max(0.0, full - above * std::sqrt(peak));
  }
  return peak;
}

// Of normal_ranks, where not said: Fan 2022, Figure 10f.
double middle_of(const Problem &problem) {
  return problem.distribution.deviation > 0 ? problem.distribution.argument : static_cast<double>(problem.ranks) / 2;
}
double deviation_of(const Problem &problem) {
  return problem.distribution.deviation > 0 ? problem.distribution.deviation : static_cast<double>(problem.ranks) / 6;
}

// Ranks of the first of two groups: those of an intercommunicator, else halves.
int first_group_of(const Problem &problem) {
  return problem.first_group > 0 ? problem.first_group : (problem.ranks + 1) / 2;
}

// Of TuNA's first transform (section VI-A): ranks that have data, and blocks that these fill.
int workers_of_fft(int ranks) {
  return (ranks * 5 + 7) / 8;
}
int blocks_of_fft(int ranks) {
  return static_cast<int>((std::int64_t{ranks} * 25 + 31) / 32);
}

// The part of the largest block that one of a trace is.
std::int64_t scaled(std::int64_t bytes, std::int64_t largest_of_trace, std::int64_t largest) {
  if (largest_of_trace == 0 || largest == largest_of_trace) return bytes;  // as they are
  return static_cast<std::int64_t>(static_cast<double>(bytes) / static_cast<double>(largest_of_trace) *
                                   static_cast<double>(largest));
}

// A number below P, coprime to it, so that its multiples visit every rank.
std::int64_t coprime_to(std::int64_t ranks, std::uint64_t draw) {
  std::int64_t stride = 1 + static_cast<std::int64_t>(draw % static_cast<std::uint64_t>(ranks));
  while (std::gcd(stride, ranks) != 1) ++stride;
  return stride % ranks;
}

std::int64_t rounded_down(double value) {
  return static_cast<std::int64_t>(value);
}

}  // namespace

BlockSizes::BlockSizes(const Problem &problem) : problem_(problem), key_(mix(problem.seed)) {
  const double largest = static_cast<double>(problem.largest);
  stride_ = coprime_to(problem.ranks, hash(key_, 0));
  if (problem.distribution.kind == Kind::window) {
    smallest_ = rounded_down(std::ceil(largest * (100 - problem.distribution.argument) / 100));
  }
  if (problem.distribution.kind == Kind::normal_ranks) {
    // The nearest rank to the middle, where it may not be: the most that the bytes of one rank are.
    const double deviation = deviation_of(problem);
    const double middle = middle_of(problem);
    const double rank = std::clamp(std::round(middle), 0.0, static_cast<double>(problem.ranks - 1));
    const double nearest = problem.distribution.deviation > 0 ? (rank - middle) / deviation
                           : problem.ranks % 2 == 0           ? 0
                                                              : 0.5 / deviation;
    peak_ = expected_peak(problem.largest, deviation) * std::exp(nearest * nearest / 2);
  }
  if (problem.distribution.kind == Kind::powerlaw) {
    for (int k = 0; k < problem.ranks; ++k) {
      by_power_.push_back(rounded_down(largest * std::pow(problem.distribution.argument, k)));
    }
  }
}

bool BlockSizes::is_drawn() const {
  const Kind kind = problem_.distribution.kind;
  return kind == Kind::uniform || kind == Kind::window || kind == Kind::normal;
}

// Increasing with the fraction, so that the extreme draws give the extreme sizes.
std::int64_t BlockSizes::drawn(double fraction) const {
  const double largest = static_cast<double>(problem_.largest);
  if (problem_.distribution.kind == Kind::normal) {
    return rounded_down(largest / 2 + largest / 6 * cut_normal_quantile(fraction) + 0.5);
  }
  return smallest_ + rounded_down(fraction * static_cast<double>(problem_.largest - smallest_ + 1));
}

// As if bytes had been drawn for ranks: those of one rank are a Poisson variable, here a normal one of the same mean
// and deviation.
std::int64_t BlockSizes::drawn_for(int destination, double fraction) const {
  const double from_middle = (destination - middle_of(problem_)) / deviation_of(problem_);
  const double expected = peak_ * std::exp(-from_middle * from_middle / 2);
  const double bytes = expected + std::sqrt(expected) * normal_quantile(fraction);
  return std::clamp(rounded_down(std::max(0.0, bytes) + 0.5), std::int64_t{0}, problem_.largest);
}

// A permutation of 0..P-1 over the destinations, another one for each source.
std::int64_t BlockSizes::position(int source, int destination) const {
  const auto shift = hash(key_, static_cast<std::uint64_t>(source) + 1) % static_cast<std::uint64_t>(problem_.ranks);
  return (destination * stride_ + static_cast<std::int64_t>(shift)) % problem_.ranks;
}

std::int64_t BlockSizes::operator()(int source, int destination) const {
  if (problem_.by_segment()) destination = 0;
  if (is_drawn()) {
    const auto row = hash(key_, static_cast<std::uint64_t>(source));
    return drawn(fraction(hash(row, static_cast<std::uint64_t>(destination))));
  }
  const Distribution &distribution = problem_.distribution;
  if (distribution.kind == Kind::normal_ranks) {
    const auto row = hash(key_, static_cast<std::uint64_t>(source));
    return drawn_for(destination, fraction(hash(row, static_cast<std::uint64_t>(destination))));
  }
  const std::int64_t largest = problem_.largest;
  const int ranks = problem_.ranks;
  switch (distribution.kind) {
    case Kind::powerlaw: return by_power_[position(source, destination)];
    case Kind::sparse: return static_cast<double>(position(source, destination)) < distribution.argument ? largest : 0;
    case Kind::hot_receivers:  // the same ones for all
      return static_cast<double>(position(0, destination)) < distribution.argument ? largest : 0;
    case Kind::one_heavy: return source == static_cast<int>(key_ % static_cast<std::uint64_t>(ranks)) ? largest : 0;
    case Kind::by_group: {
      const double ratio = distribution.argument;
      const bool has_most = (source < first_group_of(problem_)) == (ratio >= 1);
      return has_most ? largest : rounded_down(static_cast<double>(largest) * std::min(ratio, 1 / ratio));
    }
    case Kind::arithmetic:
      return ranks == 1 ? largest
                        : rounded_down(static_cast<double>(largest) * source / static_cast<double>(ranks - 1));
    case Kind::fft:
      if (distribution.argument == 2) return source == ranks - 1 ? largest / 4 : largest;
      return source < workers_of_fft(ranks) && destination < blocks_of_fft(ranks) ? largest : 0;
    case Kind::trace: return scaled((*distribution.sizes)(source, destination), distribution.sizes->largest, largest);
    case Kind::empty: return 0;
    default: return largest;
  }
}

// The smallest block is for a rank at the edge, the largest for one in the middle, so only those are looked at, unless
// the problem says where the middle lies.
Case BlockSizes::case_of_normal_ranks() const {
  Case whole{topology_of(problem_), problem_.largest, 0};
  const int ranks = problem_.ranks;
  const int some = problem_.distribution.deviation > 0 ? ranks : std::max(1, ranks / 16);
  for (int source = 0; source < ranks; ++source) {
    const auto look = [&](int first, int end) {
      for (int destination = std::max(0, first); destination < std::min(end, ranks); ++destination) {
        const std::int64_t size = (*this)(source, destination);
        whole.smallest_block = std::min(whole.smallest_block, size);
        whole.largest_block = std::max(whole.largest_block, size);
      }
    };
    look(0, some);
    look(std::max(some, ranks / 2 - some), ranks / 2 + some + 1);
    look(std::max(ranks / 2 + some + 1, ranks - some), ranks);
    if (whole.smallest_block == 0 && whole.largest_block == problem_.largest) break;
  }
  return whole;
}

// The extremes where nothing is drawn but which ranks are concerned, as formulas: P may be a million.
Case BlockSizes::case_of_fixed() const {
  const Distribution &distribution = problem_.distribution;
  const std::int64_t largest = problem_.largest;
  const int ranks = problem_.ranks;
  Case whole{topology_of(problem_), largest, largest};
  switch (distribution.kind) {
    case Kind::empty: whole.largest_block = whole.smallest_block = 0; break;
    case Kind::sparse:
    case Kind::hot_receivers:
      if (distribution.argument < ranks) whole.smallest_block = 0;
      if (distribution.argument < 1) whole.largest_block = 0;
      break;
    case Kind::one_heavy:
      if (ranks > 1) whole.smallest_block = 0;
      break;
    case Kind::powerlaw: whole.smallest_block = by_power_.back(); break;
    case Kind::arithmetic: whole.smallest_block = (*this)(0, 0); break;
    case Kind::by_group:
      whole.smallest_block = std::min((*this)(0, 0), (*this)(ranks - 1, 0));
      whole.largest_block = std::max((*this)(0, 0), (*this)(ranks - 1, 0));
      break;
    case Kind::fft:
      whole.largest_block = (*this)(0, 0);
      whole.smallest_block = (*this)(ranks - 1, ranks - 1);
      break;
    case Kind::trace: {
      const Trace &trace = *distribution.sizes;
      const auto smallest = *std::min_element(trace.bytes.begin(), trace.bytes.end());
      whole.largest_block = scaled(trace.largest, trace.largest, largest);
      whole.smallest_block = scaled(smallest, trace.largest, largest);
      break;
    }
    default: break;
  }
  return whole;
}

std::vector<std::int64_t> BlockSizes::contributions() const {
  std::vector<std::int64_t> bytes;
  bytes.reserve(static_cast<std::size_t>(problem_.ranks));
  for (int source = 0; source < problem_.ranks; ++source) bytes.push_back((*this)(source, 0));
  return bytes;
}

Case BlockSizes::case_of_contributions() const {
  const std::vector<std::int64_t> bytes = contributions();
  const auto [smallest, largest] = std::minmax_element(bytes.begin(), bytes.end());
  return {topology_of(problem_), *smallest, *largest};
}

Case BlockSizes::whole_case() const {
  if (problem_.by_segment()) return case_of_contributions();
  if (problem_.distribution.kind == Kind::normal_ranks) return case_of_normal_ranks();
  if (!is_drawn()) return case_of_fixed();
  Case whole{topology_of(problem_), 0, 0};
  std::uint64_t lowest = ~std::uint64_t{0};
  std::uint64_t highest = 0;
  const auto is_settled = [&] {
    return drawn(fraction(lowest)) == drawn(fraction(0)) &&
           drawn(fraction(highest)) == drawn(fraction(~std::uint64_t{0}));
  };
  for (int source = 0; source < problem_.ranks && !is_settled(); ++source) {
    const auto row = hash(key_, static_cast<std::uint64_t>(source));
    for (int destination = 0; destination < problem_.ranks; ++destination) {
      const auto draw = hash(row, static_cast<std::uint64_t>(destination));
      lowest = std::min(lowest, draw);
      highest = std::max(highest, draw);
    }
  }
  whole.smallest_block = drawn(fraction(lowest));
  whole.largest_block = drawn(fraction(highest));
  return whole;
}

Case case_of(const Problem &problem) {
  return problem.varies() ? varying_features(topology_of(problem), {}).situation : BlockSizes(problem).whole_case();
}

}  // namespace rondo::internal::cli
