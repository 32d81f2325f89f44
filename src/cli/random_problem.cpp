#include "cli/random_problem.hpp"

#include <algorithm>
#include <array>
#include <chrono>
#include <vector>

#include "cli/block_sizes.hpp"
#include "cli/hash.hpp"
#include "cli/selection.hpp"
#include "schedule/wire.hpp"

namespace rondo::internal::cli {

namespace {

// Where there is no MPI, the library's own choice may not be native either.
bool is_served(const Problem &problem, bool on_mpi) {
  const Selection selection = select(problem, case_of(problem));
  return selection.obstacle.empty() && (on_mpi || selection.has_route());
}

// Each in one way simpler, the boldest first.
std::vector<Problem> simpler(const Problem &problem, bool fixed_ranks) {
  std::vector<Problem> all;
  const auto add = [&](auto &&change) {
    Problem changed = problem;
    change(changed);
    if (!(changed == problem)) all.push_back(std::move(changed));
  };
  if (!fixed_ranks && problem.ranks > 1) {
    const auto have = [&](int ranks) {
      add([ranks](Problem &p) {
        p.ranks = ranks;
        p.first_group = std::min(p.first_group, ranks - 1);
      });
    };
    have((problem.ranks + 1) / 2);
    have(problem.ranks - 1);
  }
  add([](Problem &p) { p.largest /= 2; });
  add([](Problem &p) { p.largest = std::max<std::int64_t>(0, p.largest - 1); });
  add([](Problem &p) { p.distribution = {.kind = Distribution::Kind::constant}; });
  add([](Problem &p) { p.shuffled = false; });
  add([](Problem &p) { p.gap = 0; });
  add([](Problem &p) { p.node = 0; });
  add([](Problem &p) { p.first_group = 0; });
  add([](Problem &p) { p.parameters.radix = 0; });
  add([](Problem &p) { p.parameters.block_count = 0; });
  add([](Problem &p) { p.parameters.leaders = 0; });
  add([](Problem &p) { p.parameters.pattern = Pattern::none; });
  add([](Problem &p) { p.wire.clear(); });
  if (problem.call != Problem::Call::alltoallv && !problem.by_segment())
    add([](Problem &p) { p.call = Problem::Call::alltoallv; });
  return all;
}

}  // namespace

std::uint64_t RandomProblems::draw(std::uint64_t below) {
  return hash(seed_, ++drawn_) % below;
}

Distribution RandomProblems::draw_distribution() {
  using Kind = Distribution::Kind;
  switch (draw(14)) {
    case 0: return {.kind = Kind::window, .argument = static_cast<double>(draw(101))};
    case 1: return {.kind = Kind::normal};
    case 2: return {.kind = Kind::powerlaw, .argument = 0.5 + 0.499 * fraction(hash(seed_, ++drawn_))};
    case 3:
    case 4: return {.kind = Kind::constant};
    case 5: return {.kind = Kind::sparse, .argument = static_cast<double>(draw(5))};
    case 6: return {.kind = Kind::one_heavy};
    case 7: return {.kind = Kind::normal_ranks};
    case 8: return {.kind = Kind::hot_receivers, .argument = static_cast<double>(draw(4))};
    case 9: return {.kind = Kind::by_group, .argument = static_cast<double>(1 + draw(20))};
    case 10: return {.kind = Kind::arithmetic};
    case 11: return {.kind = Kind::fft, .argument = static_cast<double>(1 + draw(2))};
    default: return {.kind = Kind::uniform};
  }
}

void RandomProblems::draw_algorithm(Problem &problem) {
  const auto table = algorithms(problem.kind());
  const Algorithm &algorithm = *table[draw(table.size())];
  if (algorithm.layout == Layout::native && !on_mpi()) return;  // nothing is said
  problem.algorithm = algorithm.name;
  const auto ranks = static_cast<std::uint64_t>(problem.ranks);
  Parameters &parameters = problem.parameters;
  if (algorithm.takes_radix) parameters.radix = static_cast<int>(2 + draw(ranks + 1));
  if (algorithm.takes_block_count) parameters.block_count = static_cast<int>(1 + draw(ranks + 1));
  if (algorithm.takes_leaders) parameters.leaders = static_cast<int>(1 + draw(ranks));
  if (algorithm.takes_pattern) parameters.pattern = chance(2) ? Pattern::coalesced : Pattern::staggered;
}

Problem RandomProblems::any() {
  Problem problem;
  problem.ranks = ranks_ ? *ranks_ : static_cast<int>(1 + draw(most_ranks));
  if (!chance(3)) problem.node = static_cast<int>(1 + draw(static_cast<std::uint64_t>(problem.ranks)));
  if (chance(6)) {
    problem.call = Problem::Call::allgatherv;
    if (problem.ranks > 1 && chance(2))
      problem.first_group = static_cast<int>(1 + draw(static_cast<std::uint64_t>(problem.ranks - 1)));
  }
  if (!chance(20)) draw_algorithm(problem);
  problem.distribution = draw_distribution();
  problem.seed = hash(seed_, ++drawn_);
  // Mostly small; on MPI the wire depends on the size as well.
  constexpr std::array<std::uint64_t, 6> most{8, 40, 300, 3000, 20000, 100000};
  problem.largest = static_cast<std::int64_t>(draw(most[draw(on_mpi() ? most.size() : 3)] + 1));
  if (chance(2)) problem.gap = static_cast<std::int64_t>(draw(70));
  problem.shuffled = chance(2);
  if (!problem.by_segment() && chance(4)) problem.call = Problem::Call::alltoallv_varying;
  if (!on_mpi()) return problem;
  // As often as two of the wires none, which leaves it to the library.
  const std::uint64_t wire = draw(2 + wire_words.size());
  if (wire >= 2) problem.wire = wire_words[wire - 2].word;
  if (problem.call == Problem::Call::alltoallv && chance(2)) {
    problem.call = chance(3) ? Problem::Call::neighbor_alltoallv : Problem::Call::alltoallw;
  }
  // Open MPI's own call does not serve all that are longer.
  constexpr std::int64_t most_native = 65536;
  if (problem.call == Problem::Call::alltoallw && problem.algorithm == "native") {
    problem.largest = std::min(problem.largest, most_native);
  }
  return problem;
}

Problem RandomProblems::next() {
  for (;;) {
    Problem problem = any();
    if (is_served(problem, on_mpi())) return problem;
  }
}

std::uint64_t RandomOrder::settled_seed() const {
  if (seed != 0) return seed;
  return static_cast<std::uint64_t>(std::chrono::system_clock::now().time_since_epoch().count()) % 1'000'000'000;
}

Problem shrink(Problem problem, bool fixed_ranks, const std::function<bool(const Problem &)> &fails) {
  for (;;) {
    const std::vector<Problem> all = simpler(problem, fixed_ranks);
    const auto failing = std::find_if(all.begin(), all.end(),
                                      [&](const Problem &next) { return is_served(next, fixed_ranks) && fails(next); });
    if (failing == all.end()) return problem;
    problem = *failing;
  }
}

}  // namespace rondo::internal::cli
