/* Attributes of the program's, on a communicator and on a datatype, whose functions are called just when MPI says so.
 *
 * A delete function makes calls on the communicator that is freed. Ranks set the attribute at different times, so that
 * what else is kept for the communicator is deleted before it on some ranks, and after it on others.
 *
 * A datatype with gaps has an attribute that must not be copied. The program never duplicates it. */
#include "printed.h"

#include <stdlib.h>

enum { most_ranks = 8 };

static int rank, ranks, copied;
static long wrong;

static void call(MPI_Comm comm, int salt) {
  int out[most_ranks], in[most_ranks];
  for (int i = 0; i < ranks; ++i) out[i] = rank * 100 + i + salt;
  MPI_Alltoall(out, 1, MPI_INT, in, 1, MPI_INT, comm);
  for (int i = 0; i < ranks; ++i) wrong += in[i] != i * 100 + rank + salt;
}

static int call_once_more(MPI_Comm comm, int keyval, void *value, void *extra) {
  (void)keyval, (void)value, (void)extra;
  call(comm, 50);
  return MPI_SUCCESS;
}

static void free_communicator_whose_attribute_calls(int before_on_rank) {
  int keyval;
  MPI_Comm comm;
  MPI_Comm_create_keyval(MPI_COMM_NULL_COPY_FN, call_once_more, &keyval, NULL);
  MPI_Comm_dup(MPI_COMM_WORLD, &comm);
  if (rank == before_on_rank) MPI_Comm_set_attr(comm, keyval, NULL);
  for (int salt = 0; salt < 5; ++salt) call(comm, salt);
  if (rank != before_on_rank) MPI_Comm_set_attr(comm, keyval, NULL);
  MPI_Comm_free(&comm);
  MPI_Comm_free_keyval(&keyval);
}

static int refuse_to_copy(MPI_Datatype type, int keyval, void *extra, void *from, void *to, int *flag) {
  (void)type, (void)keyval, (void)extra, (void)from, (void)to;
  ++copied;
  *flag = 0;
  return MPI_ERR_OTHER;
}

static int free_value(MPI_Datatype type, int keyval, void *value, void *extra) {
  (void)type, (void)keyval, (void)extra;
  free(value);
  return MPI_SUCCESS;
}

static void exchange(MPI_Datatype type, int persistent) {
  int out[4 * most_ranks], in[4 * most_ranks], counts[most_ranks], places[most_ranks];
  MPI_Request request;
  for (int i = 0; i < ranks; ++i) counts[i] = 1, places[i] = i;
  for (int i = 0; i < 4 * ranks; ++i) out[i] = rank * 1000 + i, in[i] = -1;
  if (!persistent) {
    MPI_Alltoallv(out, counts, places, type, in, counts, places, type, MPI_COMM_WORLD);
  } else {
    MPI_Ialltoallv(out, counts, places, type, in, counts, places, type, MPI_COMM_WORLD, &request);
    MPI_Wait(&request, MPI_STATUS_IGNORE);
  }
  for (int i = 0; i < ranks; ++i) {
    wrong += in[4 * i] != i * 1000 + 4 * rank || in[4 * i + 1] != -1 || in[4 * i + 2] != i * 1000 + 4 * rank + 2;
  }
}

static void exchange_type_with_attribute(MPI_Type_copy_attr_function *copy) {
  int keyval;
  MPI_Datatype vector, gapped;
  MPI_Type_create_keyval(copy, free_value, &keyval, NULL);
  MPI_Type_vector(2, 1, 2, MPI_INT, &vector);
  MPI_Type_create_resized(vector, 0, 4 * sizeof(int), &gapped);
  MPI_Type_free(&vector);
  MPI_Type_commit(&gapped);
  MPI_Type_set_attr(gapped, keyval, malloc(64));
  for (int i = 0; i < 12; ++i) exchange(gapped, i % 3 == 2);
  MPI_Type_free(&gapped);
  MPI_Type_free_keyval(&keyval);
  call(MPI_COMM_WORLD, 0);
}

int main(int argc, char **argv) {
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &ranks);
  for (int i = 0; i < ranks; ++i) free_communicator_whose_attribute_calls(i);
  exchange_type_with_attribute(refuse_to_copy);
  exchange_type_with_attribute(MPI_TYPE_DUP_FN);
  print("%ld wrong, %d copied\n", wrong, copied);
  print_all();
  MPI_Finalize();
  return wrong != 0;
}
