#pragma once

#include <span>
#include <string>
#include <vector>

namespace rondo::internal::cli {

// What each bar consists of, in order.
struct BarPart {
  const char *colour;
  std::string what;
};

struct Bar {
  std::string name;
  std::vector<double> parts;
};

// Gnuplot's commands for lying bars, the first at the top, each of its parts one after the other.
std::string bars_script(const std::string &title, const std::string &unit, std::span<const BarPart> parts,
                        std::span<const Bar> bars, const std::string &path);

}  // namespace rondo::internal::cli
