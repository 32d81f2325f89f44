// SPDX-License-Identifier: BSD-3-Clause
#include "relations/report.hpp"

#include <algorithm>
#include <array>
#include <cstdio>

#include "shared/readable.hpp"

namespace relations {
namespace {

constexpr std::size_t kMostRows = 40;

template <class... Values>
std::string formatted(const char *format, Values... values) {
  std::array<char, 256> text{};
  std::snprintf(text.data(), text.size(), format, values...);
  return text.data();
}

void print_figures(std::ostream &out, const Report &report) {
  for (const auto &[name, value] : report.figures.items())
    out << formatted("%-22s ", name.c_str()) << (value.is_string() ? value.get<std::string>() : value.dump()) << "\n";
}

void print_rounds(std::ostream &out, const std::vector<Evaluation> &shown) {
  out << "\n round     new tuples    bytes moved";
  for (const Evaluation &evaluation : shown) out << formatted("%14s", name_of(evaluation.kind).c_str());
  out << "\n";
  const auto &rounds = shown.front().rounds;
  const std::size_t stride = (rounds.size() + kMostRows - 1) / kMostRows;
  for (std::size_t i = 0; i < rounds.size(); i += stride) {
    out << formatted("%6zu %14lld %14lld", i + 1, rounds[i].tuples, rounds[i].bytes);
    for (const Evaluation &evaluation : shown)
      out << formatted("%14s", example::readable(evaluation.rounds[i].exchange_seconds).c_str());
    out << "\n";
  }
  if (stride > 1) out << "(every " << stride << "th round is shown, of " << rounds.size() << ")\n";
}

void print_comparison(std::ostream &out, const std::vector<Evaluation> &shown) {
  const auto &base = shown.front();
  const auto in_exchanges = [](const Evaluation &evaluation) { return total(evaluation.rounds).exchange_seconds; };
  out << "\n             whole   in exchanges    share   without waiting\n";
  for (const Evaluation &evaluation : shown) {
    const double seconds = in_exchanges(evaluation);
    out << formatted("%-8s %9s   %12s   %5.1f%%   %15s", name_of(evaluation.kind).c_str(),
                     example::readable(evaluation.seconds).c_str(), example::readable(seconds).c_str(),
                     100 * seconds / evaluation.seconds,
                     example::readable(total(evaluation.rounds).least_seconds).c_str());
    if (&evaluation != &base)
      out << formatted("   (whole %.2f x %s, exchanges %.2f x)", evaluation.seconds / base.seconds,
                       name_of(base.kind).c_str(), seconds / in_exchanges(base));
    out << "\n";
  }
}

}  // namespace

std::vector<Evaluation> medians(const Report &report) {
  std::vector<Evaluation> result;
  for (const auto kind : {ExchangeKind::mpi, ExchangeKind::rondo}) {
    std::vector<Evaluation> own;
    for (const Evaluation &evaluation : report.evaluations)
      if (evaluation.kind == kind) own.push_back(evaluation);
    if (own.empty()) continue;
    const auto middle = own.begin() + static_cast<std::ptrdiff_t>(own.size() / 2);
    std::nth_element(own.begin(), middle, own.end(),
                     [](const Evaluation &a, const Evaluation &b) { return a.seconds < b.seconds; });
    result.push_back(*middle);
  }
  return result;
}

void print(std::ostream &out, const Report &report) {
  const auto shown = medians(report);
  print_figures(out, report);
  print_rounds(out, shown);
  print_comparison(out, shown);
}

}  // namespace relations
