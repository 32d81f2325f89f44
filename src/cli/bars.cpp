#include "cli/bars.hpp"

#include <fmt/format.h>

#include "cli/plot.hpp"

namespace rondo::internal::cli {

std::string bars_script(const std::string &title, const std::string &unit, std::span<const BarPart> parts,
                        std::span<const Bar> bars, const std::string &path) {
  std::string text = "$parts << END\n";
  for (const Bar &bar : bars) {
    text += fmt::format("\"{}\"", bar.name);
    double until = 0;
    for (const double part : bar.parts) {
      text += fmt::format(" {} {}", until, until + part);
      until += part;
    }
    text += "\n";
  }
  std::string plots;
  for (std::size_t i = 0; i < parts.size(); ++i) {
    plots += fmt::format("{}$parts using {}:0:{}:{}:($0-0.35):($0+0.35):ytic(1) with boxxyerror fc rgb '{}' title {}",
                         i == 0 ? "" : ", ", 2 * i + 3, 2 * i + 2, 2 * i + 3, parts[i].colour, quoted(parts[i].what));
  }
  return text + fmt::format(
                    "END\n"
                    "set terminal svg noenhanced size 1100,{} font 'DejaVu Sans,12' background rgb 'white'\n"
                    "set output {}\n"
                    "set title {}\n"
                    "set xlabel {}\nset xrange [0:*]\n"
                    "set yrange [{}:-1]\nset tics scale 0\nset grid x lc rgb '#dddddd'\n"
                    "set style fill solid noborder\nset key outside below reverse Left\n"
                    "plot {}\n",
                    200 + 20 * bars.size(), quoted(path), quoted(title), quoted(unit), bars.size(), plots);
}

}  // namespace rondo::internal::cli
