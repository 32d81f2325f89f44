#include "cli/heat_map.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "cli/plot.hpp"

namespace rondo::internal::cli {

void HeatMap::add(const std::string &row, std::int64_t column, Cell cell) {
  if (std::find(rows.begin(), rows.end(), row) == rows.end()) rows.push_back(row);
  columns.insert(column);
  cells[{row, column}] = std::move(cell);
}

std::size_t HeatMap::widest(std::size_t at_least) const {
  std::size_t width = at_least;
  for (const auto &[place, cell] : cells) width = std::max(width, cell.text.size());
  return width;
}

void print(const HeatMap &map) {
  std::size_t width = 0;
  for (const std::string &row : map.rows) width = std::max(width, row.size());
  const std::size_t column_width = map.widest(8);
  fmt::print("{}; columns: bytes of the largest block\n\n{:<{}}", map.title, "", width);
  for (const std::int64_t bytes : map.columns) fmt::print(" {:>{}}", bytes, column_width);
  fmt::print("\n");
  for (const std::string &row : map.rows) {
    fmt::print("{:<{}}", row, width);
    for (const std::int64_t bytes : map.columns) {
      const auto cell = map.cells.find({row, bytes});
      fmt::print(" {:>{}}", cell == map.cells.end() ? "" : cell->second.text, column_width);
    }
    fmt::print("\n");
  }
}

std::string heat_map_script(const HeatMap &map, const std::string &path) {
  std::string values = "$values << END\n-";
  std::string texts = "$texts << END\n";
  for (const std::int64_t bytes : map.columns) values += fmt::format(" {}", bytes);
  for (std::size_t y = 0; y < map.rows.size(); ++y) {
    values += fmt::format("\n\"{}\"", map.rows[y]);
    std::size_t x = 0;
    for (const std::int64_t bytes : map.columns) {
      const auto cell = map.cells.find({map.rows[y], bytes});
      const bool missing = cell == map.cells.end();
      values += missing ? std::string(" NaN") : fmt::format(" {:.2f}", cell->second.value);
      if (!missing) texts += fmt::format("{} {} \"{}\"\n", x, y, cell->second.text);
      ++x;
    }
  }
  const std::size_t column_width = std::max<std::size_t>(70, 8 * map.widest(0) + 12);  // pixels
  return values + "\nEND\n" + texts +
         fmt::format(
             "END\n"
             "set terminal svg noenhanced size {},{} font 'DejaVu Sans,12' background rgb 'white'\n"
             "set output {}\n"
             "set title {}\n"
             "set xlabel 'largest block (bytes)'\n"
             "{}"
             "set yrange [*:*] reverse\nset tics scale 0\n"
             "plot $values matrix rowheaders columnheaders with image pixels notitle, "
             "$texts using 1:2:3 with labels notitle\n",
             420 + column_width * map.columns.size(), 160 + 20 * map.rows.size(), quoted(path), quoted(map.title),
             map.colours);
}

}  // namespace rondo::internal::cli
