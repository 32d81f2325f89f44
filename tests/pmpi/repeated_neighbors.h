/* Whether the MPI library itself keeps the order of the blocks of a neighbour that is named more than once. */
/* NOLINTBEGIN(modernize-deprecated-headers,modernize-use-nullptr): it is C, and included by C++, too. */
#ifndef RONDO_TESTS_PMPI_REPEATED_NEIGHBORS_H
#define RONDO_TESTS_PMPI_REPEATED_NEIGHBORS_H

#include "library_call.h"

static inline int library_keeps_order_of_repeated_neighbors(void) {
  const int once[2] = {1, 1}, places[2] = {0, 1}, self[2] = {0, 0}, sent[2] = {10, 11};
  int received[2] = {0, 0};
  MPI_Comm loops;
  LIBRARY_CALL(MPI_Dist_graph_create_adjacent)
  (MPI_COMM_SELF, 2, self, once, 2, self, once, MPI_INFO_NULL, 0, &loops);
  LIBRARY_CALL(MPI_Neighbor_alltoallv)(sent, once, places, MPI_INT, received, once, places, MPI_INT, loops);
  LIBRARY_CALL(MPI_Comm_free)(&loops);
  return received[0] == sent[0] && received[1] == sent[1];
}

#endif
/* NOLINTEND(modernize-deprecated-headers,modernize-use-nullptr) */
