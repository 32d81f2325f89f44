/* Communicators of groups drawn at random, the same on all ranks: which ranks of the world, in which order. Calls on
 * several of them by turns, on the world among them, then some are freed and others drawn. Ranks that are in one and
 * not in another have made different numbers of calls. What has come is compared with what was sent.
 *
 * Some have an attribute, which each rank sets before their first calls or after them. When such a communicator is
 * freed, the attribute's delete function frees a duplicate of it, which may have such an attribute, too, and makes
 * calls on all communicators that are being freed. */
#include "printed.h"

#include <stdlib.h>

enum { most_ranks = 8, open = 4 };

static int rank, ranks;
static unsigned state;
static long calls, wrong;

static unsigned draw(unsigned below) {
  state = state * 1664525U + 1013904223U;
  return (state >> 8) % below;
}

static void call(MPI_Comm comm, int kind, int ints);

/* A communicator whose attribute this is, the duplicate that it frees, and the one that frees it. */
struct end {
  MPI_Comm comm;
  struct end *inner, *outer;
};

static int end_keyval;

static int end_communicator(MPI_Comm comm, int keyval, void *value, void *extra) {
  struct end *const own = value;
  const int kind = own->inner == NULL ? 0 : 1;
  (void)comm, (void)keyval, (void)extra;
  if (own->inner != NULL) {
    MPI_Comm freed = own->inner->comm;
    MPI_Comm_free(&freed);
  }
  for (const struct end *one = own; one != NULL; one = one->outer) call(one->comm, kind, 3);
  free(own);
  return MPI_SUCCESS;
}

static struct end *set_end(MPI_Comm comm, int depth, struct end *outer) {
  struct end *const own = malloc(sizeof(*own));
  const int later = (int)draw((unsigned)ranks + 1);
  *own = (struct end){comm, NULL, outer};
  if (depth > 0) {
    MPI_Comm inner;
    MPI_Comm_dup(comm, &inner);
    own->inner = set_end(inner, depth - 1, own);
  }
  if (later != rank) MPI_Comm_set_attr(comm, end_keyval, own);
  for (int i = 0; i < 3; ++i) call(comm, 0, 2);
  if (later == rank) MPI_Comm_set_attr(comm, end_keyval, own);
  return own;
}

/* A rank is in it by one of these, and its place is drawn, too. */
static MPI_Comm draw_communicator(void) {
  MPI_Comm made;
  unsigned members = draw(1U << ranks);
  const int orders = (int)draw(3);
  int key = rank;
  for (int i = 0; i < ranks; ++i) {
    const int drawn = orders == 0 ? i : orders == 1 ? ranks - i : (int)draw(100);
    if (i == rank) key = drawn;
  }
  if (members == 0) members = (1U << ranks) - 1;
  MPI_Comm_split(MPI_COMM_WORLD, (members >> rank & 1) != 0 ? 0 : MPI_UNDEFINED, key, &made);
  const unsigned before = state;
  if (made != MPI_COMM_NULL && draw(4) == 0) set_end(made, (int)draw(4), NULL);
  state = before + 1; /* for ranks that are not in it, too */
  return made;
}

static void call(MPI_Comm comm, int kind, int ints) {
  static int out[most_ranks * 3000], in[most_ranks * 3000], counts[most_ranks], places[most_ranks];
  int own, size;
  if (comm == MPI_COMM_NULL) return;
  MPI_Comm_rank(comm, &own);
  MPI_Comm_size(comm, &size);
  for (int i = 0; i < size; ++i) {
    counts[i] = ints;
    places[i] = i * ints;
    for (int j = 0; j < ints; ++j) {
      out[i * ints + j] = own * 1000000 + i * 10000 + j + kind;
      in[i * ints + j] = -1;
    }
  }
  if (kind == 0) {
    MPI_Alltoall(out, ints, MPI_INT, in, ints, MPI_INT, comm);
  } else if (kind == 1) {
    MPI_Alltoallv(out, counts, places, MPI_INT, in, counts, places, MPI_INT, comm);
  } else {
    MPI_Request request;
    MPI_Ialltoallv(out, counts, places, MPI_INT, in, counts, places, MPI_INT, comm, &request);
    MPI_Wait(&request, MPI_STATUS_IGNORE);
  }
  ++calls;
  for (int i = 0; i < size; ++i) {
    for (int j = 0; j < ints; ++j) wrong += in[i * ints + j] != i * 1000000 + own * 10000 + j + kind;
  }
}

int main(int argc, char **argv) {
  MPI_Comm comms[open];
  const int times = argc > 1 ? atoi(argv[1]) : 50;
  state = argc > 2 ? (unsigned)atoi(argv[2]) : 1;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &ranks);
  MPI_Comm_create_keyval(MPI_COMM_NULL_COPY_FN, end_communicator, &end_keyval, NULL);
  for (int i = 0; i < open; ++i) comms[i] = draw_communicator();
  for (int time = 0; time < times; ++time) {
    const int which = (int)draw(open + 1), kind = (int)draw(3), ints = draw(4) == 0 ? 3000 : 1 + (int)draw(20);
    for (int more = (int)draw(4); more >= 0; --more) call(which == open ? MPI_COMM_WORLD : comms[which], kind, ints);
    if (which == open || draw(2) == 0) continue;
    if (comms[which] != MPI_COMM_NULL) MPI_Comm_free(&comms[which]);
    comms[which] = draw_communicator();
  }
  for (int i = 0; i < open; ++i) {
    if (comms[i] != MPI_COMM_NULL) MPI_Comm_free(&comms[i]);
  }
  MPI_Comm_free_keyval(&end_keyval);
  print("%ld calls, %ld wrong\n", calls, wrong);
  print_all();
  MPI_Finalize();
  return wrong != 0;
}
