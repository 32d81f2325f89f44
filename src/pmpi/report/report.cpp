#include "pmpi/report/report.hpp"

#include <dlfcn.h>
#include <fmt/format.h>
#include <mpi.h>

#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <cstring>
#include <map>
#include <memory>
#include <nlohmann/json.hpp>
#include <numeric>
#include <optional>
#include <string_view>
#include <type_traits>
#include <utility>

#include "rondo/rondo.h"

namespace rondo::internal::pmpi {

namespace {

// The function and the place in it, or, of one that is not exported, the file and the place that addr2line takes.
std::string text_of(const void *site) {
  Dl_info info{};
  if (dladdr(site, &info) == 0) return fmt::format("{}", site);
  const bool named = info.dli_sname != nullptr;
  const auto *base = static_cast<const char *>(named ? info.dli_saddr : info.dli_fbase);
  std::string_view name = named ? info.dli_sname : info.dli_fname;
  if (!named) name.remove_prefix(name.find_last_of('/') + 1);
  return fmt::format("{}+{:#x}", name, static_cast<const char *>(site) - base);
}

// Rows of one kind and place become one, of whichever of the lists; combine(sum, row) adds a further one to it.
template <class Combine>
std::vector<ReportRow> join(const std::vector<std::vector<ReportRow>> &lists, Combine &&combine) {
  std::map<std::pair<std::string, Call>, ReportRow> sums;
  for (const std::vector<ReportRow> &rows : lists) {
    for (const ReportRow &row : rows) {
      const auto [found, fresh] = sums.try_emplace({row.site, row.call}, row);
      if (!fresh) combine(found->second, row);
    }
  }
  std::vector<ReportRow> all;
  for (const auto &[key, row] : sums) all.push_back(row);
  return all;
}

// What makes a rank slower than another: the time in calls that it makes with others, and only then the rest.
std::pair<double, double> slowness(const Tally &sum) {
  return {sum.seconds() - sum.done[index_of(Done::not_served)].seconds, sum.seconds()};
}

// Of two ranks' sums of the same calls, as a report has them.
void take_slower(Tally &slowest, const Tally &other) {
  const std::int64_t bytes = slowest.bytes + other.bytes;
  const Counted waits = slowest.waits.seconds < other.waits.seconds ? other.waits : slowest.waits;
  if (slowness(slowest) < slowness(other)) slowest = other;
  slowest.bytes = bytes;
  slowest.waits = waits;
}

// The rows of each rank, on rank 0.
std::vector<std::vector<ReportRow>> gather(const std::vector<ReportRow> &own) {
  static_assert(std::is_trivially_copyable_v<ReportRow>);
  int rank = 0;
  int ranks = 0;
  PMPI_Comm_rank(MPI_COMM_WORLD, &rank);
  PMPI_Comm_size(MPI_COMM_WORLD, &ranks);
  const int bytes = static_cast<int>(own.size() * sizeof(ReportRow));
  std::vector<int> counts(ranks);
  PMPI_Gather(&bytes, 1, MPI_INT, counts.data(), 1, MPI_INT, 0, MPI_COMM_WORLD);
  std::vector<int> displs(counts.size());
  std::exclusive_scan(counts.begin(), counts.end(), displs.begin(), 0);
  std::vector<ReportRow> all(static_cast<std::size_t>(displs.back() + counts.back()) / sizeof(ReportRow));
  PMPI_Gatherv(own.data(), bytes, MPI_BYTE, all.data(), counts.data(), displs.data(), MPI_BYTE, 0, MPI_COMM_WORLD);
  std::vector<std::vector<ReportRow>> of_ranks;
  auto next = all.begin();
  for (const int count : counts) {
    const auto end = next + static_cast<std::ptrdiff_t>(static_cast<std::size_t>(count) / sizeof(ReportRow));
    of_ranks.emplace_back(next, end);
    next = end;
  }
  return of_ranks;
}

std::string microseconds(const Counted &counted) {
  if (counted.calls == 0) return "-";
  return fmt::format("{:.2f}", counted.seconds / static_cast<double>(counted.calls) * 1e6);
}

std::string_view words_for(Done done) {
  switch (done) {
    case Done::by_rondo: break;
    case Done::too_early: return "too early";
    case Done::must_not_wait: return "does not wait";
    case Done::not_served: return "communicator";
    case Done::topology: return "topology";
    case Done::no_gain: return "no gain";
    case Done::refused: return "refused";
    case Done::bad_arguments: return "bad arguments";
    case Done::sample: return "sample";
    case Done::stray_thread: return "stray thread";
  }
  return "";
}

// For what most of the calls have been left to the MPI library.
std::string_view most_frequent_reason(const Tally &sum) {
  const auto most = std::max_element(sum.done.begin() + 1, sum.done.end(),
                                     [](const Counted &a, const Counted &b) { return a.calls < b.calls; });
  return most->calls == 0 ? "" : words_for(static_cast<Done>(most - sum.done.begin()));
}

std::string total_text(const Tally &all) {
  const Counted &by_rondo = all.done.front();
  const Counted left = all.left();
  return fmt::format(
      "[rondo] in all {:.6f} s in {} calls, {:.6f} s in {} set-ups, {:.6f} s in {} calls of the MPI library's\n",
      by_rondo.seconds, by_rondo.calls, all.set_up.seconds, all.set_up.calls, left.seconds, left.calls);
}

nlohmann::ordered_json json_of(const Counted &counted) {
  return {{"calls", counted.calls}, {"seconds", counted.seconds}};
}

// Adds what has been counted.
void add(nlohmann::ordered_json &json, const Tally &sum) {
  json["bytes"] = sum.bytes;
  json["by_rondo"] = json_of(sum.done.front());
  json["set_up"] = json_of(sum.set_up);
  json["left_to_mpi"] = nlohmann::ordered_json::object();
  for (std::size_t i = 1; i < sum.done.size(); ++i) {
    if (sum.done[i].calls > 0) json["left_to_mpi"][std::string(done_names[i])] = json_of(sum.done[i]);
  }
  if (sum.waits.calls > 0) json["waited_seconds"] = sum.waits.seconds;
}

void write(const std::string &file, const std::string &text) {
  const std::unique_ptr<std::FILE, int (*)(std::FILE *)> to(std::fopen(file.c_str(), "w"), std::fclose);
  const bool written =
      to && std::fwrite(text.data(), 1, text.size(), to.get()) == text.size() && std::fflush(to.get()) == 0;
  if (!written) std::fprintf(stderr, "[rondo] RONDO_REPORT: %s: %s\n", file.c_str(), std::strerror(errno));
}

}  // namespace

std::vector<ReportRow> rows_of_rank() {
  std::vector<ReportRow> rows;
  Tallies::for_each([&](const Tallies &tallies) {
    for (const Tally &tally : tallies.all()) {
      ReportRow &row = rows.emplace_back();
      row.call = tally.call;
      std::strncpy(row.site, text_of(tally.site).c_str(), sizeof(row.site) - 1);
      row.communicators = 1;
      row.sum = tally;
    }
  });
  return join({rows}, [](ReportRow &sum, const ReportRow &row) {
    sum.communicators += row.communicators;
    sum.sum.add(row.sum);
  });
}

Report report_of(const std::vector<std::vector<ReportRow>> &ranks) {
  Report report;
  report.ranks = static_cast<int>(ranks.size());
  for (const std::vector<ReportRow> &rows : ranks) {
    Tally of_rank;
    for (const ReportRow &row : rows) of_rank.add(row.sum);
    take_slower(report.in_all, of_rank);
  }
  report.rows = join(ranks, [](ReportRow &sum, const ReportRow &row) {
    sum.communicators = std::max(sum.communicators, row.communicators);
    take_slower(sum.sum, row.sum);
  });
  std::stable_sort(report.rows.begin(), report.rows.end(),
                   [](const ReportRow &a, const ReportRow &b) { return a.sum.seconds() > b.sum.seconds(); });
  return report;
}

std::string table_of(const Report &report, const ReportWish &wish) {
  std::string text = fmt::format(
      "[rondo] {:<19} {:<28} {:>5} | {:>9} {:>13} {:>10} {:>9} | {:>7} {:>10} | {:>7} {:>10} {:>9} {:<13}{}{}\n",
      "call", "called at", "comms", "calls", "bytes", "seconds", "us/call", "set-ups", "seconds", "MPI's", "seconds",
      "us/call", "why", wish.samples ? fmt::format(" | {:>10}", "saved, s") : "",
      wish.waits ? fmt::format(" | {:>10}", "waited, s") : "");
  for (const ReportRow &row : report.rows) {
    const Counted &by_rondo = row.sum.done.front();
    const Counted left = row.sum.left();
    text += fmt::format(
        "[rondo] {:<19} {:<28} {:>5} | {:>9} {:>13} {:>10.6f} {:>9} | {:>7} {:>10.6f} | {:>7} {:>10.6f} {:>9} {:<13}",
        name_of(row.call), row.site, row.communicators, by_rondo.calls, row.sum.bytes, by_rondo.seconds,
        microseconds(by_rondo), row.sum.set_up.calls, row.sum.set_up.seconds, left.calls, left.seconds,
        microseconds(left), most_frequent_reason(row.sum));
    const std::optional<double> saved = row.sum.saved();
    if (wish.samples) text += saved ? fmt::format(" | {:>10.6f}", *saved) : fmt::format(" | {:>10}", "-");
    if (wish.waits) text += fmt::format(" | {:>10.6f}", row.sum.waits.seconds);
    text += '\n';
  }
  return text + total_text(report.in_all);
}

std::string json_of(const Report &report) {
  nlohmann::ordered_json json{{"rondo", RONDO_Version()}, {"ranks", report.ranks}};
  json["calls"] = nlohmann::ordered_json::array();
  for (const ReportRow &row : report.rows) {
    nlohmann::ordered_json one{
        {"call", name_of(row.call)}, {"called_at", row.site}, {"communicators", row.communicators}};
    add(one, row.sum);
    if (const std::optional<double> saved = row.sum.saved()) one["saved_seconds"] = *saved;
    json["calls"].push_back(std::move(one));
  }
  json["in_all"] = nlohmann::ordered_json::object();
  add(json["in_all"], report.in_all);
  return json.dump(2, ' ', false, nlohmann::ordered_json::error_handler_t::replace) + '\n';
}

void give_report() {
  const std::vector<std::vector<ReportRow>> of_ranks = gather(rows_of_rank());
  int rank = 0;
  PMPI_Comm_rank(MPI_COMM_WORLD, &rank);
  if (rank != 0) return;
  const Report report = report_of(of_ranks);
  const ReportWish &wish = settings().report;
  if (wish.table && !report.rows.empty()) std::fputs(table_of(report, wish).c_str(), stderr);
  if (!wish.file.empty()) write(wish.file, json_of(report));
}

}  // namespace rondo::internal::pmpi
