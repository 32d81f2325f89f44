/* What a program may free while a call is under way. A datatype with gaps is freed by another thread, and its handle
 * may mean another type, while a call waits for what it will be used for. And a communicator whose attribute's delete
 * function makes calls on it: the next communicator may have its handle. */
#include <pthread.h>
#include <sched.h>
#include <stdatomic.h>
#include <time.h>

#include "printed.h"

enum { elements = 500, rounds = 6 };

static int rank, ranks;
static MPI_Datatype gapped;

static atomic_int calling;

/* What rank 1 sends comes only when that is done. */
static void *free_type(void *nothing) {
  MPI_Datatype other;
  while (!atomic_load(&calling)) sched_yield();
  nanosleep(&(struct timespec){0, 100000000}, NULL); /* by then the call is under way */
  MPI_Type_free(&gapped);
  MPI_Type_contiguous(3, MPI_DOUBLE, &other);
  MPI_Type_commit(&other);
  MPI_Send(NULL, 0, MPI_INT, 1, 0, MPI_COMM_WORLD);
  return nothing;
}

static void types(void) {
  static int out[elements], in[2 * elements];
  const int none[2] = {0, 0};
  /* A first call may wait for the other rank before it looks at its arguments. */
  for (int i = 0; i < 3; ++i) MPI_Alltoallv(out, none, none, MPI_INT, in, none, none, MPI_INT, MPI_COMM_WORLD);
  for (int round = 0; round < rounds; ++round) {
    const int sent[2] = {rank == 1 ? elements : 0, 0}, received[2] = {0, rank == 0 ? elements : 0}, at[2] = {0, 0};
    int wrong = 0;
    pthread_t thread;
    MPI_Type_create_resized(MPI_INT, 0, 2 * sizeof(int), &gapped);
    MPI_Type_commit(&gapped);
    for (int i = 0; i < elements; ++i) {
      out[i] = round * elements + i;
      in[2 * i] = in[2 * i + 1] = -1;
    }
    atomic_store(&calling, 0);
    if (rank == 0) pthread_create(&thread, NULL, free_type, NULL);
    if (rank == 1) MPI_Recv(NULL, 0, MPI_INT, 0, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    atomic_store(&calling, 1);
    MPI_Alltoallv(out, sent, at, MPI_INT, in, received, at, gapped, MPI_COMM_WORLD);
    if (rank == 0) pthread_join(thread, NULL);
    if (rank == 1) MPI_Type_free(&gapped);
    for (int i = 0; i < elements; ++i) wrong += in[2 * i] != (rank == 0 ? out[i] : -1) || in[2 * i + 1] != -1;
    print("type freed, round %d: %d wrong\n", round, wrong);
  }
}

static int wrong_in(MPI_Comm comm, int call) {
  int out[2], in[2] = {-1, -1}, own, wrong = 0;
  MPI_Comm_rank(comm, &own);
  for (int i = 0; i < 2; ++i) out[i] = call * 100 + own * 10 + i;
  MPI_Alltoall(out, 1, MPI_INT, in, 1, MPI_INT, comm);
  for (int i = 0; i < 2; ++i) wrong += in[i] != call * 100 + i * 10 + own;
  return wrong;
}

static int call_at_the_end(MPI_Comm comm, int key, void *value, void *nothing) {
  (void)key, (void)value, (void)nothing;
  int wrong = 0;
  for (int call = 0; call < 4; ++call) wrong += wrong_in(comm, 50 + call);
  print("while it is freed: %d wrong\n", wrong);
  return MPI_SUCCESS;
}

static void communicators(void) {
  int key;
  MPI_Comm_create_keyval(MPI_COMM_NULL_COPY_FN, call_at_the_end, &key, NULL);
  for (int round = 0; round < rounds; ++round) {
    MPI_Comm comm;
    int wrong = 0;
    MPI_Comm_split(MPI_COMM_WORLD, 0, round % 2 == 0 ? rank : -rank, &comm);
    if (round % 3 != 2) MPI_Comm_set_attr(comm, key, NULL);
    for (int call = 0; call < 4; ++call) wrong += wrong_in(comm, call);
    if (round % 3 == 2) MPI_Comm_set_attr(comm, key, NULL);
    print("communicator %d: %d wrong\n", round, wrong);
    MPI_Comm_free(&comm);
  }
  MPI_Comm_free_keyval(&key);
}

int main(int argc, char **argv) {
  int provided;
  MPI_Init_thread(&argc, &argv, MPI_THREAD_MULTIPLE, &provided);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &ranks);
  if (ranks != 2 || provided < MPI_THREAD_MULTIPLE) MPI_Abort(MPI_COMM_WORLD, 1);
  types();
  communicators();
  print_all();
  MPI_Finalize();
  return 0;
}
