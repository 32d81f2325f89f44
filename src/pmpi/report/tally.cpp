#include "pmpi/report/tally.hpp"

#include <dlfcn.h>
#include <fmt/format.h>
#include <mpi.h>

#include <algorithm>
#include <cstdio>
#include <cstring>
#include <map>
#include <mutex>
#include <new>
#include <span>
#include <string_view>

namespace rondo::internal::pmpi {

namespace {

// A tally as it travels between ranks: what it is of is the same text on all ranks, unlike an address.
struct Line {
  char communicator[32];
  char site[64];
  Tally tally;
};

struct Kept {
  std::mutex mutex;
  std::vector<Line> lines;
};

Kept &kept() {
  static auto *const all = new Kept;
  return *all;
}

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

void copy_text(const std::string &text, std::span<char> to) {
  std::strncpy(to.data(), text.c_str(), to.size() - 1);
}

// All ranks' lines, on rank 0.
std::vector<Line> gather(const std::vector<Line> &own) {
  int rank = 0;
  int ranks = 0;
  PMPI_Comm_rank(MPI_COMM_WORLD, &rank);
  PMPI_Comm_size(MPI_COMM_WORLD, &ranks);
  const int bytes = static_cast<int>(own.size() * sizeof(Line));
  std::vector<int> counts(ranks);
  PMPI_Gather(&bytes, 1, MPI_INT, counts.data(), 1, MPI_INT, 0, MPI_COMM_WORLD);
  std::vector<int> displs(counts.size());
  int total = 0;
  for (std::size_t i = 0; i < counts.size(); ++i) {
    displs[i] = total;
    total += counts[i];
  }
  std::vector<Line> all(static_cast<std::size_t>(total) / sizeof(Line));
  PMPI_Gatherv(own.data(), bytes, MPI_BYTE, all.data(), counts.data(), displs.data(), MPI_BYTE, 0, MPI_COMM_WORLD);
  return all;
}

void add(Tally &sum, const Tally &of_rank) {
  sum.calls = std::max(sum.calls, of_rank.calls);
  sum.plans = std::max(sum.plans, of_rank.plans);
  sum.hits = std::max(sum.hits, of_rank.hits);
  sum.bytes += of_rank.bytes;
  sum.seconds = std::max(sum.seconds, of_rank.seconds);
  sum.native_calls = std::max(sum.native_calls, of_rank.native_calls);
  sum.native_seconds = std::max(sum.native_seconds, of_rank.native_seconds);
}

std::string microseconds(double seconds, std::int64_t calls) {
  return calls == 0 ? "-" : fmt::format("{:.2f}", seconds / static_cast<double>(calls) * 1e6);
}

void print(const std::vector<Line> &lines) {
  std::map<std::string, std::pair<const Line *, Tally>> sums;
  for (const Line &line : lines) {
    const std::string key = fmt::format("{}|{}|{}", line.communicator, line.site, index_of(line.tally.call));
    const auto [found, fresh] = sums.try_emplace(key, &line, line.tally);
    if (!fresh) add(found->second.second, line.tally);
  }
  std::fprintf(stderr, "[rondo] %-19s %-22s %-28s %9s %7s %9s %13s %9s %7s %9s\n", "call", "communicator", "called at",
               "calls", "plans", "hits", "bytes", "us/call", "native", "us/call");
  for (const auto &[key, one] : sums) {
    const auto &[line, sum] = one;
    std::fprintf(stderr, "[rondo] %-19s %-22s %-28s %9lld %7lld %9lld %13lld %9s %7lld %9s\n",
                 std::string(name_of(sum.call)).c_str(), line->communicator, line->site,
                 static_cast<long long>(sum.calls), static_cast<long long>(sum.plans), static_cast<long long>(sum.hits),
                 static_cast<long long>(sum.bytes), microseconds(sum.seconds, sum.calls).c_str(),
                 static_cast<long long>(sum.native_calls), microseconds(sum.native_seconds, sum.native_calls).c_str());
  }
}

Tally new_tally(Call call, const void *site) {
  Tally tally{};
  tally.call = call;
  tally.site = site;
  return tally;
}

}  // namespace

Tally *Tallies::of(Call call, const void *site) noexcept {
  const auto found =
      std::find_if(all_.begin(), all_.end(), [&](const Tally &t) { return t.site == site && t.call == call; });
  if (found != all_.end()) return &*found;
  try {
    return &all_.emplace_back(new_tally(call, site));
  } catch (const std::bad_alloc &) {
    return nullptr;
  }
}

void keep_for_report(const std::string &communicator, const Tallies &tallies) {
  const std::lock_guard lock(kept().mutex);
  for (const Tally &tally : tallies.all()) {
    Line &line = kept().lines.emplace_back(Line{{}, {}, tally});
    copy_text(communicator, line.communicator);
    copy_text(text_of(tally.site), line.site);
  }
}

void print_report() {
  const std::vector<Line> all = gather(kept().lines);
  if (!all.empty()) print(all);
}

}  // namespace rondo::internal::pmpi
