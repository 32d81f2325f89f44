#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>

#include "cli/problem.hpp"

namespace rondo::internal::cli {

// Problems drawn at random from all that a problem can say: algorithm and parameters, nodes, sizes, places, whether
// sizes vary; on MPI the wire as well, alltoallw with datatypes, neighbours, native and the library's own choice. The
// same seed gives the same problems, on every rank.
class RandomProblems {
 public:
  // On MPI `ranks` is the number of ranks; else there are 1 to most_ranks of them.
  static constexpr int most_ranks = 16;
  explicit RandomProblems(std::uint64_t seed, std::optional<int> ranks = {}) : seed_(seed), ranks_(ranks) {}

  // The next one that its algorithm serves.
  Problem next();

 private:
  [[nodiscard]] bool on_mpi() const { return ranks_.has_value(); }
  std::uint64_t draw(std::uint64_t below);
  bool chance(std::uint64_t one_in) { return draw(one_in) == 0; }
  Problem any();
  void draw_algorithm(Problem &problem);
  Distribution draw_distribution();

  std::uint64_t seed_;
  std::uint64_t drawn_ = 0;
  std::optional<int> ranks_;
};

// How many random problems are asked for, and their seed; 0: whatever the clock says.
struct RandomOrder {
  std::size_t problems = 0;
  std::uint64_t seed = 0;

  [[nodiscard]] std::uint64_t settled_seed() const;
};

// A smaller problem that fails as this one does: each thing that it says is made simpler as long as it still fails.
// `fixed_ranks`: their number stays.
Problem shrink(Problem problem, bool fixed_ranks, const std::function<bool(const Problem &)> &fails);

}  // namespace rondo::internal::cli
