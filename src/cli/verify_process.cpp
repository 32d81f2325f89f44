#include "cli/verify_process.hpp"

#include <algorithm>
#include <atomic>
#include <mutex>
#include <new>
#include <thread>
#include <vector>

#include "cli/tally.hpp"

namespace rondo::cli {

namespace {

Verdict verdict_on(const Problem &problem) {
  try {
    return try_problem(problem);
  } catch (const std::bad_alloc &) {
    return {Verdict::Kind::wrong, "memory ran out: " + to_string(problem)};
  }
}

}  // namespace

int verify_in_process(std::span<const Problem> problems, unsigned threads) {
  Tally tally(problems.size());
  std::mutex tally_mutex;
  std::atomic<std::size_t> next = 0;
  const auto work = [&] {
    for (std::size_t i = next++; i < problems.size(); i = next++) {
      const Verdict verdict = verdict_on(problems[i]);
      const std::lock_guard lock(tally_mutex);
      tally.add(verdict);
    }
  };
  {
    std::vector<std::jthread> others;
    for (unsigned t = 1; t < std::min<std::size_t>(threads, problems.size()); ++t) others.emplace_back(work);
    work();
  }
  return tally.finish();
}

}  // namespace rondo::cli
