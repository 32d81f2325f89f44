#include "cli/verify_process.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <mutex>
#include <new>
#include <optional>
#include <thread>
#include <vector>

#include "cli/interruption.hpp"
#include "cli/tally.hpp"

namespace rondo::internal::cli {

namespace {

Verdict verdict_on(const Problem &problem) {
  try {
    return try_problem(problem);
  } catch (const std::bad_alloc &) {
    return {Verdict::Kind::wrong, "memory ran out: " + to_string(problem)};
  }
}

bool fails(const Problem &problem) {
  return verdict_on(problem).kind != Verdict::Kind::right;
}

// Problems one after the other, for several threads.
class Supply {
 public:
  Supply(std::span<const Problem> problems, const RandomOrder &random, std::uint64_t seed)
      : problems_(problems), random_(seed), left_(random.problems) {}

  struct Item {
    Problem problem;
    bool random;
  };
  std::optional<Item> next() {
    const std::lock_guard lock(mutex_);
    if (Interruption::asked_for()) return std::nullopt;
    if (next_ < problems_.size()) return Item{problems_[next_++], false};
    if (left_ == 0) return std::nullopt;
    --left_;
    return Item{random_.next(), true};
  }

 private:
  std::mutex mutex_;
  std::span<const Problem> problems_;
  std::size_t next_ = 0;
  RandomProblems random_;
  std::size_t left_;
};

}  // namespace

int verify_in_process(std::span<const Problem> problems, const RandomOrder &random, unsigned threads) {
  const Interruption interruption;
  const std::uint64_t seed = random.settled_seed();
  if (random.problems > 0) fmt::print("random problems of seed {}\n", seed);
  const std::size_t total = problems.size() + random.problems;
  Tally tally(total);
  std::mutex tally_mutex;
  Supply supply(problems, random, seed);
  const auto work = [&] {
    while (const auto item = supply.next()) {
      Verdict verdict = verdict_on(item->problem);
      if (item->random && verdict.kind != Verdict::Kind::right) {
        verdict = verdict_on(shrink(item->problem, false, fails));
      }
      const std::lock_guard lock(tally_mutex);
      tally.add(verdict);
    }
  };
  {
    std::vector<std::jthread> others;
    for (unsigned t = 1; t < std::min<std::size_t>(threads, total); ++t) others.emplace_back(work);
    work();
  }
  return tally.finish(Interruption::asked_for());
}

}  // namespace rondo::internal::cli
