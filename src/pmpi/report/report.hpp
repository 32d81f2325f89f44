#pragma once

// The report of what has been taken over.

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "pmpi/report/tally.hpp"

namespace rondo::internal::pmpi {

// Calls of one kind from one place, on all communicators. Of all ranks: counts are those of the rank that has most,
// times those of the slowest rank, bytes the sum.
struct ReportRow {
  Call call{};
  char site[64]{};  // the same text on all ranks, unlike an address
  std::int64_t communicators = 0;
  Tally sum{};

  // In all those calls, whoever has done them.
  [[nodiscard]] double seconds() const;
  // Those that the MPI library has done.
  [[nodiscard]] Counted left() const;
  // What Rondo's calls would have taken at the MPI library's price, less what they have taken. Nothing where no sample
  // has been taken.
  [[nodiscard]] std::optional<double> saved() const;
};

// Of this rank, with a row for each place and kind.
std::vector<ReportRow> rows_of_rank();
// Of several ranks' rows, those that take longest first.
std::vector<ReportRow> joined(const std::vector<ReportRow> &of_ranks);

std::string table_of(const std::vector<ReportRow> &rows, const ReportWish &wish);
std::string json_of(const std::vector<ReportRow> &rows, int ranks);

// Gives out what all ranks have counted, as RONDO_REPORT asks: on standard error of rank 0 of MPI_COMM_WORLD, or to a
// file that it writes. Collective over that.
void give_report();

}  // namespace rondo::internal::pmpi
