/* MPI_Request_get_status_all, _any and _some (MPI-4.1) on a plan, a message and a null request: none, one, all
 * complete. */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>

enum { plan, message, null, requests };

static int wrong, rank;

static void expect(const char *what, int got, int expected) {
  if (got == expected) return;
  printf("rank %d, %s: %d instead of %d\n", rank, what, got, expected);
  wrong = 1;
}

static void look(MPI_Request *all, int complete) {
  int flag = -1, index = -1, count = -1, indices[requests];
  MPI_Status statuses[requests];
  for (int i = 0; i < requests; ++i) statuses[i].MPI_TAG = -5;
  do MPI_Request_get_status_any(requests, all, &index, &flag, statuses);
  while (complete && !flag);
  expect("any, flag", flag, complete);
  expect("any, index", index == MPI_UNDEFINED || index == plan || index == message, 1);
  do MPI_Request_get_status_some(requests, all, &count, indices, statuses);
  while (complete && count < 2);
  expect("some", count, complete ? 2 : 0);
  if (complete) expect("some, first", indices[0], plan);
  if (complete) expect("some, second", indices[1], message);
  do MPI_Request_get_status_all(requests, all, &flag, statuses);
  while (complete && !flag);
  expect("all, flag", flag, complete);
  if (complete && rank == 0) expect("all, tag", statuses[message].MPI_TAG, 7);
  MPI_Request_get_status_all(requests, all, &flag, MPI_STATUSES_IGNORE);
  expect("all, without statuses", flag, complete);
}

int main(int argc, char **argv) {
  int ranks, out[8] = {0}, in[8], number = 4, flag = 0;
  MPI_Request all[requests];
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &ranks);
  for (int i = 0; i < ranks; ++i) out[i] = rank * 10 + i;
  MPI_Alltoall_init(out, 1, MPI_INT, in, 1, MPI_INT, MPI_COMM_WORLD, MPI_INFO_NULL, &all[plan]);
  for (int round = 0; round < 100; ++round) {
    all[message] = all[null] = MPI_REQUEST_NULL;
    MPI_Request_get_status_all(requests, all, &flag, MPI_STATUSES_IGNORE);
    expect("all of inactive ones", flag, 1);
    MPI_Start(&all[plan]);
    if (rank == 0) MPI_Irecv(&number, 1, MPI_INT, 1, 7, MPI_COMM_WORLD, &all[message]);
    if (rank == 1) MPI_Issend(&number, 1, MPI_INT, 0, 7, MPI_COMM_WORLD, &all[message]);
    if (rank > 1) MPI_Isend(&number, 0, MPI_INT, rank, 7, MPI_COMM_WORLD, &all[message]);
    if (rank > 1) MPI_Recv(&number, 0, MPI_INT, rank, 7, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    look(all, 1);
    MPI_Waitall(requests, all, MPI_STATUSES_IGNORE);
    for (int i = 0; i < ranks; ++i) expect("data", in[i], i * 10 + rank);
  }
  MPI_Request_free(&all[plan]);
  MPI_Finalize();
  if (!wrong && rank == 0) printf("right\n");
  return wrong ? EXIT_FAILURE : EXIT_SUCCESS;
}
