// SPDX-License-Identifier: BSD-3-Clause
#include "distribution.hpp"

#include <numeric>

#include "shared/on_root.hpp"

namespace cg {
namespace {

std::vector<int> agree_on_first_rows(const CompressedRows &matrix, MPI_Comm comm) {
  const int ranks = example::ranks_of(comm);
  std::vector<int> first_rows(static_cast<std::size_t>(ranks) + 1);
  if (example::rank_in(comm) == 0) first_rows = partition_rows(matrix.offsets, ranks);
  MPI_Bcast(first_rows.data(), ranks + 1, MPI_INT, 0, comm);
  return first_rows;
}

// What each rank gets of an array on rank 0: counts[r] elements, from displacements[r] on.
struct Shares {
  std::vector<int> counts;
  std::vector<int> displacements;
};

Shares shares_between(const std::vector<int> &bounds) {
  Shares shares;
  for (std::size_t rank = 0; rank + 1 < bounds.size(); ++rank) {
    shares.counts.push_back(bounds[rank + 1] - bounds[rank]);
    shares.displacements.push_back(bounds[rank]);
  }
  return shares;
}

std::vector<int> row_lengths(const CompressedRows &matrix) {
  std::vector<int> lengths(matrix.offsets.size());
  std::adjacent_difference(matrix.offsets.begin(), matrix.offsets.end(), lengths.begin());
  lengths.erase(lengths.begin());
  return lengths;
}

template <class T>
std::vector<T> scatter(const std::vector<T> &whole, const Shares &shares, int own, MPI_Datatype type, MPI_Comm comm) {
  std::vector<T> part(static_cast<std::size_t>(own));
  MPI_Scatterv(whole.data(), shares.counts.data(), shares.displacements.data(), type, part.data(), own, type, 0, comm);
  return part;
}

}  // namespace

LocalBlock distribute(const CompressedRows &matrix, MPI_Comm comm) {
  const int rank = example::rank_in(comm);
  const auto first_rows = agree_on_first_rows(matrix, comm);
  const auto rows = shares_between(first_rows);
  Shares entries;
  if (rank == 0) {
    auto bounds = first_rows;
    for (int &bound : bounds) bound = matrix.offsets[bound];
    entries = shares_between(bounds);
  }
  CompressedRows block;
  const auto lengths = scatter(row_lengths(matrix), rows, rows.counts[rank], MPI_INT, comm);
  for (const int length : lengths) block.offsets.push_back(block.offsets.back() + length);
  block.columns = scatter(matrix.columns, entries, block.nonzeros(), MPI_INT, comm);
  block.values = scatter(matrix.values, entries, block.nonzeros(), MPI_DOUBLE, comm);
  return localise(std::move(block), first_rows, rank);
}

}  // namespace cg
