#include "cli/overlap_table.hpp"

#include <fmt/format.h>

#include "cli/figure.hpp"

namespace rondo::cli {

namespace {

std::string row(const Overlap &overlap) {
  if (!overlap.refused.empty()) return fmt::format("  {:<34} left out: {}\n", overlap.spec.label(), overlap.refused);
  return fmt::format("  {:<34} {:>9} {:>9} {:>11} {:>9.0f}% {:>11} {:>9.0f}%\n", overlap.spec.label(),
                     figure(overlap.alone), figure(overlap.work), figure(overlap.costs()),
                     overlap.overlapped(overlap.costs()), figure(overlap.costs_tested()),
                     overlap.overlapped(overlap.costs_tested()));
}

}  // namespace

std::string overlap_table(std::int64_t bytes, const Between &between, std::span<const Overlap> results) {
  std::string text = fmt::format("blocks of {} bytes: slowest rank, medians, microseconds for an exchange\n", bytes) +
                     fmt::format("  {:<34} {:>9} {:>9} {:>22} {:>22}\n", "", "", "", "without tests",
                                 fmt::format("{} tests", between.tests)) +
                     fmt::format("  {:<34} {:>9} {:>9} {:>11} {:>10} {:>11} {:>10}\n", "", "alone", "work", "costs",
                                 "overlap", "costs", "overlap");
  for (const Overlap &overlap : results) text += row(overlap);
  return text +
         "  alone: start and wait; costs: start, work and wait, less the work alone; overlap: 1 - costs / alone\n";
}

}  // namespace rondo::cli
