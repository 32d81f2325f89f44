/* At MPI_THREAD_MULTIPLE: one wait of rank 0 ends two communicators that it has freed. The delete function of the
 * second has another thread make a communicator, which may have the handle of the first, and calls on it. */
#include <mpi.h>
#include <pthread.h>

#include "checked_alltoall.h"
#include "printed.h"

enum { rounds = 3, calls = 8 };

static int wrong;

static void *make(void *made) {
  MPI_Comm_dup(MPI_COMM_WORLD, made);
  return NULL;
}

static void call_on_new(void) {
  pthread_t thread;
  MPI_Comm fresh;
  pthread_create(&thread, NULL, make, &fresh);
  pthread_join(thread, NULL);
  for (int salt = 0; salt < calls; ++salt) wrong += wrong_in_alltoall(fresh, salt);
  MPI_Comm_free(&fresh);
}

static int at_end(MPI_Comm comm, int keyval, void *value, void *extra) {
  (void)comm, (void)keyval, (void)value, (void)extra;
  call_on_new();
  return MPI_SUCCESS;
}

int main(int argc, char **argv) {
  int provided, rank, keyval;
  MPI_Init_thread(&argc, &argv, MPI_THREAD_MULTIPLE, &provided);
  if (provided < MPI_THREAD_MULTIPLE) MPI_Abort(MPI_COMM_WORLD, 1);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_create_keyval(MPI_COMM_NULL_COPY_FN, at_end, &keyval, NULL);
  for (int round = 0; round < rounds; ++round) {
    MPI_Comm comms[2];
    MPI_Request requests[2];
    MPI_Status statuses[2];
    for (int i = 0; i < 2; ++i) {
      MPI_Comm_dup(MPI_COMM_WORLD, &comms[i]);
      for (int salt = 0; salt < calls; ++salt) wrong += wrong_in_alltoall(comms[i], salt);
    }
    if (rank != 0) MPI_Barrier(MPI_COMM_WORLD);
    for (int i = 0; i < 2; ++i) MPI_Ibarrier(comms[i], &requests[i]);
    if (rank == 0) {
      MPI_Comm_set_attr(comms[1], keyval, NULL);
      for (int i = 0; i < 2; ++i) MPI_Comm_free(&comms[i]);
      MPI_Barrier(MPI_COMM_WORLD); /* only then can what is under way end */
      MPI_Waitall(2, requests, statuses);
    } else {
      MPI_Waitall(2, requests, statuses);
      for (int i = 0; i < 2; ++i) MPI_Comm_free(&comms[i]);
      call_on_new();
    }
  }
  MPI_Comm_free_keyval(&keyval);
  print("%d wrong\n", wrong);
  print_all();
  MPI_Finalize();
  return wrong != 0;
}
