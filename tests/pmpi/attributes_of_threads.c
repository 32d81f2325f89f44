/* The delete function of a communicator's attribute has another thread make the last calls on it, and joins that. The
 * handle is soon that of a communicator with its ranks in another order. */
#include "checked_alltoall.h"
#include "printed.h"

#include <pthread.h>

enum { most_ranks = 8 };

static int ranks;
static long wrong;

static void call(MPI_Comm comm, int salt) {
  wrong += wrong_in_alltoall(comm, salt);
}

static void *make_last_calls(void *comm) {
  for (int salt = 0; salt < 4; ++salt) call(*(MPI_Comm *)comm, 50 + salt);
  return NULL;
}

static int by_another_thread(MPI_Comm comm, int keyval, void *value, void *extra) {
  pthread_t thread;
  (void)keyval, (void)value, (void)extra;
  pthread_create(&thread, NULL, make_last_calls, &comm);
  return pthread_join(thread, NULL);
}

int main(int argc, char **argv) {
  int provided, keyval, rank;
  MPI_Init_thread(&argc, &argv, MPI_THREAD_MULTIPLE, &provided);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &ranks);
  MPI_Comm_create_keyval(MPI_COMM_NULL_COPY_FN, by_another_thread, &keyval, NULL);
  for (int round = 0; provided == MPI_THREAD_MULTIPLE && round < 8; ++round) {
    MPI_Comm comm;
    MPI_Comm_split(MPI_COMM_WORLD, 0, round % 2 == 0 ? rank : -rank, &comm);
    if (round / 2 % 2 == 0) MPI_Comm_set_attr(comm, keyval, NULL);
    for (int salt = 0; salt < 5; ++salt) call(comm, salt);
    if (round / 2 % 2 != 0) MPI_Comm_set_attr(comm, keyval, NULL);
    MPI_Comm_free(&comm);
  }
  print("%ld wrong\n", wrong);
  print_all();
  MPI_Comm_free_keyval(&keyval);
  MPI_Finalize();
  return wrong != 0;
}
