#include "cli/overlap_table.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "cli/figure.hpp"

namespace rondo::internal::cli {

namespace {

// The cost, its quartiles, and how much of the exchange has been overlapped.
std::string columns(const Overlap &overlap, const Quantiles &costs) {
  const auto percent = overlap.overlapped(costs);
  return fmt::format(" {:>9} {:>17} {:>8}", figure(std::max(0.0, costs.median)),
                     fmt::format("{}..{}", figure(costs.lower), figure(costs.upper)),
                     percent ? fmt::format("{:.0f}%", *percent) : "noise");
}

std::string row(const Overlap &overlap) {
  if (!overlap.refused.empty()) return fmt::format("  {:<34} left out: {}\n", overlap.spec.label(), overlap.refused);
  return fmt::format("  {:<34} {:>9} {:>9}{}{}\n", overlap.spec.label(), figure(overlap.alone), figure(overlap.work),
                     columns(overlap, overlap.costs), columns(overlap, overlap.costs_tested));
}

bool is_noise(const Overlap &overlap) {
  return overlap.refused.empty() && !(overlap.overlapped(overlap.costs) && overlap.overlapped(overlap.costs_tested));
}

}  // namespace

std::string overlap_table(std::int64_t bytes, const Between &between, std::span<const Overlap> results) {
  const std::string head = fmt::format(" {:>9} {:>17} {:>8}", "costs", "25%..75%", "overlap");
  std::string text = fmt::format("blocks of {} bytes: slowest rank, medians, microseconds for an exchange\n", bytes) +
                     fmt::format("  {:<34} {:>9} {:>9} {:>36} {:>36}\n", "", "", "", "without tests",
                                 fmt::format("{} tests", between.tests)) +
                     fmt::format("  {:<34} {:>9} {:>9}{}{}\n", "", "alone", "work", head, head);
  for (const Overlap &overlap : results) text += row(overlap);
  text += "  alone: start and wait; costs: start, work and wait, less the work alone; overlap: 1 - costs / alone\n";
  if (std::any_of(results.begin(), results.end(), is_noise)) {
    text +=
        "  noise: less than can be measured here: fewer than three samples, quartiles of costs further apart than half "
        "of "
        "alone, or costs far below nothing\n";
  }
  return text;
}

}  // namespace rondo::internal::cli
