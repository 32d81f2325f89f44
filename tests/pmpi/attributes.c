/* Attributes of the program's, on a communicator and on a datatype, whose functions are called just when MPI says so.
 *
 * A delete function makes calls on the communicator that is freed. Ranks set the attribute at different times, so that
 * what else is kept for the communicator is deleted before it on some ranks, and after it on others. In one case it
 * frees another communicator, whose own delete function makes the calls on the first.
 *
 * A datatype with gaps has an attribute that must not be copied. The program never duplicates it. The delete function
 * of another makes a call of its own, and is called when the type is freed, on all ranks, whatever the calls with it
 * have been. Where many types go at once, they go one after the other.
 *
 * A persistent request belongs to an attribute, of a type or of MPI_COMM_SELF. */
#include "persistent_calls.h"
#include "printed.h"

#include <stdlib.h>

enum { most_ranks = 8 };

static int rank, ranks, copied;
static long wrong;

static void call_as(int rank_in_comm, MPI_Comm comm, int salt) {
  int out[most_ranks], in[most_ranks];
  for (int i = 0; i < ranks; ++i) out[i] = rank_in_comm * 100 + i + salt;
  MPI_Alltoall(out, 1, MPI_INT, in, 1, MPI_INT, comm);
  for (int i = 0; i < ranks; ++i) wrong += in[i] != i * 100 + rank_in_comm + salt;
}

static void call(MPI_Comm comm, int salt) {
  call_as(rank, comm, salt);
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

static MPI_Comm outer, inner;

static int free_inner(MPI_Comm comm, int keyval, void *value, void *extra) {
  (void)comm, (void)keyval, (void)value, (void)extra;
  return MPI_Comm_free(&inner);
}

static int call_on_outer(MPI_Comm comm, int keyval, void *value, void *extra) {
  (void)comm, (void)keyval, (void)value, (void)extra;
  call(outer, 70);
  return MPI_SUCCESS;
}

/* The handle of the first one is soon that of a communicator with its ranks in another order. */
static void free_communicator_in_the_end_of_another(int attribute_is_first) {
  int frees, calls;
  MPI_Comm freed, next[4];
  MPI_Comm_create_keyval(MPI_COMM_NULL_COPY_FN, free_inner, &frees, NULL);
  MPI_Comm_create_keyval(MPI_COMM_NULL_COPY_FN, call_on_outer, &calls, NULL);
  MPI_Comm_dup(MPI_COMM_WORLD, &outer);
  MPI_Comm_dup(MPI_COMM_WORLD, &inner);
  if (attribute_is_first) MPI_Comm_set_attr(outer, frees, NULL);
  for (int salt = 0; salt < 5; ++salt) call(outer, salt);
  if (!attribute_is_first) MPI_Comm_set_attr(outer, frees, NULL);
  MPI_Comm_set_attr(inner, calls, NULL);
  freed = outer;
  MPI_Comm_free(&freed);
  for (int i = 0; i < 4; ++i) {
    MPI_Comm_split(MPI_COMM_WORLD, 0, i % 2 == 0 ? -rank : rank, &next[i]);
    for (int salt = 0; salt < 5; ++salt) call_as(i % 2 == 0 ? ranks - 1 - rank : rank, next[i], salt);
  }
  for (int i = 0; i < 4; ++i) MPI_Comm_free(&next[i]);
  MPI_Comm_free_keyval(&frees);
  MPI_Comm_free_keyval(&calls);
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

static MPI_Datatype gapped_type(void) {
  MPI_Datatype vector, gapped;
  MPI_Type_vector(2, 1, 2, MPI_INT, &vector);
  MPI_Type_create_resized(vector, 0, 4 * sizeof(int), &gapped);
  MPI_Type_free(&vector);
  MPI_Type_commit(&gapped);
  return gapped;
}

static void exchange_type_with_attribute(MPI_Type_copy_attr_function *copy) {
  int keyval;
  MPI_Datatype gapped = gapped_type();
  MPI_Type_create_keyval(copy, free_value, &keyval, NULL);
  MPI_Type_set_attr(gapped, keyval, malloc(64));
  for (int i = 0; i < 12; ++i) exchange(gapped, i % 3 == 2);
  MPI_Type_free(&gapped);
  MPI_Type_free_keyval(&keyval);
  call(MPI_COMM_WORLD, 0);
}

static int deleted, depth, greatest_depth;

static int count(MPI_Datatype type, int keyval, void *value, void *extra) {
  (void)type, (void)keyval, (void)value, (void)extra;
  ++deleted;
  if (++depth > greatest_depth) greatest_depth = depth;
  call(MPI_COMM_WORLD, 30);
  --depth;
  return MPI_SUCCESS;
}

/* All ranks are neighbours, or those one before and one after in a ring. */
static MPI_Comm graph_of(int is_ring) {
  int neighbors[most_ranks], weights[most_ranks], number = 0;
  MPI_Comm graph;
  for (int i = 0; i < ranks; ++i) {
    const int distance = (i - rank + ranks) % ranks;
    if (is_ring && distance != 1 && distance != ranks - 1) continue;
    weights[number] = 1;
    neighbors[number++] = i;
  }
  MPI_Dist_graph_create_adjacent(MPI_COMM_WORLD, number, neighbors, weights, number, neighbors, weights, MPI_INFO_NULL,
                                 0, &graph);
  return graph;
}

static void exchange_with_neighbors(MPI_Comm graph, MPI_Datatype type) {
  int out[4 * most_ranks], in[4 * most_ranks], counts[most_ranks], places[most_ranks];
  int sources[most_ranks], destinations[most_ranks], weights[most_ranks];
  int in_degree, out_degree, weighted;
  MPI_Dist_graph_neighbors_count(graph, &in_degree, &out_degree, &weighted);
  MPI_Dist_graph_neighbors(graph, in_degree, sources, weights, out_degree, destinations, weights);
  for (int i = 0; i < in_degree; ++i) counts[i] = 1, places[i] = i;
  for (int i = 0; i < 4 * in_degree; ++i) out[i] = rank * 1000 + destinations[i / 4] * 10 + i % 4, in[i] = -1;
  MPI_Neighbor_alltoallv(out, counts, places, type, in, counts, places, type, graph);
  for (int i = 0; i < 4 * in_degree; ++i) {
    wrong += in[i] != (i % 2 != 0 ? -1 : sources[i / 4] * 1000 + rank * 10 + i % 4);
  }
}

/* The type is needed last in a call between neighbours, and given up in a call between others. */
static void exchange_type_whose_end_calls(void) {
  int keyval;
  MPI_Datatype plain = gapped_type();
  MPI_Type_create_keyval(MPI_TYPE_NULL_COPY_FN, count, &keyval, NULL);
  for (int round = 0; round < 6; ++round) {
    MPI_Datatype gapped = gapped_type();
    MPI_Comm graph = graph_of(round % 2), other = graph_of(1 - round % 2);
    MPI_Type_set_attr(gapped, keyval, NULL);
    for (int i = 0; i < 4; ++i) exchange_with_neighbors(graph, gapped);
    MPI_Type_free(&gapped);
    MPI_Comm_free(&graph);
    exchange_with_neighbors(other, plain);
    MPI_Comm_free(&other);
    call(MPI_COMM_WORLD, round);
  }
  MPI_Type_free(&plain);
  MPI_Type_free_keyval(&keyval);
}

/* Afterwards the arguments of one rank change from call to call, those of the others do not. */
static void exchange_type_that_one_rank_replaces(void) {
  int keyval, out[4 * most_ranks], in[4 * most_ranks], counts[most_ranks], places[most_ranks];
  MPI_Datatype gapped = gapped_type();
  MPI_Type_create_keyval(MPI_TYPE_NULL_COPY_FN, count, &keyval, NULL);
  MPI_Type_set_attr(gapped, keyval, NULL);
  for (int i = 0; i < 4; ++i) exchange(gapped, 0);
  print("%d deleted before\n", deleted);
  MPI_Type_free(&gapped);
  print("%d deleted after\n", deleted);
  for (int round = 0; round < 40; ++round) {
    const int turn = rank == 0 ? round : 0;
    for (int i = 0; i < ranks; ++i) counts[i] = 1, places[i] = (i + turn) % ranks;
    for (int i = 0; i < ranks; ++i) out[places[i]] = rank * 1000 + i + round;
    MPI_Alltoallv(out, counts, places, MPI_INT, in, counts, places, MPI_INT, MPI_COMM_WORLD);
    for (int i = 0; i < ranks; ++i) wrong += in[places[i]] != i * 1000 + rank + round;
  }
  MPI_Type_free_keyval(&keyval);
}

/* A persistent request outlives the types that it was made with, one for each rank. */
static void free_many_types_at_once(void) {
  int keyval, out[4 * most_ranks], in[4 * most_ranks], counts[most_ranks], places[most_ranks];
  MPI_Datatype types[most_ranks];
  MPI_Request request;
  MPI_Type_create_keyval(MPI_TYPE_NULL_COPY_FN, count, &keyval, NULL);
  for (int i = 0; i < ranks; ++i) {
    types[i] = gapped_type();
    MPI_Type_set_attr(types[i], keyval, NULL);
    counts[i] = 1;
    places[i] = i * 4 * (int)sizeof(int);
  }
  MPI_Alltoallw_init(out, counts, places, types, in, counts, places, types, MPI_COMM_WORLD, MPI_INFO_NULL, &request);
  for (int i = 0; i < 4 * ranks; ++i) out[i] = rank * 1000 + i, in[i] = -1;
  MPI_Start(&request);
  MPI_Wait(&request, MPI_STATUS_IGNORE);
  for (int i = 0; i < ranks; ++i) MPI_Type_free(&types[i]); /* Open MPI 4.1 itself does not start without them */
  for (int i = 0; i < 4 * ranks; ++i) {
    wrong += in[i] != (i % 2 != 0 ? -1 : i / 4 * 1000 + 4 * rank + i % 4);
  }
  MPI_Request_free(&request);
  print("%d deleted, %d deep\n", deleted, greatest_depth);
  MPI_Type_free_keyval(&keyval);
}

/* A persistent exchange and its data. */
static struct {
  int out[most_ranks], in[most_ranks];
  MPI_Request request;
} owned;

static void init_owned(void) {
  MPI_Alltoall_init(owned.out, 1, MPI_INT, owned.in, 1, MPI_INT, MPI_COMM_WORLD, MPI_INFO_NULL, &owned.request);
}

static void run_owned(int by_pmpi) {
  for (int i = 0; i < ranks; ++i) owned.out[i] = rank * 100 + i, owned.in[i] = -1;
  if (by_pmpi) {
    PMPI_Start(&owned.request);
    PMPI_Wait(&owned.request, MPI_STATUS_IGNORE);
  } else {
    MPI_Start(&owned.request);
    MPI_Wait(&owned.request, MPI_STATUS_IGNORE);
  }
  for (int i = 0; i < ranks; ++i) wrong += owned.in[i] != i * 100 + rank;
}

static int free_owned(MPI_Datatype type, int keyval, void *value, void *extra) {
  (void)type, (void)keyval, (void)value, (void)extra;
  print("the request of a type is freed\n");
  return MPI_Request_free(&owned.request);
}

static void exchange_type_with_request(void) {
  int keyval;
  MPI_Datatype gapped = gapped_type();
  MPI_Type_create_keyval(MPI_TYPE_NULL_COPY_FN, free_owned, &keyval, NULL);
  MPI_Type_set_attr(gapped, keyval, NULL);
  init_owned();
  for (int i = 0; i < 4; ++i) {
    exchange(gapped, 0);
    run_owned(0);
  }
  MPI_Type_free(&gapped);
  MPI_Type_free_keyval(&keyval);
}

static int run_by_pmpi(MPI_Comm comm, int keyval, void *value, void *extra) {
  (void)comm, (void)keyval, (void)value, (void)extra;
  run_owned(1);
  return MPI_SUCCESS;
}

static void run_request_in_the_end_of_a_communicator(void) {
  int keyval;
  MPI_Comm comm;
  MPI_Comm_create_keyval(MPI_COMM_NULL_COPY_FN, run_by_pmpi, &keyval, NULL);
  MPI_Comm_dup(MPI_COMM_WORLD, &comm);
  MPI_Comm_set_attr(comm, keyval, NULL);
  init_owned();
  run_owned(0);
  MPI_Comm_free(&comm);
  MPI_Request_free(&owned.request);
  MPI_Comm_free_keyval(&keyval);
}

/* The usual end of a library that a program uses. */
static int end_library(MPI_Comm comm, int keyval, void *value, void *extra) {
  (void)comm, (void)keyval, (void)value, (void)extra;
  run_owned(0);
  call(MPI_COMM_WORLD, 10);
  MPI_Request_free(&owned.request);
  if (wrong != 0) abort();
  return MPI_SUCCESS;
}

static void run_request_in_finalize(void) {
  int keyval;
  MPI_Comm_create_keyval(MPI_COMM_NULL_COPY_FN, end_library, &keyval, NULL);
  MPI_Comm_set_attr(MPI_COMM_SELF, keyval, NULL);
  MPI_Comm_free_keyval(&keyval);
  init_owned();
  run_owned(0);
}

int main(int argc, char **argv) {
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &ranks);
  for (int i = 0; i < ranks; ++i) free_communicator_whose_attribute_calls(i);
  for (int i = 0; i < 4; ++i) free_communicator_in_the_end_of_another(i % 2);
  exchange_type_with_attribute(refuse_to_copy);
  exchange_type_with_attribute(MPI_TYPE_DUP_FN);
  exchange_type_whose_end_calls();
  exchange_type_that_one_rank_replaces();
  free_many_types_at_once();
  exchange_type_with_request();
  run_request_in_the_end_of_a_communicator();
  run_request_in_finalize();
  print("%ld wrong, %d copied\n", wrong, copied);
  print_all();
  MPI_Finalize();
  return wrong != 0;
}
