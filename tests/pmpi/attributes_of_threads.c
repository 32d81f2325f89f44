/* The delete function of an attribute has another thread make the last calls on the communicator, or with the datatype,
 * and joins that. The handle is soon that of a communicator with its ranks in another order, or of a longer type. */
#include "checked_alltoall.h"
#include "checked_exchange.h"
#include "printed.h"

#include <pthread.h>

/* Open MPI 4.1 crashes where a type is used at its end. */
#ifdef OPEN_MPI
enum { types_serve_at_their_end = 0 };
#else
enum { types_serve_at_their_end = 1 };
#endif

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

typedef struct {
  MPI_Datatype type;
  int ints;
} Counted;

static int length;

static void exchange(Counted of) {
  wrong += wrong_in_exchange(MPI_COMM_WORLD, of.type, of.ints, 0);
}

static void *exchange_last(void *of) {
  for (int i = 0; i < 4; ++i) exchange(*(Counted *)of);
  return NULL;
}

static int exchange_by_another_thread(MPI_Datatype type, int keyval, void *value, void *extra) {
  Counted of = {type, length};
  pthread_t thread;
  (void)keyval, (void)value, (void)extra;
  pthread_create(&thread, NULL, exchange_last, &of);
  return pthread_join(thread, NULL);
}

/* Some are used for the first time at their end. */
static void end_types(void) {
  int keyval;
  MPI_Type_create_keyval(MPI_TYPE_NULL_COPY_FN, exchange_by_another_thread, &keyval, NULL);
  for (int round = 0; round < 8; ++round) {
    MPI_Datatype type;
    length = 2 + round;
    MPI_Type_contiguous(length, MPI_INT, &type);
    MPI_Type_commit(&type);
    if (round % 2 == 0) MPI_Type_set_attr(type, keyval, NULL);
    for (int i = 0; i < round % 4; ++i) exchange((Counted){type, length});
    if (round % 2 != 0) MPI_Type_set_attr(type, keyval, NULL);
    MPI_Type_free(&type);
  }
  MPI_Type_free_keyval(&keyval);
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
  if (types_serve_at_their_end && provided == MPI_THREAD_MULTIPLE) end_types();
  print("%ld wrong\n", wrong);
  print_all();
  MPI_Comm_free_keyval(&keyval);
  MPI_Finalize();
  return wrong != 0;
}
