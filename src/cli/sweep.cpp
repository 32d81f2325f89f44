#include "cli/sweep.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "cli/block_sizes.hpp"
#include "cli/hash.hpp"
#include "cli/selection.hpp"

namespace rondo::internal::cli {

namespace {

constexpr int most_ranks = 64;

std::vector<int> rank_counts(Breadth breadth) {
  if (breadth == Breadth::quick) return {1, 2, 3, 4, 5, 6, 7, 8, 9, 12, 16, 17, 31, 32};
  std::vector<int> all(most_ranks);
  std::iota(all.begin(), all.end(), 1);
  return all;
}

// Those of the candidates within low..high, each once.
std::vector<int> within(std::vector<int> candidates, int low, int high) {
  std::erase_if(candidates, [&](int value) { return value < low || value > high; });
  std::sort(candidates.begin(), candidates.end());
  candidates.erase(std::unique(candidates.begin(), candidates.end()), candidates.end());
  return candidates;
}

std::vector<int> radices(int ranks, Breadth breadth) {
  const int root = static_cast<int>(std::ceil(std::sqrt(ranks)));
  const int most = std::max(2, ranks);
  if (breadth == Breadth::quick) return within({2, 3, root, most}, 2, most);
  if (ranks > 32) return within({2, 3, 4, 5, 7, 8, root, ranks / 2, ranks - 1, ranks}, 2, most);
  std::vector<int> all(most - 1);
  std::iota(all.begin(), all.end(), 2);
  return all;
}

std::vector<int> block_counts(int ranks) {
  return within({1, 2, 3, 7, ranks - 1}, 1, std::max(1, ranks - 1));
}

bool is_hierarchical(const Algorithm &algorithm) {
  return algorithm.takes_leaders || algorithm.takes_pattern;
}

// The numbers of ranks per node to try. Algorithms that are not hierarchical do not know of nodes: 0.
std::vector<int> node_sizes(const Algorithm &algorithm, Breadth breadth) {
  if (!is_hierarchical(algorithm)) return {0};
  return breadth == Breadth::quick ? std::vector{4} : std::vector{3, 4, 8};
}

std::vector<Distribution> distributions() {
  std::vector<Distribution> all;
  for (const char *text : {"uniform", "window:50", "normal", "normal_ranks", "powerlaw:0.99", "powerlaw:0.999",
                           "constant", "sparse:3", "empty", "one_heavy"}) {
    all.push_back(*parse_distribution(text));
  }
  return all;
}

// Whether it is tried with sizes that vary, too.
bool is_varied(const Distribution &distribution) {
  using Kind = Distribution::Kind;
  return distribution.kind == Kind::uniform || distribution.kind == Kind::sparse ||
         distribution.kind == Kind::one_heavy;
}

// A few of each that the hierarchical algorithms take together.
std::vector<Parameters> hierarchical_parameters(const Algorithm &algorithm, int ranks) {
  std::vector<Parameters> all;
  for (const int radix : within({2, 3, ranks}, 2, std::max(2, ranks))) {
    if (algorithm.takes_leaders) {
      for (const int leaders : within({2, ranks}, 1, ranks)) all.push_back({.radix = radix, .leaders = leaders});
    } else {
      all.push_back({.radix = radix, .block_count = 2, .pattern = Pattern::coalesced});
      all.push_back({.radix = radix, .block_count = 7, .pattern = Pattern::staggered});
    }
  }
  return all;
}

std::vector<Parameters> parameters_of(const Algorithm &algorithm, int ranks, Breadth breadth) {
  if (is_hierarchical(algorithm)) return hierarchical_parameters(algorithm, ranks);
  if (!algorithm.takes_radix && !algorithm.takes_block_count) return {{}};
  std::vector<Parameters> all;
  if (algorithm.takes_radix) {
    for (const int radix : radices(ranks, breadth)) all.push_back({.radix = radix});
  } else {
    for (const int count : block_counts(ranks)) all.push_back({.block_count = count});
  }
  return all;
}

// All of an algorithm that a sweep tries on so many ranks, without distributions yet.
std::vector<Problem> settings_of(const Algorithm &algorithm, int ranks, Breadth breadth) {
  std::vector<Problem> all;
  for (const int node : node_sizes(algorithm, breadth)) {
    for (const Parameters &parameters : parameters_of(algorithm, ranks, breadth)) {
      all.push_back({.ranks = ranks, .node = node, .algorithm = std::string(algorithm.name), .parameters = parameters});
    }
  }
  return all;
}

constexpr std::int64_t small = 40;      // bytes: enough for blocks of many sizes, none of them a multiple of a word
constexpr std::int64_t medium = 3000;   // more than an eager message holds in some MPI libraries
constexpr std::int64_t large = 70000;   // cut by the shared wire, or pulled
constexpr std::int64_t huge = 3600000;  // of one block: so much that the ranks of a node attach

// The largest blocks to try over MPI, where small, medium, large and huge messages travel in different ways.
std::vector<std::int64_t> mpi_sizes(const Distribution &distribution, int ranks) {
  switch (distribution.kind) {
    case Distribution::Kind::uniform: return {small, medium, large};
    case Distribution::Kind::constant: return {small, large};
    case Distribution::Kind::one_heavy:
      if (ranks <= 4) return {large, huge};  // on more, padding to the largest block takes gigabytes
      return {large};
    default: return {small};
  }
}

// Draws from the number of the problem: the size of the largest block (from half of `most` to `most`; for small ones
// from 1), gaps or none, and the order of blocks.
void vary(Problem &problem, std::uint64_t number, std::int64_t most) {
  const auto draw = mix(number);
  const std::int64_t least = most > small ? most / 2 : 1;
  problem.seed = number;
  problem.largest = least + static_cast<std::int64_t>((draw >> 24) % static_cast<std::uint64_t>(most - least + 1));
  problem.gap = (draw >> 8) % 2 == 0 ? 0 : static_cast<std::int64_t>((draw >> 16) % 5);
  problem.shuffled = (draw >> 9) % 2 == 0;
}

// Collects the problems of one number of ranks, leaving out what is not served.
class Collector {
 public:
  explicit Collector(std::vector<Problem> &problems) : problems_(problems) {}

  // `most`: bytes of the largest block at most.
  void add(Problem problem, std::int64_t most = small) {
    vary(problem, ++number_, most);
    if (select(problem, case_of(problem)).obstacle.empty()) problems_.push_back(std::move(problem));
  }

  // The same with sizes that vary from start to start.
  void add_varying(Problem problem, std::int64_t most = small) {
    problem.call = Problem::Call::alltoallv_varying;
    add(std::move(problem), most);
  }

  // The same as an alltoall, without displacements.
  void add_alltoall(Problem problem, std::int64_t most) {
    problem.call = Problem::Call::alltoall;
    vary(problem, ++number_, most);
    problem.gap = 0;
    problem.shuffled = false;
    problems_.push_back(std::move(problem));
  }

 private:
  std::vector<Problem> &problems_;
  std::uint64_t number_ = 0;
};

}  // namespace

std::vector<Problem> sweep(Breadth breadth) {
  std::vector<Problem> problems;
  Collector collector(problems);
  for (const int ranks : rank_counts(breadth)) {
    for (const Algorithm *algorithm : algorithms()) {
      if (algorithm->route == nullptr) continue;
      for (Problem &setting : settings_of(*algorithm, ranks, breadth)) {
        for (const Distribution &distribution : distributions()) {
          setting.distribution = distribution;
          collector.add(setting);
          if (is_varied(distribution)) collector.add_varying(setting);
        }
      }
    }
  }
  return problems;
}

std::vector<Problem> mpi_sweep(int ranks, Breadth breadth) {
  std::vector<Problem> settings{{.ranks = ranks}};  // the library's own choice
  for (const Algorithm *algorithm : algorithms()) {
    std::vector<Problem> all = settings_of(*algorithm, ranks, Breadth::quick);
    if (breadth == Breadth::quick) all.resize(1);
    settings.insert(settings.end(), all.begin(), all.end());
  }
  std::vector<Problem> problems;
  Collector collector(problems);
  for (const Distribution &distribution : distributions()) {
    for (const std::int64_t most : mpi_sizes(distribution, ranks)) {
      if (distribution.uniform_sizes()) collector.add_alltoall({.ranks = ranks, .distribution = distribution}, most);
      for (Problem &setting : settings) {
        setting.distribution = distribution;
        collector.add(setting, most);
        if (is_varied(distribution)) collector.add_varying(setting, most);
      }
    }
  }
  return problems;
}

}  // namespace rondo::internal::cli
