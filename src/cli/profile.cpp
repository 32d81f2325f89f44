// `rondo profile`: what a profile has, and how two differ.

#include <fmt/format.h>

#include <CLI/CLI.hpp>
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
  if (profile.settings.empty()) throw Error(Fault::argument, fmt::format("profile {}: there is nothing in it", path));
  return profile;
}

int show(const std::string &path) {
  for (const auto &[setting, choices] : read_existing(path).settings) {
    fmt::print("{}\n", setting);
    for (const auto &[name, choice] : choices) fmt::print("  {}\n    {} us\n", name, text_of(&choice));
  }
  return 0;
}

// The cases of either.
int compare(const std::string &path, const std::string &other_path) {
  const Profile one = read_existing(path);
  const Profile other = read_existing(other_path);
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
  CLI::App *command = app.add_subcommand("profile", "Show the measured choices of a profile, or of two side by side");
  auto paths = std::make_shared<std::pair<std::string, std::string>>();
  command->add_option("profile", paths->first, "The file")->type_name("FILE")->required();
  command->add_option("other", paths->second, "Another, to compare it with")->type_name("FILE");
  command->footer("Example: rondo profile cluster.json");
  command->callback([=, &action] {
    action = [paths] { return paths->second.empty() ? show(paths->first) : compare(paths->first, paths->second); };
  });
}

}  // namespace rondo::internal::cli
