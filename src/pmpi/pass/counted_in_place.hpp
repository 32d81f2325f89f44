#pragma once

// Open MPI numbers the non-blocking and persistent collectives of a communicator to match them between ranks. In an
// all-to-all in place a rank that has no data does not count the call as the others do: its next such collective has
// another number than theirs and waits for ever, be it the program's or one in which Rondo meets the other ranks. Such
// a rank makes the same call here with nothing to send and nothing to receive, which is counted.

#include <mpi.h>

#include <algorithm>

#include "wire/mpi_call.hpp"

namespace rondo::internal::pmpi {

#if defined(OPEN_MPI)
constexpr bool library_counts_in_place = false;
#else
constexpr bool library_counts_in_place = true;
#endif

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
