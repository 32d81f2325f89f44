#include "cli/paper_model.hpp"

#include <fmt/format.h>

#include <nlohmann/json.hpp>
#include <string>
#include <string_view>

#include "cli/usage_error.hpp"

namespace rondo::internal::cli {

void print_fan2022(const Problem &problem, std::int64_t largest_block, const Fan2022Prices &prices, bool as_json) {
  if (problem.ranks < 2) throw UsageError("--model fan2022 is for two ranks or more");
  const int ranks = problem.ranks;
  const double padded = fan2022_padded_bruck(ranks, largest_block, prices);
  const double two_phase = fan2022_two_phase_bruck(ranks, largest_block, prices);
  const std::string_view ahead = padded < two_phase ? "padded_bruck" : "two_phase_bruck";
  const std::string_view measured = fan2022_measured(ranks, largest_block);
  if (as_json) {
    const nlohmann::ordered_json json = {{"problem", to_string(problem)},
                                         {"ranks", ranks},
                                         {"largest_block", largest_block},
                                         {"latency", prices.latency},
                                         {"byte", prices.byte},
                                         {"padded_bruck", padded},
                                         {"two_phase_bruck", two_phase},
                                         {"ahead", ahead},
                                         {"most_padded", fan2022_most_padded(ranks, prices)},
                                         {"fastest_on_theta", measured},
                                         {"most_padded_on_theta", fan2022_most_padded_measured(ranks)},
                                         {"most_two_phase_on_theta", fan2022_most_two_phase_measured(ranks)}};
    fmt::print("{}\n", json.dump(2));
    return;
  }
  constexpr double micro = 1e6;
  const auto line = [&](std::string_view name, double seconds, std::string_view source) {
    fmt::print("{:<18} {:>12.2f} us  {}{}\n", name, seconds * micro, source, name == ahead ? ", ahead" : "");
  };
  fmt::print("{}\nFan 2022 for blocks of 0 to {} bytes, a message of n bytes in {:.3g} us + n * {:.3g} ns:\n\n",
             to_string(problem), largest_block, prices.latency * micro, prices.byte * 1e9);
  line("padded_bruck", padded, "equation 1");
  line("two_phase_bruck", two_phase, "equation 2");
  fmt::print("\npadded_bruck is ahead up to {:.1f} bytes (inequality 3)\n", fan2022_most_padded(ranks, prices));
  fmt::print("the fastest on Theta (figure 9): {}; padded_bruck up to {:.0f} bytes, two_phase_bruck up to {:.0f}\n",
             measured == "native" ? "MPI_Alltoallv" : measured, fan2022_most_padded_measured(ranks),
             fan2022_most_two_phase_measured(ranks));
}

}  // namespace rondo::internal::cli
