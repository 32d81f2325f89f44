// `rondo calibrate`: measures what the acts of an exchange cost on this machine, and keeps it in a profile.

#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <array>
#include <cmath>
#include <memory>
#include <optional>
#include <string_view>
#include <vector>

#include "api/inputs.hpp"
#include "api/prices.hpp"
#include "api/profile.hpp"
#include "cli/commands.hpp"
#include "cli/contest.hpp"
#include "cli/interruption.hpp"
#include "cli/mpi_session.hpp"
#include "cli/profile_file.hpp"
#include "cli/progress.hpp"
#include "cli/selection.hpp"
#include "cli/usage_error.hpp"
#include "exchange/error.hpp"
#include "model/calibration.hpp"
#include "model/outline_estimate.hpp"
#include "route/nodes.hpp"

namespace rondo::internal::cli {

namespace {

struct CalibrateOptions {
  std::string profile;
  double seconds = 20;
};

constexpr std::string_view native = "native";

// What the library knows of the ranks of MPI_COMM_WORLD.
struct Ranks {
  Topology topology;
  bool share_memory = false;
  MachinePrices::Place place{};
  // Without a profile: what the library chooses by, and whether it halves messages between nodes.
  CostModel uncalibrated{};
  bool halves_messages = false;
};

// What plans without a profile are made by. Collective.
void learn_uncalibrated(const Channel &channel, Ranks &ranks) {
  prepare_prices(channel, {}, all_to_all, ranks.topology);
  channel.open_messages();
  Features features{.situation = {.topology = ranks.topology}};
  learn_prices(channel, {}, true, features);
  ranks.uncalibrated = features.costs;
  ranks.halves_messages = features.halves_messages;
}

// Collective.
Ranks ranks_of_world() {
  const Channel channel = open_channel(MPI_COMM_WORLD, nullptr);
  const Hints hints = parse_hints(MPI_INFO_NULL);
  Ranks ranks{.topology = topology_of(channel, hints)};
  std::array<std::int64_t, 2> most{channel.duplicate->node().turns(), shares_memory(channel, hints) ? 0 : 1};
  channel.duplicate->agreement().agree(most, std::nullopt);
  ranks.share_memory = most[1] == 0;
  ranks.place = {channel.ranks(), count_nodes(ranks.topology), static_cast<int>(most[0])};
  learn_uncalibrated(channel, ranks);
  return ranks;
}

// One wire and one length, and what is timed there.
struct TimedCase {
  bool shares_memory;
  std::int64_t bytes;
  std::vector<ContenderSpec> specs;
  bool one_way = false;  // one rank sends to all others
};

// Some that differ in what they do: one step or many, few messages or many, long or short ones, with copies and
// without. Algorithms that would tell the same are left out.
constexpr std::array<std::string_view, 5> on_one_node{"spread_out", "pairwise", "zero_rotation_bruck", "modified_bruck",
                                                      "padded_bruck"};
constexpr std::array<std::string_view, 2> on_several_nodes{"tuna_hierarchical", "node_aggregated"};

// The MPI library's own call comes first, where it is asked for: it is the one that may not be missing.
std::vector<ContenderSpec> specs_over(const std::string &wire, bool with_native, int nodes) {
  std::vector<ContenderSpec> specs;
  const auto add = [&](std::string_view algorithm, const Parameters &parameters = {}) {
    specs.push_back({.algorithm = std::string(algorithm), .parameters = parameters, .wire = wire});
  };
  if (with_native) add(native);
  for (const std::string_view algorithm : on_one_node) add(algorithm);
  for (const int radix : {2, 4}) add("tuna", {.radix = radix});
  for (const std::string_view algorithm : on_several_nodes) {
    if (nodes > 1) add(algorithm);
  }
  return specs;
}

// Through shared memory, where the ranks have that, and over messages alone, where all are on one node: between nodes
// programs have messages in any case, and inside a node seldom.
std::vector<TimedCase> cases_for(const Ranks &ranks) {
  std::vector<TimedCase> cases;
  for (const std::int64_t bytes : NativeTimes::blocks) {
    const std::vector<ContenderSpec> native_alone{{.algorithm = std::string(native)}};
    cases.push_back({false, bytes, native_alone, true});
    if (bytes == 0) {
      cases.push_back({false, bytes, native_alone});
      continue;
    }
    cases.push_back({ranks.share_memory, bytes, specs_over("", true, ranks.place.nodes)});
    if (ranks.share_memory && ranks.place.nodes == 1) cases.push_back({false, bytes, specs_over("packed", false, 1)});
  }
  return cases;
}

Features features_of(const Ranks &ranks, const TimedCase &of) {
  const int others = ranks.place.ranks - 1;
  return {.situation = {.topology = ranks.topology, .smallest_block = of.bytes, .largest_block = of.bytes},
          .most_sent = others * of.bytes,
          .most_peers = others,
          .shares_memory = of.shares_memory,
          .turns = ranks.place.turns,
          .halves_messages = ranks.halves_messages};
}

// Nothing of an algorithm that has no outline.
std::optional<Outlined> outlined(const Ranks &ranks, const RONDO_Report &report) {
  const Parameters parameters = parameters_of(report);
  Wish wish;
  wish.algorithm = report.algorithm;
  wish.parameters = parameters;
  const Outlines outlines = outlines_on(all_to_all, ranks.topology, wish);
  const auto found = std::find_if(outlines.all.begin(), outlines.all.end(),
                                  [&](const Outlined &one) { return one.outline && one.parameters == parameters; });
  return found == outlines.all.end() ? std::nullopt : std::optional(*found);
}

// What one case has brought: the times of what has an estimate, and of the MPI library's call.
CaseTimes times_of(const Ranks &ranks, const TimedCase &of, const SizeResult &result) {
  constexpr double micro = 1e-6;
  CaseTimes times;
  const Features features = features_of(ranks, of);
  for (const Measurement &one : result.measurements) {
    if (one.samples.empty()) continue;
    const double seconds = one.times().median * micro;
    if (one.spec.algorithm == native) {
      times.native = seconds;
      continue;
    }
    const auto known = outlined(ranks, one.report);
    if (known && seconds > 0) times.timings.push_back({acts_of(*known, features, ranks.place.nodes), seconds});
  }
  double fastest = times.timings.empty() ? 0 : times.timings.front().seconds;
  for (const Timing &one : times.timings) fastest = std::min(fastest, one.seconds);
  for (Timing &one : times.timings) one.fastest = fastest;
  return times;
}

// How good estimates by these prices are.
struct Quality {
  double off = 0;  // percent, of the middle one
  int near = 0;    // cases in which what they take to be the fastest takes at most a tenth longer than what is
  int cases = 0;
};

Quality quality_of(const std::vector<CaseTimes> &all, const CostModel &model) {
  Quality quality;
  std::vector<double> off;
  for (const CaseTimes &times : all) {
    if (times.timings.empty()) continue;
    for (const Timing &one : times.timings) {
      off.push_back(std::abs(seconds_of(one.acts, model) / one.seconds - 1) * 100);
    }
    const auto taken = std::min_element(
        times.timings.begin(), times.timings.end(),
        [&](const Timing &a, const Timing &b) { return seconds_of(a.acts, model) < seconds_of(b.acts, model); });
    constexpr double tenth = 1.1;
    quality.near += taken->seconds <= tenth * taken->fastest ? 1 : 0;
    ++quality.cases;
  }
  quality.off = quantiles(std::move(off)).median;
  return quality;
}

// Throws Error (argument) where there was no time for enough.
CostModel prices_of(const Ranks &ranks, const std::vector<TimedCase> &cases, const std::vector<CaseTimes> &all) {
  std::size_t timings = 0;
  for (const CaseTimes &times : all) timings += times.timings.size();
  if (timings < 2 * machine_prices.size()) {
    throw Error(Fault::argument, fmt::format("there was time for {} measurements only: more --seconds are needed, or a "
                                             "machine that is less busy",
                                             timings));
  }
  CostModel model = fitted_for_choice(all, ranks.uncalibrated);
  for (std::size_t i = 0; i < cases.size(); ++i) {
    if (all[i].native == 0) continue;
    NativeTimes &times = cases[i].one_way ? model.native_one_way : model.native;
    const auto place = std::find(NativeTimes::blocks.begin(), NativeTimes::blocks.end(), cases[i].bytes);
    times.seconds[static_cast<std::size_t>(place - NativeTimes::blocks.begin())] = all[i].native;
  }
  for (NativeTimes *const times : {&model.native, &model.native_one_way}) {
    const auto &found = times->seconds;
    if (std::find(found.begin(), found.end(), 0) != found.end()) *times = {};
  }
  return model;
}

void print(const Ranks &ranks, const CostModel &model, const std::vector<CaseTimes> &all) {
  constexpr double nano = 1e-9;
  constexpr double micro = 1e-6;
  fmt::print("{:<16} {:>12} {:>12}\n", "nanoseconds", "before", "calibrated");
  for (const Price &price : machine_prices) {
    fmt::print("{:<16} {:>12.3f} {:>12.3f}\n", price.name, ranks.uncalibrated.*price.of / nano, model.*price.of / nano);
  }
  if (model.native.known() && model.native_one_way.known()) {
    fmt::print("\nthe MPI library's own call, microseconds: bytes of a block, all to all, one rank to all\n");
    for (std::size_t i = 0; i < NativeTimes::blocks.size(); ++i) {
      fmt::print("{:>9} {:>12.2f} {:>12.2f}\n", NativeTimes::blocks[i], model.native.seconds[i] / micro,
                 model.native_one_way.seconds[i] / micro);
    }
  } else {
    fmt::print("\nthere was no time to measure the MPI library's own call for all lengths\n");
  }
  const Quality before = quality_of(all, ranks.uncalibrated);
  const Quality now = quality_of(all, model);
  fmt::print(
      "\nestimates of Rondo's algorithms are off by {:.0f} % in the middle (before {:.0f} %), and the choice "
      "within 10 % of the best in {} of {} cases (before {})\n",
      now.off, before.off, now.near, now.cases, before.near);
}

CaseTimes measure_case(const Ranks &ranks, const TimedCase &of, double seconds, const Progress &progress) {
  const Problem problem{.ranks = ranks.place.ranks,
                        .distribution = *parse_distribution(of.one_way ? "one_heavy" : "constant"),
                        .largest = of.bytes};
  constexpr double least = 0.1;
  const Effort effort{.repetitions = 25, .seconds = std::max(least, of_slowest(seconds))};
  CaseTimes times = times_of(ranks, of, measure(problem, of.specs, effort, progress));
  // Where one exchange takes milliseconds there may have been no time for the call that may not be missing.
  if (of.specs.front().algorithm == native && of_slowest(times.native) == 0) {
    times.native = times_of(ranks, of, measure(problem, std::span(of.specs).first(1), effort, progress)).native;
  }
  return times;
}

int calibrate(const CalibrateOptions &options) {
  const MpiSession session;
  const Interruption interruption;
  const bool speaks = session.rank() == 0;
  read_writable_profile(options.profile, speaks);
  const Ranks ranks = ranks_of_world();
  if (ranks.place.ranks == 1) throw UsageError("calibrate: one rank exchanges nothing");
  if (speaks) {
    fmt::print("{}, {} ranks on {} node{}, {} on a core\n\n", this_setting(), ranks.place.ranks, ranks.place.nodes,
               ranks.place.nodes == 1 ? "" : "s", ranks.place.turns);
  }
  set_up_communicator(ranks.place.ranks);
  for (const std::int64_t bytes : NativeTimes::blocks) warm_up_library(ranks.place.ranks, bytes);
  const std::vector<TimedCase> cases = cases_for(ranks);
  const double end = MPI_Wtime() + options.seconds;
  std::vector<CaseTimes> all;
  ProgressLine line("measuring", cases.size());
  for (std::size_t i = 0; i < cases.size(); ++i) {
    if (all_asked_to_stop()) return Interruption::exit_status;
    const double share = (end - MPI_Wtime()) / static_cast<double>(cases.size() - i);
    all.push_back(measure_case(ranks, cases[i], share, [&](int, std::string_view doing) {
      if (speaks) line.show(i, fmt::format("({} bytes, {})", cases[i].bytes, doing));
    }));
  }
  line.clear();
  if (all_asked_to_stop()) return Interruption::exit_status;
  std::string fault;
  if (speaks) {
    try {
      const CostModel model = prices_of(ranks, cases, all);
      print(ranks, model, all);
      Profile profile = Profile::read(options.profile);
      profile.keep(this_setting(), {ranks.place, model});
      profile.write(options.profile);
      fmt::print("prices in {}: RONDO_PROFILE={} takes them\n", options.profile, options.profile);
    } catch (const Error &error) {
      fault = error.message();
    }
  }
  if (fault = agreed_text(fault); !fault.empty()) throw Error(Fault::argument, fault);
  return 0;
}

}  // namespace

void add_calibrate_command(CLI::App &app, Action &action) {
  CLI::App *command =
      app.add_subcommand("calibrate", "Measure what exchanges cost on this machine, and keep it in a profile");
  auto options = std::make_shared<CalibrateOptions>();
  command->add_option("profile", options->profile, "The file; what it has of other machines and ranks stays")
      ->type_name("FILE")
      ->required();
  command->add_option("--seconds", options->seconds, "How long to measure")
      ->type_name("SECONDS")
      ->check(CLI::Range(1.0, 3600.0).description(""))
      ->capture_default_str();
  command->footer(
      "Run it on as many ranks as programs have. They choose by the prices with RONDO_PROFILE=FILE in the "
      "environment.\n"
      "Example: mpiexec -n 16 rondo calibrate cluster.json");
  command->callback([=, &action] { action = [options] { return calibrate(*options); }; });
}

}  // namespace rondo::internal::cli
