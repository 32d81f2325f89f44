#pragma once

#include <fstream>
#include <string>

namespace rondo {

// Bytes of the memory files of Rondo's that this process has mapped.
inline long shared_bytes() {
  std::ifstream maps("/proc/self/maps");
  long bytes = 0;
  for (std::string line; std::getline(maps, line);) {
    if (line.find("memfd:rondo") == std::string::npos) continue;
    const std::size_t dash = line.find('-');
    bytes += std::stol(line.substr(dash + 1), nullptr, 16) - std::stol(line.substr(0, dash), nullptr, 16);
  }
  return bytes;
}

}  // namespace rondo
