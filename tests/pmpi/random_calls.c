/* All-to-all calls and all-gathers drawn at random, the same on all ranks: kinds, communicators, sizes that differ by
 * pair and by call, types with gaps on either side, in place, several non-blocking ones under way among blocking ones.
 * Each is done twice, by its MPI_ name and by the MPI library itself, and every byte of the receive buffers compared.
 */
#include "library_call.h"
#include "printed.h"
#include "repeated_neighbors.h"

enum { most_ranks = 8, slots = 4, comms_count = 3, most_ints = 1 << 18 };

typedef enum {
  alltoall,
  alltoallv,
  alltoallw,
  allgather,
  allgatherv,
  neighbor_alltoallv,
  neighbor_alltoall,
  neighbor_alltoallw,
  kinds
} Kind;

static const char *const names[kinds] = {"alltoall",   "alltoallv",          "alltoallw",         "allgather",
                                         "allgatherv", "neighbor_alltoallv", "neighbor_alltoall", "neighbor_alltoallw"};

/* One call: offsets and counts are in units of a type of one or two ints of data. */
typedef struct {
  int *out, *in, *expected;
  int sent[most_ranks], sent_at[most_ranks], received[most_ranks], received_at[most_ranks];
  int sent_bytes_at[most_ranks], received_bytes_at[most_ranks];
  MPI_Aint sent_far_at[most_ranks], received_far_at[most_ranks];
  MPI_Datatype sent_types[most_ranks], received_types[most_ranks];
  MPI_Request request;
  int busy;
} Call;

static Call slots_of[slots];
static MPI_Comm comms[comms_count], ring;
static MPI_Datatype gapped; /* two ints of data in four */
static unsigned state;
static long done[kinds][2], wrong;

static unsigned draw(unsigned below) {
  state = state * 1664525U + 1013904223U;
  return (state >> 8) % below;
}

static int of_neighbors(Kind kind) {
  return kind >= neighbor_alltoallv;
}

static int is_even(Kind kind) {
  return kind == alltoall || kind == allgather || kind == neighbor_alltoall;
}

/* Known to both ends: how many pairs of ints one rank has for another in a call. */
static int pairs(unsigned call, int from, int to, int large) {
  unsigned hash = (call * 2654435761U) ^ ((unsigned)(from * 64 + to) * 40503U);
  hash ^= hash >> 13;
  hash *= 2246822519U;
  hash ^= hash >> 16;
  if (hash % 3 == 0) return 0;
  return (int)(hash / 3 % (large ? 12000 : 40));
}

static void prepare(Call *call, int own_number) {
  for (int i = 0; i < most_ints; ++i) {
    call->out[i] = own_number * 1000003 + i;
    call->in[i] = call->expected[i] = -i;
  }
}

static void describe(Call *call, Kind kind, unsigned number, int large, int in_place, MPI_Comm comm) {
  int rank, ranks, out = 0, in = 0;
  MPI_Comm_rank(comm, &rank);
  MPI_Comm_size(comm, &ranks);
  const int entries = of_neighbors(kind) ? 2 : ranks;
  const int gaps_out = !in_place && (number >> 3) % 3 == 0, gaps_in = (number >> 4) % 3 == 0;
  for (int i = 0; i < entries; ++i) {
    const int to = !of_neighbors(kind) ? i : (i == 0 ? (rank + 1) % ranks : (rank + ranks - 1) % ranks);
    const int from = !of_neighbors(kind) ? i : (i == 0 ? (rank + ranks - 1) % ranks : (rank + 1) % ranks);
    int send = pairs(number, rank, to, large), receive = pairs(number, from, rank, large);
    if (in_place) send = receive = pairs(number, to < rank ? to : rank, to < rank ? rank : to, large);
    if (of_neighbors(kind)) { /* two ranks are each other's neighbours twice */
      send = pairs(number, rank, i, large);
      receive = pairs(number, from, i, large);
    }
    if (kind == allgatherv) {
      send = pairs(number, rank, 0, large);
      receive = pairs(number, i, 0, large);
    }
    if (is_even(kind)) send = receive = pairs(number, 0, 0, large);
    const int unit_out = gaps_out ? 1 : 2, unit_in = gaps_in ? 1 : 2;
    call->sent_types[i] = gaps_out ? gapped : MPI_INT;
    call->received_types[i] = gaps_in ? gapped : MPI_INT;
    call->sent[i] = send * unit_out;
    call->received[i] = receive * unit_in;
    const int gap = is_even(kind) ? 0 : (int)(number % 3);
    call->sent_at[i] = out;
    call->received_at[i] = in;
    call->sent_far_at[i] = call->sent_bytes_at[i] = out * (gaps_out ? 16 : 4);
    call->received_far_at[i] = call->received_bytes_at[i] = in * (gaps_in ? 16 : 4);
    out += call->sent[i] + gap;
    in += call->received[i] + gap;
  }
}

static void run_blocking(Call *c, Kind kind, int in_place, MPI_Comm comm, int native) {
  const void *const out = in_place ? MPI_IN_PLACE : c->out;
  int *const in = native ? c->expected : c->in;
  switch (kind) {
    case alltoall:
      (native ? LIBRARY_CALL(MPI_Alltoall) : MPI_Alltoall)(out, c->sent[0], c->sent_types[0], in, c->received[0],
                                                           c->received_types[0], comm);
      break;
    case alltoallw:
      (native ? LIBRARY_CALL(MPI_Alltoallw) : MPI_Alltoallw)(out, c->sent, c->sent_bytes_at, c->sent_types, in,
                                                             c->received, c->received_bytes_at, c->received_types,
                                                             comm);
      break;
    case alltoallv:
      (native ? LIBRARY_CALL(MPI_Alltoallv) : MPI_Alltoallv)(out, c->sent, c->sent_at, c->sent_types[0], in,
                                                             c->received, c->received_at, c->received_types[0], comm);
      break;
    case allgather:
      (native ? LIBRARY_CALL(MPI_Allgather) : MPI_Allgather)(out, c->sent[0], c->sent_types[0], in, c->received[0],
                                                             c->received_types[0], comm);
      break;
    case allgatherv:
      (native ? LIBRARY_CALL(MPI_Allgatherv) : MPI_Allgatherv)(out, c->sent[0], c->sent_types[0], in, c->received,
                                                               c->received_at, c->received_types[0], comm);
      break;
    case neighbor_alltoall:
      (native ? LIBRARY_CALL(MPI_Neighbor_alltoall) : MPI_Neighbor_alltoall)(
          out, c->sent[0], c->sent_types[0], in, c->received[0], c->received_types[0], comm);
      break;
    case neighbor_alltoallw:
      (native ? LIBRARY_CALL(MPI_Neighbor_alltoallw) : MPI_Neighbor_alltoallw)(
          out, c->sent, c->sent_far_at, c->sent_types, in, c->received, c->received_far_at, c->received_types, comm);
      break;
    default:
      (native ? LIBRARY_CALL(MPI_Neighbor_alltoallv) : MPI_Neighbor_alltoallv)(
          out, c->sent, c->sent_at, c->sent_types[0], in, c->received, c->received_at, c->received_types[0], comm);
  }
}

static void begin(Call *c, Kind kind, int in_place, MPI_Comm comm) {
  const void *const out = in_place ? MPI_IN_PLACE : c->out;
  switch (kind) {
    case alltoall:
      MPI_Ialltoall(out, c->sent[0], c->sent_types[0], c->in, c->received[0], c->received_types[0], comm, &c->request);
      break;
    case alltoallw:
      MPI_Ialltoallw(out, c->sent, c->sent_bytes_at, c->sent_types, c->in, c->received, c->received_bytes_at,
                     c->received_types, comm, &c->request);
      break;
    case alltoallv:
      MPI_Ialltoallv(out, c->sent, c->sent_at, c->sent_types[0], c->in, c->received, c->received_at,
                     c->received_types[0], comm, &c->request);
      break;
    case allgather:
      MPI_Iallgather(out, c->sent[0], c->sent_types[0], c->in, c->received[0], c->received_types[0], comm, &c->request);
      break;
    case allgatherv:
      MPI_Iallgatherv(out, c->sent[0], c->sent_types[0], c->in, c->received, c->received_at, c->received_types[0], comm,
                      &c->request);
      break;
    case neighbor_alltoall:
      MPI_Ineighbor_alltoall(out, c->sent[0], c->sent_types[0], c->in, c->received[0], c->received_types[0], comm,
                             &c->request);
      break;
    case neighbor_alltoallw:
      MPI_Ineighbor_alltoallw(out, c->sent, c->sent_far_at, c->sent_types, c->in, c->received, c->received_far_at,
                              c->received_types, comm, &c->request);
      break;
    default:
      MPI_Ineighbor_alltoallv(out, c->sent, c->sent_at, c->sent_types[0], c->in, c->received, c->received_at,
                              c->received_types[0], comm, &c->request);
  }
}

static void compare(Call *call, Kind kind, unsigned number) {
  if (memcmp(call->in, call->expected, sizeof(int) * most_ints) == 0) return;
  if (wrong++ < 5) print("call %u, %s: wrong\n", number, names[kind]);
}

static Kind kind_of[slots];
static unsigned number_of[slots];

static void finish(int slot) {
  slots_of[slot].busy = 0;
  compare(&slots_of[slot], kind_of[slot], number_of[slot]);
}

/* Completes some or all of what is under way, by different calls. */
static void finish_some(unsigned how) {
  MPI_Request requests[slots];
  MPI_Status statuses[slots]; /* not MPI_STATUSES_IGNORE, at which GCC takes offence in MPICH */
  int indices[slots], count = 0, index = 0, flag = 0;
  for (int i = 0; i < slots; ++i) requests[i] = slots_of[i].busy ? slots_of[i].request : MPI_REQUEST_NULL;
  if (how == 0) {
    MPI_Waitall(slots, requests, statuses);
    for (int i = 0; i < slots; ++i) indices[count++] = i;
  } else if (how == 1) {
    MPI_Waitany(slots, requests, &index, MPI_STATUS_IGNORE);
    if (index != MPI_UNDEFINED) indices[count++] = index;
  } else if (how == 2) {
    MPI_Waitsome(slots, requests, &count, indices, statuses);
  } else {
    index = (int)(how % slots);
    while (flag == 0) MPI_Test(&requests[index], &flag, MPI_STATUS_IGNORE);
    indices[count++] = index;
  }
  for (int i = 0; i < count; ++i) {
    if (slots_of[indices[i]].busy) {
      if (requests[indices[i]] != MPI_REQUEST_NULL) ++wrong;
      finish(indices[i]);
    }
  }
}

static int free_slot(void) {
  for (int slot = 0; slot < slots; ++slot) {
    if (!slots_of[slot].busy) return slot;
  }
  return -1;
}

static void one_call(unsigned number, int world_rank, unsigned drawn_kinds) {
  const Kind kind = (Kind)draw(drawn_kinds);
  const int waits = draw(3) != 0, large = draw(12) == 0;
  const int in_place = !of_neighbors(kind) && draw(5) == 0;
  const unsigned which = draw(comms_count), how = draw(3 + slots);
  while (free_slot() < 0) finish_some(how); /* how many are then complete may differ between ranks */
  const int slot = free_slot();
  Call *const call = &slots_of[slot];
  const MPI_Comm comm = of_neighbors(kind) ? ring : comms[which];
  prepare(call, (int)number * most_ranks + world_rank);
  describe(call, kind, number, large, in_place, comm);
  kind_of[slot] = kind;
  number_of[slot] = number;
  ++done[kind][waits];
  if (in_place) memcpy(call->in, call->out, sizeof(int) * most_ints);
  if (in_place) memcpy(call->expected, call->out, sizeof(int) * most_ints);
  if (waits) {
    run_blocking(call, kind, in_place, comm, 0);
  } else {
    begin(call, kind, in_place, comm);
    call->busy = 1;
  }
  run_blocking(call, kind, in_place, comm, 1);
  if (waits) compare(call, kind, number);
}

int main(int argc, char **argv) {
  int rank, ranks;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &ranks);
  const int calls = argc > 1 ? atoi(argv[1]) : 100;
  state = argc > 2 ? (unsigned)atoi(argv[2]) : 1;
  for (int i = 0; i < slots; ++i) {
    slots_of[i].out = malloc(sizeof(int) * most_ints);
    slots_of[i].in = malloc(sizeof(int) * most_ints);
    slots_of[i].expected = malloc(sizeof(int) * most_ints);
  }
  MPI_Datatype two;
  MPI_Type_vector(2, 1, 2, MPI_INT, &two);
  MPI_Type_create_resized(two, 0, 16, &gapped);
  MPI_Type_commit(&gapped);
  MPI_Type_free(&two);
  comms[0] = MPI_COMM_WORLD;
  MPI_Comm_dup(MPI_COMM_WORLD, &comms[1]);
  MPI_Comm_split(MPI_COMM_WORLD, 0, -rank, &comms[2]);
  const int destinations[2] = {(rank + 1) % ranks, (rank + ranks - 1) % ranks};
  const int sources[2] = {(rank + ranks - 1) % ranks, (rank + 1) % ranks};
  int weights[2] = {1, 1};
  MPI_Dist_graph_create_adjacent(MPI_COMM_WORLD, 2, sources, weights, 2, destinations, weights, MPI_INFO_NULL, 0,
                                 &ring);

  /* Two ranks are each other's neighbours twice. */
  const int has_neighbors = ranks > 2 || library_keeps_order_of_repeated_neighbors();
  const unsigned drawn_kinds = has_neighbors ? kinds : neighbor_alltoallv;
  for (int number = 0; number < calls; ++number) one_call((unsigned)number, rank, drawn_kinds);
  finish_some(0);

  for (int kind = 0; kind < kinds; ++kind)
    print("%s: %ld, i%s: %ld\n", names[kind], done[kind][1], names[kind], done[kind][0]);
  print("%ld wrong\n", wrong);
  MPI_Type_free(&gapped);
  for (int i = 1; i < comms_count; ++i) MPI_Comm_free(&comms[i]);
  MPI_Comm_free(&ring);
  print_all();
  MPI_Finalize();
  return wrong != 0;
}
