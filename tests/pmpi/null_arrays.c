/* A chain of ranks, each a neighbour of the next: the first receives from nobody and the last sends to nobody, and they
 * give null arrays for that. */
#include "printed.h"

static int rank, ranks, out, in;

static void print_received(const char *what, int call) {
  print("%s %d: %s\n", what, call, in == (rank > 0 ? 100 * call + rank - 1 : -1) ? "right" : "wrong");
}

int main(int argc, char **argv) {
  const int one = 1, zero = 0;
  MPI_Comm chain;
  MPI_Request request;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &ranks);
  const int source = rank - 1, destination = rank + 1;
  const int sources = rank > 0, destinations = destination < ranks;
  MPI_Dist_graph_create_adjacent(MPI_COMM_WORLD, sources, &source, MPI_UNWEIGHTED, destinations, &destination,
                                 MPI_UNWEIGHTED, MPI_INFO_NULL, 0, &chain);
  const int *const sent = destinations ? &one : NULL, *const sent_at = destinations ? &zero : NULL;
  const int *const received = sources ? &one : NULL, *const received_at = sources ? &zero : NULL;
  const MPI_Datatype type = MPI_INT, *const sent_types = destinations ? &type : NULL,
                     *const received_types = sources ? &type : NULL;
  const MPI_Aint at = 0, *const sent_bytes_at = destinations ? &at : NULL,
                 *const received_bytes_at = sources ? &at : NULL;
  for (int call = 0; call < 4; ++call) {
    out = 100 * call + rank;
    in = -1;
    MPI_Neighbor_alltoallv(&out, sent, sent_at, MPI_INT, &in, received, received_at, MPI_INT, chain);
    print_received("waits", call);
    in = -1;
    MPI_Ineighbor_alltoallv(&out, sent, sent_at, MPI_INT, &in, received, received_at, MPI_INT, chain, &request);
    MPI_Wait(&request, MPI_STATUS_IGNORE);
    print_received("starts", call);
    in = -1;
    MPI_Neighbor_alltoallw(&out, sent, sent_bytes_at, sent_types, &in, received, received_bytes_at, received_types,
                           chain);
    print_received("waits, with types", call);
    in = -1;
    MPI_Neighbor_alltoall(destinations ? &out : NULL, destinations, MPI_INT, sources ? &in : NULL, sources, MPI_INT,
                          chain);
    print_received("waits, with one count", call);
  }
  MPI_Comm_free(&chain);
  print_all();
  MPI_Finalize();
  return 0;
}
