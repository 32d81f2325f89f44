#include "wire/machine.hpp"

#include <mpi.h>
#include <unistd.h>

#include <algorithm>
#include <fstream>
#include <string>

namespace rondo::internal {

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

std::string mpi_library() {
  char name[MPI_MAX_LIBRARY_VERSION_STRING] = {};
  int length = 0;
  MPI_Get_library_version(name, &length);
  // MPICH says "MPICH Version:\t4.0.2" and goes on with its configuration, Open MPI "Open MPI v4.1.4, package ..."
  const std::string text(name, static_cast<std::size_t>(length));
  const std::string line = text.substr(0, text.find_first_of("\n,"));
  const auto word = line.find(" Version:\t");
  return word == std::string::npos ? line : line.substr(0, word) + " " + line.substr(word + 10);
}

}  // namespace rondo::internal
