// `rondo verify`: does what arrives equal what was sent?

#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <thread>

#include "cli/commands.hpp"
#include "cli/number.hpp"
#include "cli/sweep.hpp"
#include "cli/usage_error.hpp"
#include "cli/verify_mpi.hpp"
#include "cli/verify_process.hpp"

namespace rondo::internal::cli {

namespace {

struct VerifyOptions {
  std::vector<std::string> problems;
  bool sweep = false;
  bool quick = false;
  bool mpi = false;
  std::size_t random = 0;
  std::uint64_t seed = 0;  // 0: drawn
  unsigned threads = std::max(1U, std::thread::hardware_concurrency());
};

int verify(const VerifyOptions &options) {
  if (options.problems.empty() && !options.sweep && options.random == 0) {
    throw UsageError("expected a PROBLEM, --sweep or --random");
  }
  const Breadth breadth = options.quick ? Breadth::quick : Breadth::full;
  const RandomOrder random{options.random, options.seed};
  const std::vector<std::string> texts = join_problems(options.problems);
  if (options.mpi) return verify_on_mpi(texts, options.sweep, breadth, random);
  std::vector<Problem> problems;
  for (const std::string &text : texts) problems.push_back(parse_problem(text));
  if (options.sweep) {
    const std::vector<Problem> more = sweep(breadth);
    problems.insert(problems.end(), more.begin(), more.end());
  }
  return verify_in_process(problems, random, options.threads);
}

}  // namespace

void add_verify_command(CLI::App &app, Action &action) {
  CLI::App *command = app.add_subcommand("verify", "Run problems three times with new data and check every byte");
  auto options = std::make_shared<VerifyOptions>();
  command->add_option("PROBLEM", options->problems, "Problems, one string each")->type_name("");
  auto *sweep = command->add_flag("--sweep", options->sweep, "Every algorithm over ranks, parameters, distributions");
  command->add_flag("--quick", options->quick, "A sweep of few ranks and parameters")->needs(sweep);
  command->add_option("--random", options->random, "So many problems drawn at random; one that fails is made smaller")
      ->type_name("N")
      ->check(whole_number<std::uint64_t>(0, 1'000'000'000'000));
  command->add_option("--seed", options->seed, "Of the random problems; without it, or 0, from the clock")
      ->type_name("N")
      ->check(whole_number<std::uint64_t>(0, UINT64_MAX));
  command->add_flag("--mpi", options->mpi, "On the ranks of this MPI job, against MPI_Alltoallv; p is their number");
  command->add_option("--threads", options->threads, "Problems at once, in one process")
      ->type_name("N")
      ->check(whole_number(1U, 1024U))
      ->capture_default_str();
  command->footer(
      "Without --mpi all ranks are in this process. The last line is `N passed, N failed`; the exit status is 0 when\n"
      "none failed and at least one passed, 1 when one failed, 2 when the command line is not understood, 130 after\n"
      "Ctrl-C, which ends it with the count so far.\n"
      "Example: rondo verify \"alltoallv p=6 algorithm=tuna radix=3 dist=powerlaw:0.99 max=64 seed=7\"\n"
      "Example: mpiexec -n 4 rondo verify --mpi --sweep");
  command->callback([=, &action] { action = [options] { return verify(*options); }; });
}

}  // namespace rondo::internal::cli
