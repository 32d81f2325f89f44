#pragma once

// The report of what has been taken over.

#include <cstdint>
#include <string>
#include <vector>

#include "pmpi/report/tally.hpp"

namespace rondo::internal::pmpi {

// Calls of one kind from one place, on all communicators.
struct ReportRow {
  Call call{};
  char site[64]{};  // the same text on all ranks, unlike an address
  std::int64_t communicators = 0;
  Tally sum{};
};

// Of several ranks. Counts and times of a row are those of the slowest rank, which has spent most time in its calls
// with others, so that they belong together, and those in all are of the rank that is slowest in all; no sum of times
// of several ranks would be the time of any. Bytes are the sum over the ranks, waits the longest, and communicators
// those of the rank that has most.
struct Report {
  std::vector<ReportRow> rows{};  // those that take longest first
  Tally in_all{};
  int ranks = 0;
};

// Of this rank, with a row for each place and kind.
std::vector<ReportRow> rows_of_rank();
// Of the rows that each rank has.
Report report_of(const std::vector<std::vector<ReportRow>> &ranks);

std::string table_of(const Report &report, const ReportWish &wish);
std::string json_of(const Report &report);

// Gives out what all ranks have counted, as RONDO_REPORT asks: on standard error of rank 0 of MPI_COMM_WORLD, or to a
// file that it writes. Collective over that.
void give_report();

}  // namespace rondo::internal::pmpi
