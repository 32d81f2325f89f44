/* The loops by which all-to-all calls, and all-gathers, are usually measured. One after the manner of the OSU
 * benchmarks: a call, a barrier, and so on; calls that do not wait again with computation meanwhile. One after that of
 * the Intel MPI benchmarks: calls one after the other, through buffers that are no longer in a cache. And one of calls
 * whose arguments are new each time, as those of programs are that exchange other data in each round: the blocks move
 * on by eight bytes. What is received is compared.
 * usage: loops [--times] [--iterations N] [--warm-up N] [CALL...]
 *   without --times prints what does not depend on time; with it, a table of microseconds
 *   --iterations: calls of a size that count; --warm-up: those before them, which do not
 *   CALL: one of those in `calls`, all by default */
#include "persistent_calls.h"
#include "printed.h"

enum { largest = 1 << 20, off_cache_bytes = 1 << 26, places = 101 };

/* One call's buffers and arguments; block i is exchanged with rank peers[i]. An all-gather sends the first block, which
 * is the same for all. */
typedef struct {
  MPI_Comm comm;
  int rank, blocks, *peers;
  int size, *counts, *displs;
  int place; /* of the first block */
  int gathers;
  MPI_Datatype *types;
  char *out, *in;
  MPI_Request request;
} Exchange;

typedef struct {
  const char *name;
  void (*call)(Exchange *); /* for a persistent request: the init */
  enum { waits, to_be_waited_for, persistent } kind;
  int of_neighbors, off_cache, gathers, moves;
} Call;

static int with_times = 0, iterations = 3, skipped = 1;
static long wrong_bytes = 0;

static void alltoall(Exchange *e) {
  MPI_Alltoall(e->out, e->size, MPI_CHAR, e->in, e->size, MPI_CHAR, e->comm);
}

static void alltoallv(Exchange *e) {
  MPI_Alltoallv(e->out, e->counts, e->displs, MPI_CHAR, e->in, e->counts, e->displs, MPI_CHAR, e->comm);
}

static void alltoallw(Exchange *e) {
  MPI_Alltoallw(e->out, e->counts, e->displs, e->types, e->in, e->counts, e->displs, e->types, e->comm);
}

static void neighbor_alltoallv(Exchange *e) {
  MPI_Neighbor_alltoallv(e->out, e->counts, e->displs, MPI_CHAR, e->in, e->counts, e->displs, MPI_CHAR, e->comm);
}

static void neighbor_alltoall(Exchange *e) {
  MPI_Neighbor_alltoall(e->out, e->size, MPI_CHAR, e->in, e->size, MPI_CHAR, e->comm);
}

static void allgather(Exchange *e) {
  MPI_Allgather(e->out, e->size, MPI_CHAR, e->in, e->size, MPI_CHAR, e->comm);
}

static void allgatherv(Exchange *e) {
  MPI_Allgatherv(e->out, e->size, MPI_CHAR, e->in, e->counts, e->displs, MPI_CHAR, e->comm);
}

static void ialltoall(Exchange *e) {
  MPI_Ialltoall(e->out, e->size, MPI_CHAR, e->in, e->size, MPI_CHAR, e->comm, &e->request);
}

static void ialltoallv(Exchange *e) {
  MPI_Ialltoallv(e->out, e->counts, e->displs, MPI_CHAR, e->in, e->counts, e->displs, MPI_CHAR, e->comm, &e->request);
}

static void ialltoallw(Exchange *e) {
  MPI_Ialltoallw(e->out, e->counts, e->displs, e->types, e->in, e->counts, e->displs, e->types, e->comm, &e->request);
}

static void ineighbor_alltoall(Exchange *e) {
  MPI_Ineighbor_alltoall(e->out, e->size, MPI_CHAR, e->in, e->size, MPI_CHAR, e->comm, &e->request);
}

static void ineighbor_alltoallv(Exchange *e) {
  MPI_Ineighbor_alltoallv(e->out, e->counts, e->displs, MPI_CHAR, e->in, e->counts, e->displs, MPI_CHAR, e->comm,
                          &e->request);
}

static void alltoall_init(Exchange *e) {
  MPI_Alltoall_init(e->out, e->size, MPI_CHAR, e->in, e->size, MPI_CHAR, e->comm, MPI_INFO_NULL, &e->request);
}

static void alltoallv_init(Exchange *e) {
  MPI_Alltoallv_init(e->out, e->counts, e->displs, MPI_CHAR, e->in, e->counts, e->displs, MPI_CHAR, e->comm,
                     MPI_INFO_NULL, &e->request);
}

static void neighbor_alltoallv_init(Exchange *e) {
  MPI_Neighbor_alltoallv_init(e->out, e->counts, e->displs, MPI_CHAR, e->in, e->counts, e->displs, MPI_CHAR, e->comm,
                              MPI_INFO_NULL, &e->request);
}

static const Call calls[] = {
    {"alltoall", alltoall, waits, 0, 0, 0, 0},
    {"alltoallv", alltoallv, waits, 0, 0, 0, 0},
    {"alltoallw", alltoallw, waits, 0, 0, 0, 0},
    {"neighbor_alltoall", neighbor_alltoall, waits, 1, 0, 0, 0},
    {"neighbor_alltoallv", neighbor_alltoallv, waits, 1, 0, 0, 0},
    {"allgather", allgather, waits, 0, 0, 1, 0},
    {"allgatherv", allgatherv, waits, 0, 0, 1, 0},
    {"ialltoall", ialltoall, to_be_waited_for, 0, 0, 0, 0},
    {"ialltoallv", ialltoallv, to_be_waited_for, 0, 0, 0, 0},
    {"ialltoallw", ialltoallw, to_be_waited_for, 0, 0, 0, 0},
    {"ineighbor_alltoall", ineighbor_alltoall, to_be_waited_for, 1, 0, 0, 0},
    {"ineighbor_alltoallv", ineighbor_alltoallv, to_be_waited_for, 1, 0, 0, 0},
    {"alltoall_init", alltoall_init, persistent, 0, 0, 0, 0},
    {"alltoallv_init", alltoallv_init, persistent, 0, 0, 0, 0},
    {"neighbor_alltoallv_init", neighbor_alltoallv_init, persistent, 1, 0, 0, 0},
    {"alltoall_off_cache", alltoall, waits, 0, 1, 0, 0},
    {"alltoallv_off_cache", alltoallv, waits, 0, 1, 0, 0},
    {"alltoallv_moving", alltoallv, waits, 0, 0, 0, 1},
    {"neighbor_alltoallv_moving", neighbor_alltoallv, waits, 1, 0, 0, 1},
    {"allgatherv_moving", allgatherv, waits, 0, 0, 1, 1},
    {"ialltoallv_moving", ialltoallv, to_be_waited_for, 0, 0, 0, 1},
};

/* What one rank has for another at a place of a block, in a round. */
static char value(int from, int to, int round, int place) {
  return (char)(31 * from + 17 * to + 7 * round + place + place / 251);
}

static void fill(const Exchange *e, int round) {
  for (int block = 0; block < e->blocks; ++block) {
    for (int i = 0; i < e->size; ++i) {
      e->out[(size_t)(e->gathers ? i : e->displs[block] + i)] =
          value(e->rank, e->gathers ? 0 : e->peers[block], round, i);
    }
  }
  memset(e->in + e->place, 0, (size_t)e->blocks * (size_t)e->size);
}

static void check(const Exchange *e, int round) {
  for (int block = 0; block < e->blocks; ++block) {
    for (int i = 0; i < e->size; ++i) {
      if (e->in[(size_t)(e->displs[block] + i)] != value(e->peers[block], e->gathers ? 0 : e->rank, round, i))
        ++wrong_bytes;
    }
  }
}

static unsigned checksum(const Exchange *e) {
  unsigned sum = 0;
  const unsigned char *const in = (const unsigned char *)e->in + e->place;
  for (size_t i = 0; i < (size_t)e->blocks * (size_t)e->size; ++i) sum = sum * 31 + in[i];
  return sum;
}

static void place_blocks(Exchange *e, int place) {
  e->place = place;
  for (int i = 0; i < e->blocks; ++i) e->displs[i] = place + i * e->size;
}

/* Arithmetic for as long as it is asked for, without looking at the clock too often. */
static void compute(double seconds) {
  static volatile double kept = 0;
  const double end = MPI_Wtime() + seconds;
  do {
    double sum = kept;
    for (int i = 0; i < 200; ++i) sum = sum * 0.999 + i;
    kept = sum;
  } while (MPI_Wtime() < end);
}

/* One call and, where that is its kind, the wait for it; seconds. */
static double once(const Call *call, Exchange *e, double computing) {
  const double begun = MPI_Wtime();
  if (call->kind == persistent) {
    MPI_Start(&e->request);
  } else {
    call->call(e);
  }
  if (computing > 0) compute(computing);
  if (call->kind != waits) MPI_Wait(&e->request, MPI_STATUS_IGNORE);
  return MPI_Wtime() - begun;
}

/* A call, a barrier, and so on. Seconds a call. */
static double with_barriers(const Call *call, Exchange *e, int times, double computing) {
  double total = 0;
  for (int i = -skipped; i < times; ++i) {
    const int compared = !with_times || i == times - 1;
    if (call->moves) place_blocks(e, 8 * ((i + skipped) % places));
    if (compared) fill(e, i + skipped);
    MPI_Barrier(e->comm);
    const double seconds = once(call, e, computing);
    if (i >= 0) total += seconds;
    MPI_Barrier(e->comm);
    if (compared) check(e, i + skipped);
  }
  return total / times;
}

/* Call after call, each with the buffers that have not been used for longest. Seconds a call. */
static double off_cache(const Call *call, Exchange *e, int times) {
  const size_t bytes = (size_t)e->blocks * (size_t)e->size;
  size_t pairs = with_times ? (size_t)off_cache_bytes / (2 * bytes) : 2;
  if (pairs > (size_t)times) pairs = (size_t)times;
  if (pairs < 2) pairs = 2;
  char *const out = malloc(pairs * bytes), *const in = malloc(pairs * bytes);
  Exchange turned = *e;
  for (size_t pair = 0; pair < pairs; ++pair) {
    turned.out = out + pair * bytes;
    turned.in = in + pair * bytes;
    fill(&turned, (int)(pair % 100));
  }
  double begun = 0;
  for (int i = -skipped; i < times; ++i) {
    if (i == 0) {
      MPI_Barrier(e->comm);
      begun = MPI_Wtime();
    }
    const size_t pair = (size_t)(i + skipped) % pairs;
    turned.out = out + pair * bytes;
    turned.in = in + pair * bytes;
    call->call(&turned);
  }
  const double seconds = (MPI_Wtime() - begun) / times;
  for (size_t pair = 0; pair < pairs; ++pair) {
    turned.out = out + pair * bytes;
    turned.in = in + pair * bytes;
    check(&turned, (int)(pair % 100));
  }
  memcpy(e->in, in, bytes);
  free(out);
  free(in);
  return seconds;
}

/* The part of a call's time that goes on under a computation that takes as long. */
static double overlap(const Call *call, Exchange *e, int times, double pure) {
  double longest = pure;
  MPI_Allreduce(&pure, &longest, 1, MPI_DOUBLE, MPI_MAX, e->comm);
  const double overall = with_barriers(call, e, times, longest);
  const double hidden = 1 - (overall - longest) / pure;
  return hidden < 0 ? 0 : hidden > 1 ? 1 : hidden;
}

static void print_times(const Call *call, const Exchange *e, int times, double seconds, double hidden) {
  double least = 0, most = 0, sum = 0, least_hidden = 0;
  int ranks = 0;
  MPI_Comm_size(e->comm, &ranks);
  MPI_Reduce(&seconds, &least, 1, MPI_DOUBLE, MPI_MIN, 0, e->comm);
  MPI_Reduce(&seconds, &most, 1, MPI_DOUBLE, MPI_MAX, 0, e->comm);
  MPI_Reduce(&seconds, &sum, 1, MPI_DOUBLE, MPI_SUM, 0, e->comm);
  MPI_Reduce(&hidden, &least_hidden, 1, MPI_DOUBLE, MPI_MIN, 0, e->comm);
  if (e->rank != 0) return;
  printf("%-24s %8d %6d %10.3f %10.3f %10.3f", call->name, e->size, times, sum / ranks * 1e6, least * 1e6, most * 1e6);
  if (hidden >= 0) printf(" %8.0f %%", least_hidden * 100);
  printf("\n");
  fflush(stdout);
}

static void set_size(Exchange *e, int size) {
  e->size = size;
  for (int i = 0; i < e->blocks; ++i) {
    e->counts[i] = size;
    e->types[i] = MPI_CHAR;
  }
  place_blocks(e, 0);
}

static void loop(const Call *call, Exchange *e) {
  const long wrong_before = wrong_bytes;
  e->gathers = call->gathers;
  unsigned sums = 0;
  const int factor = with_times ? 4 : 32;
  for (int size = 1; size <= largest; size *= factor) {
    const int times = !with_times || size <= 16384 ? iterations : (iterations + 3) / 4;
    set_size(e, size);
    if (call->kind == persistent) call->call(e);
    const double seconds = call->off_cache ? off_cache(call, e, times) : with_barriers(call, e, times, 0);
    const double hidden = call->kind == waits ? -1 : overlap(call, e, times, seconds);
    if (call->kind == persistent) MPI_Request_free(&e->request);
    sums = sums * 31 + checksum(e);
    if (with_times) print_times(call, e, times, seconds, hidden);
  }
  print("%s, 1 to %d bytes: %ld wrong, received %08x\n", call->name, largest, wrong_bytes - wrong_before, sums);
}

static Exchange make_exchange(MPI_Comm comm, int blocks) {
  Exchange e = {.comm = comm, .blocks = blocks, .request = MPI_REQUEST_NULL};
  MPI_Comm_rank(comm, &e.rank);
  e.peers = malloc(sizeof(int) * (size_t)blocks);
  e.counts = malloc(sizeof(int) * (size_t)blocks);
  e.displs = malloc(sizeof(int) * (size_t)blocks);
  e.types = malloc(sizeof(MPI_Datatype) * (size_t)blocks);
  e.out = malloc((size_t)blocks * largest + 8 * places);
  e.in = malloc((size_t)blocks * largest + 8 * places);
  return e;
}

static void free_exchange(Exchange *e) {
  free(e->peers);
  free(e->counts);
  free(e->displs);
  free(e->types);
  free(e->out);
  free(e->in);
}

static int is_wanted(const Call *call, int argc, char **argv, int first) {
  for (int i = first; i < argc; ++i) {
    if (strcmp(argv[i], call->name) == 0) return 1;
  }
  return first == argc;
}

int main(int argc, char **argv) {
  int ranks = 0, first = 1;
  MPI_Init(&argc, &argv);
  if (first < argc && strcmp(argv[first], "--times") == 0) {
    with_times = 1;
    iterations = 200;
    skipped = 20;
    ++first;
  }
  for (; first + 1 < argc && strncmp(argv[first], "--", 2) == 0; first += 2) {
    if (strcmp(argv[first], "--iterations") == 0) iterations = atoi(argv[first + 1]);
    if (strcmp(argv[first], "--warm-up") == 0) skipped = atoi(argv[first + 1]);
  }
  MPI_Comm_size(MPI_COMM_WORLD, &ranks);
  Exchange all = make_exchange(MPI_COMM_WORLD, ranks);
  for (int i = 0; i < ranks; ++i) all.peers[i] = i;
  Exchange others = make_exchange(MPI_COMM_WORLD, ranks - 1); /* every other rank is a neighbour once */
  for (int i = 0; i < ranks - 1; ++i) others.peers[i] = (others.rank + 1 + i) % ranks;
  MPI_Dist_graph_create_adjacent(MPI_COMM_WORLD, ranks - 1, others.peers, MPI_UNWEIGHTED, ranks - 1, others.peers,
                                 MPI_UNWEIGHTED, MPI_INFO_NULL, 0, &others.comm);
  if (with_times && all.rank == 0) {
    printf("%-24s %8s %6s %10s %10s %10s %10s\n", "call", "bytes", "calls", "avg us", "min us", "max us", "overlap");
  }
  for (size_t i = 0; i < sizeof(calls) / sizeof(calls[0]); ++i) {
    if (is_wanted(&calls[i], argc, argv, first)) loop(&calls[i], calls[i].of_neighbors ? &others : &all);
  }
  if (!with_times || wrong_bytes > 0) print_all();
  MPI_Comm_free(&others.comm);
  free_exchange(&all);
  free_exchange(&others);
  MPI_Finalize();
  return wrong_bytes > 0;
}
