/* Communicators and datatypes that end later than they are freed, or are used once more at their end, by delete
 * functions of the program's. The handles are soon those of others. Prints how many values were wrong. */

#include <stdio.h>

#include "checked_alltoall.h"
#include "checked_exchange.h"

enum { most_ints = 64, rounds = 4, splits = 4 };

/* Open MPI 4.1 itself crashes where a request outlives its communicator, and where a type is used at its end. */
#ifdef OPEN_MPI
enum { requests_outlive = 0, types_serve_at_their_end = 0 };
#else
enum { requests_outlive = 1, types_serve_at_their_end = 1 };
#endif

static int wrong, ints;

static void call(MPI_Comm comm, int salt) {
  wrong += wrong_in_alltoall(comm, salt);
}

static int call_at_end(MPI_Comm comm, int keyval, void *value, void *extra) {
  (void)keyval, (void)value, (void)extra;
  call(comm, 50);
  return MPI_SUCCESS;
}

/* A request that is not under way, or a barrier that is, holds the communicator, whose delete function is called when
 * that is over. Communicators with its ranks in another order follow. */
static void end_communicators(void) {
  int rank, keyval, data = 0;
  MPI_Comm comm, next[splits];
  MPI_Request request;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_create_keyval(MPI_COMM_NULL_COPY_FN, call_at_end, &keyval, NULL);
  for (int round = 0; round < rounds; ++round) {
    MPI_Comm_dup(MPI_COMM_WORLD, &comm);
    if (round < 2 || rank == 0) MPI_Comm_set_attr(comm, keyval, NULL);
    for (int i = 0; i < 5; ++i) call(comm, i);
    if (round >= 2 && rank != 0) MPI_Comm_set_attr(comm, keyval, NULL);
    if (!requests_outlive) {
      MPI_Comm_free(&comm);
    } else if (round % 2 == 0) {
      MPI_Send_init(&data, 1, MPI_INT, rank, 1, comm, &request);
      MPI_Comm_free(&comm);
      MPI_Request_free(&request);
    } else {
      MPI_Ibarrier(comm, &request);
      MPI_Comm_free(&comm);
      MPI_Waitall(1, &request, MPI_STATUSES_IGNORE);
    }
    for (int i = 0; i < splits; ++i) {
      MPI_Comm_split(MPI_COMM_WORLD, 0, i % 2 == 0 ? -rank : rank, &next[i]);
      for (int salt = 0; salt < 5; ++salt) call(next[i], salt);
    }
    for (int i = 0; i < splits; ++i) MPI_Comm_free(&next[i]);
  }
  MPI_Comm_free_keyval(&keyval);
}

static void exchange(MPI_Datatype type, int salt) {
  wrong += wrong_in_exchange(MPI_COMM_WORLD, type, ints, salt);
}

static int exchange_at_end(MPI_Datatype type, int keyval, void *value, void *extra) {
  (void)keyval, (void)value, (void)extra;
  exchange(type, 50);
  return MPI_SUCCESS;
}

/* Types of other lengths follow. */
static void end_types(void) {
  int keyval;
  MPI_Type_create_keyval(MPI_TYPE_NULL_COPY_FN, exchange_at_end, &keyval, NULL);
  for (int round = 0; round < 2 * rounds; ++round) {
    MPI_Datatype type;
    ints = 2 + round % 4;
    MPI_Type_contiguous(ints, MPI_INT, &type);
    MPI_Type_commit(&type);
    for (int i = 0; i < 5; ++i) exchange(type, i);
    MPI_Type_set_attr(type, keyval, NULL);
    MPI_Type_free(&type);
  }
  MPI_Type_free_keyval(&keyval);
}

static int exchange_of_new_types(MPI_Datatype type, int keyval, void *value, void *extra) {
  const int before = ints;
  (void)type, (void)keyval, (void)value, (void)extra;
  for (int i = 0; i < 3; ++i) {
    MPI_Datatype fresh;
    ints += 3;
    MPI_Type_contiguous(ints, MPI_INT, &fresh);
    MPI_Type_commit(&fresh);
    for (int salt = 60; salt < 64; ++salt) exchange(fresh, salt);
    MPI_Type_free(&fresh);
  }
  ints = before;
  return MPI_SUCCESS;
}

/* One call ends a type and two that it was made of; the delete function of one uses it once more, perhaps for the first
 * time, and that of the other makes others. */
static void end_types_together(void) {
  int keyval, of_use;
  MPI_Type_create_keyval(MPI_TYPE_NULL_COPY_FN, exchange_of_new_types, &keyval, NULL);
  MPI_Type_create_keyval(MPI_TYPE_NULL_COPY_FN, exchange_at_end, &of_use, NULL);
  for (int round = 0; round < rounds; ++round) {
    MPI_Datatype parts[2], both;
    const int lengths[2] = {1, 1};
    const MPI_Aint places[2] = {0, 100};
    ints = 2 + round;
    for (int i = 0; i < 2; ++i) {
      MPI_Type_contiguous(ints, MPI_INT, &parts[i]);
      MPI_Type_commit(&parts[i]);
      for (int salt = 0; round < 2 && salt < 5; ++salt) exchange(parts[i], salt);
    }
    MPI_Type_set_attr(parts[round % 2], keyval, NULL);
    MPI_Type_set_attr(parts[1 - round % 2], of_use, NULL);
    MPI_Type_create_struct(2, lengths, places, parts, &both);
    MPI_Type_free(&parts[0]);
    MPI_Type_free(&parts[1]);
    MPI_Type_free(&both);
  }
  MPI_Type_free_keyval(&of_use);
  MPI_Type_free_keyval(&keyval);
}

/* Types that requests hold, which end in MPI_Request_free and in MPI_Wait. */
static void end_types_late(void) {
  int keyval, rank, data[most_ints] = {0};
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Type_create_keyval(MPI_TYPE_NULL_COPY_FN, exchange_at_end, &keyval, NULL);
  for (int round = 0; round < 2 * rounds; ++round) {
    MPI_Datatype type, next;
    MPI_Request request;
    ints = 2 + round % 4;
    MPI_Type_contiguous(ints, MPI_INT, &type);
    MPI_Type_commit(&type);
    for (int salt = 0; round % 4 < 2 && salt < 5; ++salt) exchange(type, salt);
    MPI_Type_set_attr(type, keyval, NULL);
    if (round % 2 == 0) {
      MPI_Send_init(data, 1, type, rank, 1, MPI_COMM_WORLD, &request);
      MPI_Type_free(&type);
      MPI_Request_free(&request);
    } else {
      MPI_Ibcast(data, 1, type, 0, MPI_COMM_WORLD, &request);
      MPI_Type_free(&type);
      MPI_Wait(&request, MPI_STATUS_IGNORE);
    }
    ints += 3;
    MPI_Type_contiguous(ints, MPI_INT, &next);
    MPI_Type_commit(&next);
    for (int salt = 0; salt < 5; ++salt) exchange(next, salt);
    MPI_Type_free(&next);
  }
  MPI_Type_free_keyval(&keyval);
}

int main(int argc, char **argv) {
  int rank, all_wrong = 0;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  end_communicators();
  if (types_serve_at_their_end) end_types();
  if (types_serve_at_their_end) end_types_together();
  if (types_serve_at_their_end) end_types_late();
  MPI_Reduce(&wrong, &all_wrong, 1, MPI_INT, MPI_SUM, 0, MPI_COMM_WORLD);
  if (rank == 0) printf("%d wrong\n", all_wrong);
  MPI_Finalize();
  return wrong != 0;
}
