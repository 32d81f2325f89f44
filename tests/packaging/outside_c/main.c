/* Rank r sends p + 1 ints, each r * 100 + p, to rank p; three times, as a program that uses Rondo would. */
#include <rondo/rondo.h>
#include <stdio.h>

enum { MAX_RANKS = 4, MAX_INTS = MAX_RANKS * MAX_RANKS };

static int fail(const char *what, int code) {
  char text[RONDO_MAX_ERROR_STRING];
  int length = 0;
  RONDO_Error_string(code, text, &length);
  fprintf(stderr, "%s: %s\n", what, text);
  MPI_Abort(MPI_COMM_WORLD, 1);
  return 1;
}

int main(int argc, char **argv) {
  int rank = 0, ranks = 0, code = MPI_SUCCESS;
  int send[MAX_INTS], receive[MAX_INTS], send_counts[MAX_RANKS], send_places[MAX_RANKS], receive_counts[MAX_RANKS],
      receive_places[MAX_RANKS];
  RONDO_Request request = RONDO_REQUEST_NULL;

  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &ranks);
  if (ranks > MAX_RANKS) MPI_Abort(MPI_COMM_WORLD, 2);
  for (int p = 0; p < ranks; p++) {
    send_counts[p] = p + 1;
    send_places[p] = p * (p + 1) / 2;
    receive_counts[p] = rank + 1;
    receive_places[p] = p * (rank + 1);
    for (int k = 0; k <= p; k++) send[send_places[p] + k] = rank * 100 + p;
  }

  code = RONDO_Alltoallv_init(send, send_counts, send_places, MPI_INT, receive, receive_counts, receive_places, MPI_INT,
                              MPI_COMM_WORLD, MPI_INFO_NULL, &request);
  if (code != MPI_SUCCESS) return fail("init", code);
  for (int times = 0; times < 3; times++) {
    for (int i = 0; i < ranks * (rank + 1); i++) receive[i] = -1;
    if ((code = RONDO_Start(&request)) != MPI_SUCCESS) return fail("start", code);
    if ((code = RONDO_Wait(&request, MPI_STATUS_IGNORE)) != MPI_SUCCESS) return fail("wait", code);
    for (int i = 0; i < ranks * (rank + 1); i++)
      if (receive[i] != i / (rank + 1) * 100 + rank) {
        fprintf(stderr, "rank %d, int %d: %d\n", rank, i, receive[i]);
        MPI_Abort(MPI_COMM_WORLD, 3);
      }
  }
  if ((code = RONDO_Request_free(&request)) != MPI_SUCCESS) return fail("free", code);
  MPI_Finalize();
  if (rank == 0) printf("Rondo %s: received as sent\n", RONDO_Version());
  return request == RONDO_REQUEST_NULL ? 0 : 4;
}
