// `rondo compare`: two files of `rondo bench --json` side by side.

#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <array>
#include <memory>
#include <string>
#include <vector>

#include "cli/bench_file.hpp"
#include "cli/commands.hpp"
#include "cli/quantiles.hpp"
#include "exchange/error.hpp"

namespace rondo::internal::cli {

namespace {

struct CompareOptions {
  std::string before;
  std::string after;
  double limit = 0;  // 0: none
};

// Where contenders stood beside each other.
struct Place {
  int ranks = 0;
  std::string distribution;
  std::int64_t bytes = 0;

  friend bool operator==(const Place &, const Place &) = default;
};

// What a contender took in one file, without outliers.
struct Times {
  double median = 0;
  Interval interval{};
};

// One contender, in both files.
struct Pair {
  Place place;
  std::string name;
  Times before;
  Times after;

  [[nodiscard]] double ratio() const { return after.median / before.median; }
  // Whether the two medians may be the same.
  [[nodiscard]] bool may_be_same() const {
    return before.interval.low <= after.interval.high && after.interval.low <= before.interval.high;
  }
  // Whether what was measured cannot be explained by less than so much.
  [[nodiscard]] bool slower_than(double limit) const { return after.interval.low > limit * before.interval.high; }
};

// The keys of a file that say what was measured on what.
constexpr std::array circumstances = {"rondo", "mpi", "processor", "cores", "seed"};

// One contender, in one file.
struct Measured {
  Place place;
  std::string name;
  Times times;
};

// One file.
struct Measurements {
  std::array<BenchFigures, circumstances.size()> measured_on;
  std::vector<Measured> all;
};

Times times_of(const BenchFigures &contender) {
  const auto samples = without_outliers(contender.at("samples_us").get<std::vector<double>>());
  return {quantiles(samples).median, median_interval(samples)};
}

Measurements read(const std::string &path) {
  Measurements found;
  read_bench_file(path, [&](const BenchRun &run) {
    const BenchFigures &figures = run.figures;
    for (std::size_t i = 0; i < circumstances.size(); ++i) {
      found.measured_on[i] = figures.value(circumstances[i], BenchFigures());
    }
    for (const BenchFigures &size : figures.at("sizes")) {
      for (const BenchFigures &contender : size.at("contenders")) {
        if (!contender.contains("samples_us") || contender.at("samples_us").empty()) continue;
        const Place place{figures.at("ranks"), figures.at("distribution"), size.at("bytes")};
        found.all.push_back({place, contender.at("name"), times_of(contender)});
      }
    }
  });
  return found;
}

std::vector<Pair> pairs_of(const Measurements &before, const Measurements &after) {
  std::vector<Pair> pairs;
  for (const Measured &one : before.all) {
    const auto other = std::find_if(after.all.begin(), after.all.end(), [&](const Measured &candidate) {
      return candidate.place == one.place && candidate.name == one.name;
    });
    if (other != after.all.end()) pairs.push_back({one.place, one.name, one.times, other->times});
  }
  return pairs;
}

// What both were measured on, where it differs: times of two machines say nothing of two libraries.
void print_differences(const Measurements &before, const Measurements &after) {
  for (std::size_t i = 0; i < circumstances.size(); ++i) {
    const BenchFigures &one = before.measured_on[i];
    const BenchFigures &other = after.measured_on[i];
    if (one != other) fmt::print("{} differs: {} before, {} after\n", circumstances[i], one.dump(), other.dump());
  }
}

std::string text_of(const Times &times) {
  return fmt::format("{:>10.4g} {:>22}", times.median,
                     fmt::format("{:.4g}..{:.4g}", times.interval.low, times.interval.high));
}

void print(const std::vector<Pair> &pairs) {
  const Pair *before = nullptr;
  for (const Pair &pair : pairs) {
    if (before == nullptr || pair.place != before->place) {
      fmt::print(
          "\n{} ranks, {}, blocks of at most {} bytes, microseconds per exchange\n"
          "  {:<40} {:>10} {:>22} {:>10} {:>22} {:>7}\n",
          pair.place.ranks, pair.place.distribution, pair.place.bytes, "", "before", "95 %", "after", "95 %", "ratio");
    }
    fmt::print("  {:<40} {} {} {:>7.3f}  {}\n", pair.name, text_of(pair.before), text_of(pair.after), pair.ratio(),
               pair.may_be_same() ? ""
               : pair.ratio() < 1 ? "faster"
                                  : "slower");
    before = &pair;
  }
}

int compare(const CompareOptions &options) {
  const Measurements before = read(options.before);
  const Measurements after = read(options.after);
  const std::vector<Pair> pairs = pairs_of(before, after);
  if (pairs.empty()) throw Error(Fault::argument, "no contender was measured at one size in both files");
  print_differences(before, after);
  print(pairs);
  const auto differ = std::count_if(pairs.begin(), pairs.end(), [](const Pair &pair) { return !pair.may_be_same(); });
  fmt::print(
      "\n95 %: where the median lies with that confidence, without outliers (Tukey's filter). In {} of {} lines "
      "the two do not overlap.\n",
      differ, pairs.size());
  if (options.limit <= 0) return 0;
  const auto slower =
      std::count_if(pairs.begin(), pairs.end(), [&](const Pair &pair) { return pair.slower_than(options.limit); });
  fmt::print("more than {} times as slow, with that confidence: {}\n", options.limit, slower);
  return slower == 0 ? 0 : 1;
}

}  // namespace

void add_compare_command(CLI::App &app, Action &action) {
  CLI::App *command = app.add_subcommand("compare", "Compare the times in two files of rondo bench --json");
  auto options = std::make_shared<CompareOptions>();
  command->add_option("before", options->before, "A file of rondo bench --json")->type_name("FILE")->required();
  command->add_option("after", options->after, "Another, of the same exchanges")->type_name("FILE")->required();
  command
      ->add_option("--limit", options->limit,
                   "End with status 1 where a contender has become slower than this many times what it was")
      ->type_name("RATIO")
      ->check(CLI::Range(1.0, 1e6).description(""));
  command->footer("Example: rondo compare before.json after.json --limit 1.1");
  command->callback([=, &action] { action = [options] { return compare(*options); }; });
}

}  // namespace rondo::internal::cli
