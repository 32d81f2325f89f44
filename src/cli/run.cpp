// `rondo run`: starts a program with the interposer.

#include <fcntl.h>
#include <fmt/format.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <CLI/CLI.hpp>
#include <array>
#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <memory>
#include <string>
#include <vector>

#include "cli/arguments.hpp"
#include "cli/commands.hpp"
#include "cli/launch.hpp"
#include "cli/usage_error.hpp"
#include "exchange/error.hpp"

namespace rondo::internal::cli {

namespace {

struct RunOptions {
  int ranks = 0;
  std::string launcher = RONDO_LAUNCHER;
  std::string report{};
  bool prints_only = false;
  std::vector<std::string> program{};
};

std::vector<char *> pointers_to(std::vector<std::string> &words) {
  std::vector<char *> pointers;
  for (std::string &word : words) pointers.push_back(word.data());
  pointers.push_back(nullptr);
  return pointers;
}

// What a command prints. Nothing where it cannot be run.
std::string printed_by(std::vector<std::string> words) {
  std::array<int, 2> pipe_ends{};
  if (pipe2(pipe_ends.data(), O_CLOEXEC) != 0) return {};
  posix_spawn_file_actions_t actions;
  posix_spawn_file_actions_init(&actions);
  posix_spawn_file_actions_adddup2(&actions, pipe_ends[1], STDOUT_FILENO);
  posix_spawn_file_actions_addopen(&actions, STDERR_FILENO, "/dev/null", O_WRONLY, 0);
  pid_t process = 0;
  const int fault =
      posix_spawnp(&process, words.front().c_str(), &actions, nullptr, pointers_to(words).data(), environ);
  posix_spawn_file_actions_destroy(&actions);
  close(pipe_ends[1]);
  std::string text;
  std::array<char, 4096> part{};
  for (ssize_t length = 0; fault == 0 && (length = read(pipe_ends[0], part.data(), part.size())) > 0;) {
    text.append(part.data(), static_cast<std::size_t>(length));
  }
  close(pipe_ends[0]);
  if (fault == 0) waitpid(process, nullptr, 0);
  return text;
}

// The program's file, as a shell would find it.
std::string path_of(const std::string &program) {
  if (program.find('/') != std::string::npos) return program;
  const char *const path = std::getenv("PATH");
  for (const std::string &folder : CLI::detail::split(path == nullptr ? "" : path, ':')) {
    std::string candidate = fmt::format("{}/{}", folder, program);
    if (access(candidate.c_str(), X_OK) == 0) return candidate;
  }
  return program;
}

std::vector<std::string> command_of(const RunOptions &options, const std::string &interposer) {
  std::vector<std::string> words = CLI::detail::split_up(options.launcher);
  words.insert(words.end(), {"-n", std::to_string(options.ranks), "env"});
  const char *const others = std::getenv("LD_PRELOAD");
  words.push_back(
      fmt::format("LD_PRELOAD={}{}{}", interposer, others == nullptr ? "" : ":", others == nullptr ? "" : others));
  if (!options.report.empty()) words.push_back("RONDO_REPORT=" + options.report);
  words.insert(words.end(), options.program.begin(), options.program.end());
  return words;
}

int run_with_interposer(const RunOptions &options) {
  const std::string interposer = find_interposer();
  const auto libraries_of = [](const std::string &file) { return mpi_libraries_in(printed_by({"ldd", file})); };
  if (const auto reason = misfit(libraries_of(path_of(options.program.front())), libraries_of(interposer))) {
    throw UsageError(*reason + ": take the rondo that was built for the program's MPI");
  }
  std::vector<std::string> words = command_of(options, interposer);
  if (options.prints_only) {
    fmt::print("{}\n", fmt::join(words, " "));
    return 0;
  }
  execvp(words.front().c_str(), pointers_to(words).data());
  throw Error(Fault::argument, fmt::format("{}: {}", words.front(), std::strerror(errno)));
}

}  // namespace

void add_run_command(CLI::App &app, Action &action) {
  CLI::App *command = app.add_subcommand(
      "run", "Run an unchanged program with Rondo in its all-to-all calls: rondo run -n N PROGRAM ARGUMENTS...");
  auto options = std::make_shared<RunOptions>();
  command->add_option("-n,--ranks", options->ranks, "The number of ranks")
      ->required()
      ->type_name("N")
      ->check(CLI::Range(1, 1000000).description(""));
  command->add_option("--launcher", options->launcher, "What starts the ranks, with its own options")
      ->type_name("COMMAND")
      ->capture_default_str();
  command
      ->add_option("--report", options->report,
                   "Tell at the end what was taken over: 1, saved, waits, json:FILE, or several with commas")
      ->type_name("WORDS");
  command->add_flag("--print", options->prints_only, "Print the command instead of running it");
  // Nothing that follows the program's name is for this command.
  command->prefix_command();
  command->footer("Example: rondo run -n 8 --report saved ./program input");
  command->callback([=, &action] {
    options->program = command->remaining();
    if (options->program.empty()) throw CLI::RequiredError("PROGRAM");
    if (options->program.front().starts_with('-')) throw CLI::ExtrasError("run", {options->program.front()});
    action = [options] { return run_with_interposer(*options); };
  });
}

}  // namespace rondo::internal::cli
