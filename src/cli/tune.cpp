// `rondo tune`: fills a profile with measured choices for a list of sizes.

#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <memory>
#include <vector>

#include "api/profile.hpp"
#include "cli/arguments.hpp"
#include "cli/commands.hpp"
#include "cli/exchanges.hpp"
#include "cli/interruption.hpp"
#include "cli/memory.hpp"
#include "cli/mpi_session.hpp"
#include "cli/number.hpp"
#include "cli/profile_file.hpp"
#include "cli/selection.hpp"
#include "cli/usage_error.hpp"
#include "exchange/error.hpp"

namespace rondo::internal::cli {

namespace {

struct TuneOptions {
  std::string profile;
  std::vector<std::int64_t> sizes{8, 64, 512, 4096, 32768, 262144};
  std::vector<std::string> distributions{"constant", "uniform"};
  std::uint64_t seed = 1;
  double budget = 0.5;
};

std::size_t choices_in(const Profile &profile) {
  const auto own = profile.settings.find(this_setting());
  return own == profile.settings.end() ? 0 : own->second.size();
}

std::string choice_text(const RONDO_Report &report) {
  return label(report.algorithm, parameters_of(report));
}

// Collective: plans the problem, which measures it unless the profile has a choice for the case.
RONDO_Report tune_one(const Problem &problem, const TuneOptions &options) {
  const auto operation = make_operation(problem);
  const auto memory = operation->memory();
  const RondoPlan plan(*operation, problem, memory->spaces(),
                       {.measured = true, .tune_budget = options.budget, .profile = options.profile});
  if (plan.code() != MPI_SUCCESS) throw Error(Fault::mpi, plan.message());
  return plan.report();
}

int tune(const TuneOptions &options) {
  const MpiSession session;
  const Interruption interruption;
  const bool speaks = session.rank() == 0;
  std::size_t known = choices_in(read_writable_profile(options.profile, speaks));
  if (speaks)
    fmt::print("{}, {} ranks\n\n{:>9}  {:<12} {:>10}  choice\n", this_setting(), session.ranks(), "bytes", "sizes",
               "us");
  for (const std::string &name : options.distributions) {
    const auto distribution = parse_distribution(name);
    if (!distribution) throw UsageError(fmt::format("--dist {}: expected one of {}", name, known_distributions()));
    for (const std::int64_t size : options.sizes) {
      if (all_asked_to_stop()) return Interruption::exit_status;
      const Problem problem{
          .ranks = session.ranks(), .distribution = *distribution, .largest = size, .seed = options.seed};
      check_ints(problem);
      const RONDO_Report report = tune_one(problem, options);
      if (!speaks) continue;
      const std::size_t now = choices_in(Profile::read(options.profile));
      const bool was_known = now == known;
      known = now;
      if (report.measured_seconds == 0) {
        fmt::print("{:>9}  {:<12} {:>10}  {} (not measured: more memory than trials may take)\n", size, name, "-",
                   choice_text(report));
        continue;
      }
      fmt::print("{:>9}  {:<12} {:>10.2f}  {}{}\n", size, name, report.measured_seconds * 1e6, choice_text(report),
                 was_known ? " (known)" : "");
    }
  }
  if (speaks) fmt::print("\n{} has {} cases for this machine, MPI library and transport\n", options.profile, known);
  return 0;
}

}  // namespace

void add_tune_command(CLI::App &app, Action &action) {
  CLI::App *command =
      app.add_subcommand("tune", "Measure which algorithm is fastest for sizes, and keep it in a profile");
  auto options = std::make_shared<TuneOptions>();
  command->add_option("profile", options->profile, "The file; cases that it has are not measured again")
      ->type_name("FILE")
      ->required();
  command->add_option("--sizes", options->sizes, "Bytes of the largest block, a list")
      ->delimiter(',')
      ->type_name("BYTES")
      ->check(CLI::Range(std::int64_t{0}, std::int64_t{1} << 30).description(""))
      ->capture_default_str();
  command->add_option("--dist", options->distributions, "How block sizes are spread (docs/problems.md), a list")
      ->delimiter(';')
      ->type_name("DISTRIBUTIONS")
      ->capture_default_str();
  command->add_option("--seed", options->seed, "Of the block sizes")
      ->type_name("N")
      ->check(whole_number<std::uint64_t>(0, UINT64_MAX))
      ->capture_default_str();
  command->add_option("--budget", options->budget, "Seconds for each case, of which short exchanges take less")
      ->type_name("SECONDS")
      ->check(CLI::Range(0.0, 1e9).description(""))
      ->capture_default_str();
  command->footer(
      "Programs take their choices from the file with RONDO_PROFILE=FILE in the environment.\n"
      "Example: mpiexec -n 16 rondo tune cluster.json --sizes 8,512,32768");
  command->callback([=, &action] { action = [options] { return tune(*options); }; });
}

}  // namespace rondo::internal::cli
