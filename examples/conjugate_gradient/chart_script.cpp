// SPDX-License-Identifier: BSD-3-Clause
#include "chart.hpp"

#include <algorithm>
#include <array>
#include <sstream>

#include "shared/gnuplot.hpp"
#include "shared/readable.hpp"

namespace cg {
namespace {

// Each has a colour of its own, and Rondo's, the last, is the one that stands out.
constexpr std::array<const char *, 4> kColours = {"#8a94a0", "#3f6fa8", "#7b519d", "#2a8f7f"};
constexpr const char *kRondosColour = "#d9622b";

const char *colour(const Chart &chart, std::size_t cost) {
  return cost + 1 == chart.costs.size() ? kRondosColour : kColours[cost % kColours.size()];
}

// The name under a bar, which is narrow: at most two lines, the first of which ends with an underscore.
std::string under_bar(const std::string &name) {
  constexpr std::size_t most = 14;
  const std::size_t end = name.size() > most ? name.rfind('_', most) : std::string::npos;
  if (end == std::string::npos) return example::quoted(name);
  return example::quoted(name.substr(0, end + 1)) + " . \"\\n\" . " + example::quoted(name.substr(end + 1));
}

void write_head(std::ostream &script, const Chart &chart, const std::string &path) {
  script << "set terminal svg size 1120,500 font 'sans-serif,13' background '#ffffff' noenhanced\n"
         << "set output " << example::quoted(path) << "\nset encoding utf8\nset multiplot\n"
         << "set border 3\nset tics nomirror\nset grid y linecolor '#dddddd'\nset tmargin screen 0.78\n"
         << "set bmargin screen 0.14\nset label 1 " << example::quoted(chart.title)
         << " at screen 0.5,0.955 center font ',18'\n"
         << "set label 2 " << example::quoted(chart.subtitle) << " at screen 0.5,0.895 center textcolor '#555555'\n";
}

// One bar, with its value over it.
void write_bar(std::ostream &script, std::ostream &plot, const Chart &chart, std::size_t place,
               const example::Unit &unit) {
  const double seconds = chart.costs[place].exchange_seconds;
  const auto height = example::number(seconds / unit.seconds);
  script << "set label " << 10 + place << " " << example::quoted(example::readable(seconds)) << " at " << place << ","
         << height << " center offset 0,0.7\n";
  plot << (place > 0 ? ", " : "") << "'+' using (" << place << "):(" << height
       << "):(0.6) every ::0::0 with boxes linecolor '" << colour(chart, place) << "'";
}

void write_bars(std::ostream &script, const Chart &chart) {
  // Not quite 0, which a coarse clock may give, because gnuplot takes no empty range.
  double most = 1e-9;
  for (const Cost &cost : chart.costs) most = std::max(most, cost.exchange_seconds);
  const example::Unit unit = example::unit_for(most);
  script << "set lmargin screen 0.065\nset rmargin screen 0.43\nunset key\nset style fill solid\n"
         << "set samples 2\nset title 'Time of one exchange'\nset ylabel " << example::quoted(unit.name) << "\n"
         << "set xrange [-0.6:" << chart.costs.size()
         << "-0.4]\nset yrange [0:" << example::number(1.15 * most / unit.seconds) << "]\nset xtics scale 0 (";
  std::ostringstream plot;
  for (std::size_t place = 0; place < chart.costs.size(); ++place)
    script << (place > 0 ? ", " : "") << under_bar(chart.costs[place].name) << " " << place;
  script << ")\n";
  for (std::size_t place = 0; place < chart.costs.size(); ++place) write_bar(script, plot, chart, place, unit);
  script << "plot " << plot.str() << "\nunset label\nunset title\n";
}

// Far enough to see both sides of the last crossing, and the whole solve if that leaves the crossing visible.
double last_exchange(const Chart &chart) {
  double crossing = 0;
  for (std::size_t i = 0; i + 1 < chart.costs.size(); ++i)
    crossing = std::max(crossing, static_cast<double>(break_even(chart.costs.back(), chart.costs[i]).value_or(0)));
  const double made = chart.exchanges_made;
  return crossing > 1 ? std::clamp(made, 2 * crossing, 6 * crossing) : made;
}

std::string point(double exchanges, double height) {
  return "'+' using (" + example::number(exchanges) + "):(" + example::number(height) +
         ") every ::0::0 with points pointsize 1.2 ";
}

std::string crossings(const Chart &chart, const example::Unit &unit) {
  const Cost &rondo = chart.costs.back();
  std::string plot;
  for (std::size_t i = 0; i + 1 < chart.costs.size(); ++i) {
    const auto exchanges = break_even(rondo, chart.costs[i]);
    const auto against = " against " + chart.costs[i].name;
    const auto at = static_cast<double>(exchanges.value_or(0));
    if (!exchanges)
      plot += ", NaN linecolor '#ffffff' title " + example::quoted("init not paid for" + against);
    else
      plot += ", " + point(at, total_seconds(rondo, at) / unit.seconds) + "pointtype 7 linecolor '" + colour(chart, i) +
              "' title " + example::quoted("paid for after " + std::to_string(*exchanges) + against);
  }
  return plot;
}

// Where the solve ended, if that is in sight.
std::string end_of_solve(const Chart &chart, double end, std::ostream &script) {
  const auto made = std::to_string(chart.exchanges_made);
  if (chart.exchanges_made > end) return {};
  script << "set arrow from " << made << ", graph 0 to " << made
         << ", graph 0.6 nohead dashtype 2 linecolor '#555555'\n";
  return ", NaN dashtype 2 linecolor '#555555' title " + example::quoted("this solve: " + made + " exchanges");
}

void write_curves(std::ostream &script, const Chart &chart) {
  const double end = last_exchange(chart);
  double most = 1e-9;
  for (const Cost &cost : chart.costs) most = std::max(most, total_seconds(cost, end));
  const example::Unit unit = example::unit_for(most);
  script << "set lmargin screen 0.53\nset rmargin screen 0.97\nset key top left reverse Left samplen 2\n"
         << "set title 'Time of all exchanges, init included'\nset xlabel 'exchanges'\nset ylabel "
         << example::quoted(unit.name) << "\nset samples 2\nset xtics autofreq scale 1\nset format x '"
         << (end < 1e7 ? "%.0f" : "%g") << "'\nset xrange [0:" << example::number(end)
         << "]\nset yrange [0:" << example::number(1.6 * most / unit.seconds) << "]\n";
  std::string plot = "plot ";
  for (std::size_t i = 0; i < chart.costs.size(); ++i) {
    const Cost &cost = chart.costs[i];
    plot += (i ? ", " : "") + example::number(cost.init_seconds / unit.seconds) + " + x * " +
            example::number(cost.exchange_seconds / unit.seconds) + " linewidth 2.5 linecolor '" + colour(chart, i) +
            "' title " + example::quoted(cost.name);
  }
  plot += crossings(chart, unit) + end_of_solve(chart, end, script);
  script << plot << "\nunset multiplot\nset output\n";
}

}  // namespace

std::string gnuplot_script(const Chart &chart, const std::string &path) {
  std::ostringstream script;
  write_head(script, chart, path);
  write_bars(script, chart);
  write_curves(script, chart);
  return script.str();
}

}  // namespace cg
