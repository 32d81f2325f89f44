#pragma once

#include <cstdint>
#include <map>
#include <set>
#include <string>
#include <utility>
#include <vector>

namespace rondo::internal::cli {

// A table of one figure of each run and block size, as text and in colours.
struct HeatMap {
  struct Cell {
    double value = 0;  // which has a colour
    std::string text;
  };

  std::string title{};
  std::string colours{};  // gnuplot's commands: the palette and what is said beside it
  std::vector<std::string> rows{};
  std::set<std::int64_t> columns{};  // bytes
  std::map<std::pair<std::string, std::int64_t>, Cell> cells{};

  void add(const std::string &row, std::int64_t column, Cell cell);

  // How many letters the longest text has, at least so many.
  [[nodiscard]] std::size_t widest(std::size_t at_least) const;
};

void print(const HeatMap &map);

// Gnuplot's commands, which write an SVG to the path.
std::string heat_map_script(const HeatMap &map, const std::string &path);

}  // namespace rondo::internal::cli
