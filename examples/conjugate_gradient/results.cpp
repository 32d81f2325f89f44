// SPDX-License-Identifier: BSD-3-Clause
#include "results.hpp"

#include <array>
#include <cstdio>

#include "shared/readable.hpp"

namespace cg {
namespace {

template <class... Values>
std::string formatted(const char *format, Values... values) {
  std::array<char, 256> text{};
  std::snprintf(text.data(), text.size(), format, values...);
  return text.data();
}

std::string ratio(const Cost &cost, const Cost &base) {
  return formatted("%.2f x %s", cost.exchange_seconds / base.exchange_seconds, base.name.c_str());
}

std::string plan_in_words(const PlanTotals &plan) {
  std::string words = plan.algorithm;
  if (plan.radix > 0) words += ", radix " + std::to_string(plan.radix);
  if (plan.block_count > 0) words += ", block count " + std::to_string(plan.block_count);
  return words + formatted("; steps %d, messages %lld, bytes %lld (most from one rank: %lld)", plan.steps,
                           plan.messages, plan.bytes, plan.most_bytes);
}

std::string inits(const Cost &cost) {
  return example::readable(cost.init_seconds) + ", later ones " + example::readable(cost.later_init_seconds);
}

std::string after(long long exchanges) {
  return exchanges <= 1 ? "from the first exchange on" : "after " + std::to_string(exchanges) + " exchanges";
}

void print_pay_back(std::ostream &out, const Cost &rondo, const Cost &other) {
  const auto first = break_even(rondo, other);
  const auto next = break_even(later(rondo), later(other));
  out << "  against " << other.name;
  if (other.init_seconds > 0) out << " (its first init " << inits(other) << ")";
  if (first && next)
    out << ": paid for " << after(*first) << ", a later one " << after(*next) << "\n";
  else
    out << ": it does not pay for itself at this size\n";
}

}  // namespace

void print_solve(std::ostream &out, const Results &results) {
  out << "matrix      " << results.matrix << "\n"
      << "ranks       " << results.ranks << "\n"
      << "rows        " << results.rows << "\n"
      << "nonzeros    " << results.nonzeros << "\n"
      << "halo        " << results.halo_elements << " elements to receive, over all ranks\n"
      << "iterations  " << results.iterations << (results.converged ? "\n" : ", NOT CONVERGED\n")
      << formatted("residual    %.2e of the right-hand side (tolerance %.2e)\n", results.relative_residual,
                   results.tolerance)
      << formatted("error       %.2e, the largest distance from the solution, which is all ones\n", results.error);
}

void print_costs(std::ostream &out, const Results &results) {
  const auto &costs = results.costs;
  const Cost &rondo = costs.back();
  out << "\nOne halo exchange, slowest rank, median of " << results.repetitions << " interleaved repetitions:\n";
  for (std::size_t i = 0; i < costs.size(); ++i) {
    out << formatted("  %-28s %10s", costs[i].name.c_str(), example::readable(costs[i].exchange_seconds).c_str());
    for (std::size_t other = 0; other < i; ++other) out << "   " << ratio(costs[i], costs[other]);
    out << "\n";
  }
  if (costs.size() < 3) out << "  MPI's persistent calls are left out: this MPI library has none\n";
  out << "\nRondo's algorithm: " << plan_in_words(results.plan) << "\n"
      << "Its first init took " << inits(rondo) << ", on the slowest rank; this solve made "
      << exchanges_of_solve(results) << " exchanges\n";
  for (std::size_t other = 0; other + 1 < costs.size(); ++other) print_pay_back(out, rondo, costs[other]);
}

}  // namespace cg
