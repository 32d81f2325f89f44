#include "cli/machine.hpp"

#include <unistd.h>

#include <algorithm>
#include <fstream>
#include <string>

namespace rondo::internal::cli {

Machine this_machine() {
  Machine machine{"unknown", 1};
  std::ifstream info("/proc/cpuinfo");
  for (std::string line; std::getline(info, line);) {
    const auto colon = line.find(": ");
    if (!line.starts_with("model name") || colon == std::string::npos) continue;
    machine.processor = line.substr(colon + 2);
    break;
  }
  // Not the cores of this process alone: Open MPI binds each rank to one.
  machine.cores = static_cast<unsigned>(std::max(1L, sysconf(_SC_NPROCESSORS_ONLN)));
  return machine;
}

}  // namespace rondo::internal::cli
