#include "cli/bench_options.hpp"

#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <utility>

#include "cli/number.hpp"
#include "cli/usage_error.hpp"

namespace rondo::internal::cli {

namespace {

Measured with_sizes(Problem problem, std::vector<std::int64_t> sizes) {
  problem.largest = *std::max_element(sizes.begin(), sizes.end());
  check_ints(problem);
  return {std::move(problem), std::move(sizes)};
}

// What is timed in the place of exchanges of fixed counts, and the options that make no sense then.
void add_other_measures(CLI::App &command, BenchOptions &options) {
  CLI::Option *const init =
      command.add_flag("--init", options.init, "Time inits, of exchanges whose blocks all have the sizes given");
  for (const char *const of_exchanges :
       {"problem", "--ranks", "--dist", "--seed", "--algorithms", "--data", "--plot"}) {
    init->excludes(command.get_option(of_exchanges));
  }
  CLI::Option *const varying = command.add_flag(
      "--varying", options.varying,
      "Time exchanges of counts and data whose counts are drawn anew each time, beside MPI_Alltoall and MPI_Alltoallv");
  for (CLI::Option *const of_fixed :
       {init, command.get_option("--data"), command.get_option("--plot"), command.get_option("--ranks")}) {
    varying->excludes(of_fixed);
  }
  CLI::Option *const phases = command.add_flag(
      "--phases", options.phases,
      "Time whole calls over MPI messages phase by phase: sizes, preparation, copies, packing, messages");
  for (CLI::Option *const of_plans : {init, varying, command.get_option("--data"), command.get_option("--ranks")}) {
    phases->excludes(of_plans);
  }
}

}  // namespace

void add_bench_options(CLI::App &command, BenchOptions &options) {
  command
      .add_option("problem", options.words,
                  "A problem (docs/problems.md), of all ranks, instead of --dist and --seed: the operation, its "
                  "blocks, and ranks per node; --sizes takes the place of its max")
      ->type_name("PROBLEM");
  add_measuring_options(command, options.measuring);
  command.add_option("--ranks", options.ranks, "The first so many of all ranks, a list; the others sleep meanwhile")
      ->delimiter(',')
      ->type_name("N")
      ->check(CLI::Range(1, 1 << 20).description(""));
  command
      .add_option("--dist", options.distribution_texts,
                  "How block sizes are spread (docs/problems.md), a list; with --varying, which takes uniform if not "
                  "said, and with --phases one")
      ->delimiter(',')
      ->type_name("DISTRIBUTION")
      ->capture_default_str();
  command.add_option("--seed", options.seed, "Of the block sizes")
      ->type_name("N")
      ->check(whole_number<std::uint64_t>(0, UINT64_MAX))
      ->capture_default_str();
  command
      .add_option("--algorithms", options.algorithms,
                  "all, or a list such as tuna:radix=4,scattered:block_count=8,chosen (the library's own choice); each "
                  "with :wire=packed, datatype, ... for rondo_wire, :buffers=plan for buffers that the plan allocates, "
                  ":progress=thread, chosen:tune=measure for the choice by measurement, chosen:profile=FILE for "
                  "rondo_profile, :whole for plans that are made and freed in every exchange, or :types=each for "
                  "datatypes that are (types=each-indexed, types=each-block-indexed: with entries of that form); "
                  "nonblocking is the MPI library's call that does not wait; tuna:radix=2..4 is three contenders")
      ->type_name("LIST")
      ->capture_default_str();
  command
      .add_option("--data", options.data,
                  "fresh: what is sent is written before each exchange, as programs do (the writing itself is not "
                  "counted); same: never")
      ->type_name("WHICH")
      ->check(CLI::IsMember({"fresh", "same"}).description(""))
      ->capture_default_str();
  command.add_option("--json", options.json, "Write all figures to this file")->type_name("FILE");
  command.add_option("--plot", options.plot, "Have gnuplot draw a chart (SVG) to this file")->type_name("FILE");
  add_other_measures(command, options);
  for (const char *const of_no_problem : {"--dist", "--seed"}) {
    command.get_option("problem")->excludes(command.get_option(of_no_problem));
  }
  command.get_option("--plot")->excludes(command.get_option("--ranks"));  // rondo choices --plot draws several
}

void settle(BenchOptions &options) {
  if (options.words.empty()) {
    const bool several = options.distribution_texts.size() > 1;
    if (several && options.varying) throw UsageError("--varying takes one --dist");
    if (several && options.phases) throw UsageError("--phases takes one --dist");
    if (several && !options.plot.empty())
      throw UsageError("--plot takes one --dist: rondo choices --plot draws several");
    if (options.varying) options.call = Problem::Call::alltoallv_varying;
    for (const std::string &text : options.distribution_texts) {
      const auto distribution = parse_distribution(text);
      if (!distribution) throw UsageError(fmt::format("--dist {}: expected one of {}", text, known_distributions()));
      options.distributions.push_back(*distribution);
    }
    return;
  }
  const std::vector<std::string> problems = join_problems(options.words);
  if (problems.size() > 1)
    throw UsageError(fmt::format("one problem is measured at a time, and {} are given", problems.size()));
  options.problem = problems.front();
  options.call = call_of(options.problem).value_or(Problem::Call::alltoallv);  // what is none is found to be none later
  if (options.varying) throw UsageError("--varying takes no problem: alltoallv_varying is one");
  if (options.phases && options.call != Problem::Call::alltoall && options.call != Problem::Call::alltoallv)
    throw UsageError(fmt::format("--phases takes alltoall and alltoallv, not {}", options.problem));
  options.varying = options.call == Problem::Call::alltoallv_varying;
}

std::vector<Measured> measured_by(const BenchOptions &options, int ranks) {
  const auto sizes = [&](const std::vector<std::int64_t> &own) {
    return options.sizes_are_named ? options.measuring.sizes : own;
  };
  if (!options.problem.empty()) {
    const Problem problem = parse_problem(options.problem, ranks);
    return {with_sizes(problem, sizes({problem.largest}))};
  }
  std::vector<Measured> all;
  for (const Distribution &distribution : options.distributions) {
    if (const std::string obstacle = distribution.obstacle(ranks); !obstacle.empty()) {
      throw UsageError(fmt::format("--dist {}", obstacle));
    }
    const Problem problem{.ranks = ranks, .distribution = distribution, .seed = options.seed};
    const auto &trace = distribution.sizes;
    all.push_back(with_sizes(problem, sizes(trace ? std::vector{trace->largest} : options.measuring.sizes)));
  }
  return all;
}

std::vector<ContenderSpec> contenders_of(const BenchOptions &options, const Problem &problem) {
  const auto call = options.varying ? Problem::Call::alltoallv : options.call;
  if (problem.algorithm.empty() || options.algorithms_are_named) return parse_contenders(options.algorithms, call);
  std::vector<ContenderSpec> specs = parse_contenders("", call);
  specs.push_back(
      {.call = call, .algorithm = problem.algorithm, .parameters = problem.parameters, .wire = problem.wire});
  return specs;
}

}  // namespace rondo::internal::cli
