// `rondo compare`: two files of `rondo bench --json` side by side.

#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <fstream>
#include <memory>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "cli/commands.hpp"
#include "cli/quantiles.hpp"
#include "exchange/error.hpp"

namespace rondo::internal::cli {

namespace {

using Json = nlohmann::ordered_json;

struct CompareOptions {
  std::string before;
  std::string after;
  double limit = 0;  // 0: none
};

[[noreturn]] void refuse(const std::string &path, const std::string &why) {
  throw Error(Fault::argument, fmt::format("{}: {}", path, why));
}

Json read(const std::string &path) {
  std::ifstream file(path);
  if (!file) refuse(path, "cannot be read");
  try {
    Json figures = Json::parse(file);
    figures.at("sizes");
    return figures;
  } catch (const Json::exception &fault) {
    refuse(path, fmt::format("is no file of rondo bench --json: {}", fault.what()));
  }
}

// What a contender took in one file, without outliers.
struct Times {
  double median = 0;
  Interval interval{};
};

// Of one contender at one size: in both files.
struct Pair {
  std::int64_t bytes = 0;
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

// Null where it was not measured.
const Json *find(const Json &figures, std::int64_t bytes, const std::string &name) {
  for (const Json &size : figures.at("sizes")) {
    if (size.at("bytes") != bytes) continue;
    for (const Json &contender : size.at("contenders")) {
      if (contender.at("name") == name && contender.contains("samples_us") && !contender.at("samples_us").empty())
        return &contender;
    }
  }
  return nullptr;
}

Times times_of(const Json &contender) {
  const auto samples = without_outliers(contender.at("samples_us").get<std::vector<double>>());
  return {quantiles(samples).median, median_interval(samples)};
}

std::vector<Pair> pairs_of(const Json &before, const Json &after) {
  std::vector<Pair> pairs;
  for (const Json &size : before.at("sizes")) {
    const std::int64_t bytes = size.at("bytes");
    for (const Json &contender : size.at("contenders")) {
      const std::string name = contender.at("name");
      const Json *const one = find(before, bytes, name);
      const Json *const other = find(after, bytes, name);
      if (one != nullptr && other != nullptr) pairs.push_back({bytes, name, times_of(*one), times_of(*other)});
    }
  }
  return pairs;
}

// What both were measured on, where it differs: times of two machines say nothing of two libraries.
void print_differences(const Json &before, const Json &after) {
  for (const char *key : {"rondo", "mpi", "processor", "cores", "ranks", "distribution", "seed"}) {
    const Json one = before.value(key, Json());
    const Json other = after.value(key, Json());
    if (one != other) fmt::print("{} differs: {} before, {} after\n", key, one.dump(), other.dump());
  }
}

std::string text_of(const Times &times) {
  return fmt::format("{:>10.4g} {:>22}", times.median,
                     fmt::format("{:.4g}..{:.4g}", times.interval.low, times.interval.high));
}

void print(const std::vector<Pair> &pairs) {
  std::int64_t bytes = -1;
  for (const Pair &pair : pairs) {
    if (pair.bytes != bytes) {
      bytes = pair.bytes;
      fmt::print(
          "\nblocks of at most {} bytes, microseconds per exchange\n  {:<40} {:>10} {:>22} {:>10} {:>22} {:>7}\n",
          bytes, "", "before", "95 %", "after", "95 %", "ratio");
    }
    fmt::print("  {:<40} {} {} {:>7.3f}  {}\n", pair.name, text_of(pair.before), text_of(pair.after), pair.ratio(),
               pair.may_be_same() ? ""
               : pair.ratio() < 1 ? "faster"
                                  : "slower");
  }
}

int compare(const CompareOptions &options) {
  const Json before = read(options.before);
  const Json after = read(options.after);
  std::vector<Pair> pairs;
  try {
    pairs = pairs_of(before, after);
  } catch (const Json::exception &fault) {
    refuse(options.before + " or " + options.after, fmt::format("is no file of rondo bench --json: {}", fault.what()));
  }
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
