#pragma once

// All-to-alls in place that the library does not count (wire/counts_in_place.hpp): a rank without data makes the same
// call with nothing to send and nothing to receive, which is counted. The later collectives of the program, and those
// in which Rondo meets the other ranks, then have one number on all of them.

#include <mpi.h>

#include <algorithm>

#include "wire/counts_in_place.hpp"
#include "wire/mpi_call.hpp"

namespace rondo::internal::pmpi {

// The next definition of an all-to-all with counts.
template <class Next>
class CountedInPlace {
 public:
  explicit CountedInPlace(const Next &next) : next_(next) {}

  template <class Displacements, class Types, class... Rest>
  int operator()(const void *send, const int *send_counts, Displacements send_displs, Types send_types, void *receive,
                 const int *counts, Displacements displs, Types types, MPI_Comm comm, Rest... rest) const {
    if (!library_counts_in_place && send == MPI_IN_PLACE && moves_nothing(counts, comm)) {
      return next_(nullptr, counts, displs, types, receive, counts, displs, types, comm, rest...);
    }
    return next_(send, send_counts, send_displs, send_types, receive, counts, displs, types, comm, rest...);
  }

 private:
  // What is wrong with the arguments is the library's to say.
  static bool moves_nothing(const int *counts, MPI_Comm comm) {
    const ErrorsReturned returned;
    int ranks = 0;
    if (counts == nullptr || PMPI_Comm_size(comm, &ranks) != MPI_SUCCESS) return false;
    return std::all_of(counts, counts + ranks, [](int count) { return count == 0; });
  }

  const Next &next_;
};

}  // namespace rondo::internal::pmpi
