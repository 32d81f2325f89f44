// `rondo profile`: what a profile has, and how two differ.

#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <initializer_list>
#include <memory>
#include <set>

#include "api/profile.hpp"
#include "cli/commands.hpp"
#include "cli/selection.hpp"
#include "exchange/error.hpp"

namespace rondo::internal::cli {

namespace {

std::string text_of(const MeasuredChoice *choice) {
  if (choice == nullptr) return "-";
  return fmt::format("{:>10.2f}  {}", choice->seconds * 1e6, label(choice->algorithm, choice->parameters));
}

Profile read_existing(const std::string &path) {
  Profile profile = Profile::read(path);
  if (profile.settings.empty() && profile.prices.empty())
    throw Error(Fault::argument, fmt::format("profile {}: there is nothing in it", path));
  return profile;
}

std::string text_of(const MachinePrices::Place &place) {
  return fmt::format("{} ranks on {} node{}, {} on a core", place.ranks, place.nodes, place.nodes == 1 ? "" : "s",
                     place.turns);
}

// A line for each price, with a column for each of these; "-" where one is missing.
void print_prices(std::initializer_list<const CostModel *> columns) {
  const auto print_line = [&](std::string_view name, auto &&value) {
    fmt::print("    {:<24}", name);
    for (const CostModel *one : columns) {
      fmt::print(" {:>12}", one == nullptr ? std::string("-") : fmt::format("{:.3f}", value(*one)));
    }
    fmt::print("\n");
  };
  for (const Price &price : machine_prices) {
    print_line(fmt::format("{}, ns", price.name), [&](const CostModel &one) { return one.*price.of * 1e9; });
  }
  for (std::size_t i = 0; i < NativeTimes::blocks.size(); ++i) {
    print_line(fmt::format("native of {} B, us", NativeTimes::blocks[i]),
               [&](const CostModel &one) { return one.native.seconds[i] * 1e6; });
    print_line("  from one rank to all", [&](const CostModel &one) { return one.native_one_way.seconds[i] * 1e6; });
  }
}

const CostModel *prices_in(const Profile &profile, const std::string &setting, const MachinePrices::Place &place) {
  const auto places = profile.prices.find(setting);
  if (places == profile.prices.end()) return nullptr;
  const auto found = std::find_if(places->second.begin(), places->second.end(),
                                  [&](const MachinePrices &one) { return one.place == place; });
  return found == places->second.end() ? nullptr : &found->costs;
}

int show(const std::string &path) {
  const Profile profile = read_existing(path);
  for (const auto &[setting, places] : profile.prices) {
    fmt::print("{}\n", setting);
    for (const MachinePrices &one : places) {
      fmt::print("  prices, {}\n", text_of(one.place));
      print_prices({&one.costs});
    }
  }
  for (const auto &[setting, choices] : profile.settings) {
    fmt::print("{}\n", setting);
    for (const auto &[name, choice] : choices) fmt::print("  {}\n    {} us\n", name, text_of(&choice));
  }
  return 0;
}

void compare_prices(const Profile &one, const Profile &other) {
  Profile either = other;
  for (const auto &[setting, places] : one.prices) {
    for (const MachinePrices &place : places) either.keep(setting, place);
  }
  for (const auto &[setting, places] : either.prices) {
    fmt::print("{}\n", setting);
    for (const MachinePrices &each : places) {
      fmt::print("  prices, {}\n", text_of(each.place));
      print_prices({prices_in(one, setting, each.place), prices_in(other, setting, each.place)});
    }
  }
}

// The places and cases of either.
int compare(const std::string &path, const std::string &other_path) {
  const Profile one = read_existing(path);
  const Profile other = read_existing(other_path);
  compare_prices(one, other);
  std::set<std::pair<std::string, std::string>> cases;
  for (const Profile *profile : {&one, &other}) {
    for (const auto &[setting, choices] : profile->settings) {
      for (const auto &[name, choice] : choices) cases.emplace(setting, name);
    }
  }
  std::string before;
  for (const auto &[setting, name] : cases) {
    if (setting != before) fmt::print("{}\n", setting);
    before = setting;
    fmt::print("  {}\n    {}\n    {}\n", name, text_of(one.find(setting, name)), text_of(other.find(setting, name)));
  }
  return 0;
}

}  // namespace

void add_profile_command(CLI::App &app, Action &action) {
  CLI::App *command =
      app.add_subcommand("profile", "Show the prices and the measured choices of a profile, or of two side by side");
  auto paths = std::make_shared<std::pair<std::string, std::string>>();
  command->add_option("profile", paths->first, "The file")->type_name("FILE")->required();
  command->add_option("other", paths->second, "Another, to compare it with")->type_name("FILE");
  command->footer("Example: rondo profile cluster.json");
  command->callback([=, &action] {
    action = [paths] { return paths->second.empty() ? show(paths->first) : compare(paths->first, paths->second); };
  });
}

}  // namespace rondo::internal::cli
