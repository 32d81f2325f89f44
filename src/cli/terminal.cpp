#include "cli/terminal.hpp"

#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <filesystem>
#include <fstream>
#include <string>

namespace rondo::internal::cli {

namespace {

// A process as /proc tells of it.
struct Process {
  std::string name;
  int parent = 0;  // 0 where there is none, or nothing is told
};

Process process(int id) {
  Process found;
  std::ifstream status(fmt::format("/proc/{}/status", id));
  for (std::string line; std::getline(status, line);) {
    if (line.starts_with("Name:\t")) found.name = line.substr(6);
    if (line.starts_with("PPid:\t")) found.parent = std::atoi(line.c_str() + 6);
  }
  return found;
}

bool is_launcher(const std::string &name) {
  constexpr std::array<std::string_view, 5> beginnings{"mpiexec", "mpirun", "orterun", "prterun", "srun"};
  return std::any_of(beginnings.begin(), beginnings.end(), [&](std::string_view b) { return name.starts_with(b); });
}

bool writes_errors_to_a_terminal(int id) {
  std::error_code fault;
  const std::string target = std::filesystem::read_symlink(fmt::format("/proc/{}/fd/2", id), fault).string();
  return !fault && (target.starts_with("/dev/pts/") || target.starts_with("/dev/tty"));
}

}  // namespace

bool errors_reach_a_terminal() {
  if (isatty(STDERR_FILENO) != 0) return true;
  struct stat errors{};
  if (fstat(STDERR_FILENO, &errors) != 0 || !(S_ISFIFO(errors.st_mode) || S_ISSOCK(errors.st_mode))) return false;
  // Between a rank and its launcher there may be the launcher's helper, a shell, and what measures or wraps programs.
  constexpr int most_between = 6;
  int id = getppid();
  for (int i = 0; i < most_between && id > 1; ++i) {
    const Process ancestor = process(id);
    if (is_launcher(ancestor.name)) return writes_errors_to_a_terminal(id);
    id = ancestor.parent;
  }
  return false;
}

}  // namespace rondo::internal::cli
