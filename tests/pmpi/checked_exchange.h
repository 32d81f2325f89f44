/* A call with one element of a datatype for each rank, whose values tell by whom they are, and a salt of the test's. */
#ifndef RONDO_TESTS_PMPI_CHECKED_EXCHANGE_H
#define RONDO_TESTS_PMPI_CHECKED_EXCHANGE_H

#include <mpi.h>

enum { most_exchanging = 16, most_exchanged = 256 };

/* How many values are wrong that one MPI_Alltoallv has brought, or written beyond what it brings. The type is of so
 * many ints side by side, on a communicator of at most 16 ranks; of at most 256 ints for all of them. */
static int wrong_in_exchange(MPI_Comm comm, MPI_Datatype type, int ints, int salt) {
  int rank, ranks, wrong = 0;
  int sent[most_exchanged], received[most_exchanged], counts[most_exchanging], places[most_exchanging];
  MPI_Comm_rank(comm, &rank);
  MPI_Comm_size(comm, &ranks);
  for (int i = 0; i < ranks; ++i) {
    counts[i] = 1;
    places[i] = i;
  }
  for (int i = 0; i < most_exchanged; ++i) {
    sent[i] = 1000 * rank + i + salt;
    received[i] = -1;
  }
  MPI_Alltoallv(sent, counts, places, type, received, counts, places, type, comm);
  for (int i = 0; i < most_exchanged; ++i) {
    const int expected = i < ranks * ints ? 1000 * (i / ints) + rank * ints + i % ints + salt : -1;
    wrong += received[i] != expected;
  }
  return wrong;
}

#endif
