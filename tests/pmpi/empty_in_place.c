/* All-to-alls in place in which rank 0 has no data, and then other collectives that do not wait, and calls that Rondo
 * takes over. Open MPI 4.1 itself hangs in them. */
#include <stdio.h>

#include "checked_alltoall.h"
#include "persistent_calls.h"

enum { most_ranks = 8, block = 3 };

static int rank, ranks, wrong;

static void end(MPI_Request *request) {
  MPI_Wait(request, MPI_STATUS_IGNORE);
}

/* The calls of both kinds, by a request that is given. */
typedef enum { ialltoallv, ialltoallw, alltoallv_init, alltoallw_init, ways } Way;

static void exchange(MPI_Comm comm, Way way) {
  int counts[most_ranks], places[most_ranks], bytes[most_ranks], data[most_ranks * block];
  MPI_Datatype types[most_ranks];
  MPI_Request request;
  for (int i = 0; i < ranks; ++i) {
    counts[i] = rank > 0 && i > 0 ? block : 0;
    places[i] = i * block;
    bytes[i] = i * block * (int)sizeof(int);
    types[i] = MPI_INT;
  }
  for (int i = 0; i < ranks * block; ++i) data[i] = 100 * rank + i / block;
  switch (way) {
    case ialltoallv:
      MPI_Ialltoallv(MPI_IN_PLACE, NULL, NULL, MPI_DATATYPE_NULL, data, counts, places, MPI_INT, comm, &request);
      break;
    case ialltoallw: MPI_Ialltoallw(MPI_IN_PLACE, NULL, NULL, NULL, data, counts, bytes, types, comm, &request); break;
    case alltoallv_init:
      MPI_Alltoallv_init(MPI_IN_PLACE, NULL, NULL, MPI_DATATYPE_NULL, data, counts, places, MPI_INT, comm,
                         MPI_INFO_NULL, &request);
      break;
    default:
      MPI_Alltoallw_init(MPI_IN_PLACE, NULL, NULL, NULL, data, counts, bytes, types, comm, MPI_INFO_NULL, &request);
  }
  if (way >= alltoallv_init) MPI_Start(&request);
  end(&request);
  if (way >= alltoallv_init) MPI_Request_free(&request);
  for (int i = 0; i < ranks * block; ++i) {
    const int from = i / block;
    wrong += data[i] != (rank > 0 && from > 0 ? 100 * from + rank : 100 * rank + from);
  }
}

int main(int argc, char **argv) {
  int all_wrong = 0;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &ranks);
  for (Way way = ialltoallv; way < ways; ++way) {
    MPI_Comm comm;
    MPI_Request request;
    MPI_Comm_dup(MPI_COMM_WORLD, &comm);
    for (int time = 0; time < 3; ++time) {
      exchange(comm, way);
      MPI_Ibarrier(comm, &request);
      end(&request);
    }
    for (int salt = 0; salt < 5; ++salt) wrong += wrong_in_alltoall(comm, salt);
    MPI_Comm_free(&comm);
  }
  MPI_Reduce(&wrong, &all_wrong, 1, MPI_INT, MPI_SUM, 0, MPI_COMM_WORLD);
  if (rank == 0) printf("%d wrong\n", all_wrong);
  MPI_Finalize();
  return wrong != 0;
}
