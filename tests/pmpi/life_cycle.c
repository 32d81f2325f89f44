/* Walks the life of persistent requests as MPI-4 has it (sections 3.7.3, 3.7.5, 3.9, 6.13), printing what the standard
 * lets a program see: the same with and without the interposer. */
#include "persistent_calls.h"
#include "printed.h"

enum { most_ranks = 8, kinds = 4, block = 3 };

static int rank, ranks;
static MPI_Comm line; /* the ranks in a row, each a neighbour of the next */

/* One exchange of each kind; what rank a has for rank b in a round can be told from any other. */
typedef struct {
  int out[most_ranks * block], in[most_ranks * block];
  int counts[most_ranks], displs[most_ranks], byte_displs[most_ranks];
  MPI_Datatype types[most_ranks];
  int peers[most_ranks], entries;
  MPI_Request request;
} Exchange;

static Exchange exchanges[kinds];
static int round_number = 0;

static int value(int from, int to, int kind, int i) {
  return ((round_number * kinds + kind) * most_ranks + from) * most_ranks * block + to * block + i;
}

static void fill(Exchange *e, int kind) {
  for (int entry = 0; entry < e->entries; ++entry) {
    for (int i = 0; i < block; ++i) {
      e->out[entry * block + i] = value(rank, e->peers[entry], kind, i);
      e->in[entry * block + i] = -1;
    }
  }
}

static const char *verdict(const Exchange *e, int kind) {
  for (int entry = 0; entry < e->entries; ++entry) {
    for (int i = 0; i < block; ++i) {
      if (e->in[entry * block + i] != value(e->peers[entry], rank, kind, i)) return "wrong";
    }
  }
  return "right";
}

static void describe(Exchange *e, int kind) {
  if (kind == 3) {
    e->entries = 0;
    if (rank > 0) e->peers[e->entries++] = rank - 1;
    if (rank < ranks - 1) e->peers[e->entries++] = rank + 1;
  } else {
    e->entries = ranks;
    for (int peer = 0; peer < ranks; ++peer) e->peers[peer] = peer;
  }
  for (int entry = 0; entry < e->entries; ++entry) {
    e->counts[entry] = block;
    e->displs[entry] = entry * block;
    e->byte_displs[entry] = entry * block * (int)sizeof(int);
    e->types[entry] = MPI_INT;
  }
}

static int init(Exchange *e, int kind, MPI_Comm comm) {
  describe(e, kind);
  switch (kind) {
    case 0:
      return MPI_Alltoallv_init(e->out, e->counts, e->displs, MPI_INT, e->in, e->counts, e->displs, MPI_INT, comm,
                                MPI_INFO_NULL, &e->request);
    case 1: return MPI_Alltoall_init(e->out, block, MPI_INT, e->in, block, MPI_INT, comm, MPI_INFO_NULL, &e->request);
    case 2:
      return MPI_Alltoallw_init(e->out, e->counts, e->byte_displs, e->types, e->in, e->counts, e->byte_displs, e->types,
                                comm, MPI_INFO_NULL, &e->request);
    default:
      return MPI_Neighbor_alltoallv_init(e->out, e->counts, e->displs, MPI_INT, e->in, e->counts, e->displs, MPI_INT,
                                         line, MPI_INFO_NULL, &e->request);
  }
}

static void next_round(void) {
  ++round_number;
  for (int kind = 0; kind < kinds; ++kind) fill(&exchanges[kind], kind);
}

static void print_verdicts(const char *what) {
  print("%s:", what);
  for (int kind = 0; kind < kinds; ++kind) print(" %s", verdict(&exchanges[kind], kind));
  print("\n");
}

static void print_empty(const char *what, const MPI_Status *status) {
  int count = -1, cancelled = -1;
  MPI_Get_count(status, MPI_BYTE, &count);
  MPI_Test_cancelled(status, &cancelled);
  print("%s: source %s, tag %s, error %d, count %d, cancelled %d\n", what,
        status->MPI_SOURCE == MPI_ANY_SOURCE ? "any" : "some", status->MPI_TAG == MPI_ANY_TAG ? "any" : "some",
        status->MPI_ERROR, count, cancelled);
}

static void spoil(MPI_Status *status) {
  memset(status, 0x55, sizeof(*status));
  status->MPI_ERROR = MPI_SUCCESS; /* which calls on one request leave alone */
}

/* The program's own requests beside ours: a receive from the left, a send to the right, and a null one. */
typedef struct {
  MPI_Request requests[kinds + 3];
  int received, sent;
} Mixture;

enum { mixed = kinds + 3 };

static void start_mixture(Mixture *m, int tag) {
  next_round();
  m->sent = 100 * rank + tag;
  m->received = -1;
  for (int kind = 0; kind < kinds; ++kind) m->requests[2 * (kind / 2) + kind] = exchanges[kind].request;
  /* ours at 0, 1, 4, 5 */
  m->requests[3] = MPI_REQUEST_NULL;
  MPI_Irecv(&m->received, 1, MPI_INT, (rank + ranks - 1) % ranks, tag, MPI_COMM_WORLD, &m->requests[2]);
  MPI_Isend(&m->sent, 1, MPI_INT, (rank + 1) % ranks, tag, MPI_COMM_WORLD, &m->requests[6]);
  MPI_Startall(2, &m->requests[0]);
  MPI_Start(&m->requests[4]);
  MPI_Start(&m->requests[5]);
}

static void print_mixture(const char *what, const Mixture *m) {
  int kept = 1;
  for (int kind = 0; kind < kinds; ++kind) {
    kept = kept && m->requests[2 * (kind / 2) + kind] == exchanges[kind].request;
  }
  print("%s: received %d, own requests %s, ours %s;", what, m->received,
        m->requests[2] == MPI_REQUEST_NULL && m->requests[6] == MPI_REQUEST_NULL ? "null" : "left",
        kept ? "kept" : "changed");
  print_verdicts("");
}

static void walk_single(void) {
  MPI_Status status;
  int flag = 0;
  MPI_Request *const request = &exchanges[0].request;
  spoil(&status);
  MPI_Wait(request, &status);
  print_empty("wait on inactive", &status);
  spoil(&status);
  MPI_Test(request, &flag, &status);
  print("test on inactive: flag %d\n", flag);
  print_empty("test on inactive", &status);
  spoil(&status);
  MPI_Request_get_status(*request, &flag, &status);
  print("get_status on inactive: flag %d\n", flag);
  print_empty("get_status on inactive", &status);

  for (int kind = 0; kind < kinds; ++kind) {
    next_round();
    MPI_Start(&exchanges[kind].request);
    MPI_Wait(&exchanges[kind].request, &status);
    print("wait, kind %d: %s, %s\n", kind, verdict(&exchanges[kind], kind),
          exchanges[kind].request != MPI_REQUEST_NULL ? "kept" : "null");
    next_round();
    MPI_Start(&exchanges[kind].request);
    for (flag = 0; flag == 0;) MPI_Test(&exchanges[kind].request, &flag, MPI_STATUS_IGNORE);
    print("test, kind %d: %s\n", kind, verdict(&exchanges[kind], kind));
    next_round();
    MPI_Start(&exchanges[kind].request);
    for (flag = 0; flag == 0;) MPI_Request_get_status(exchanges[kind].request, &flag, MPI_STATUS_IGNORE);
    MPI_Test(&exchanges[kind].request, &flag, &status);
    print("get_status, then test, kind %d: flag %d, %s\n", kind, flag, verdict(&exchanges[kind], kind));
  }
}

static void walk_waitall(void) {
  Mixture m;
  MPI_Status statuses[mixed];
  start_mixture(&m, 10);
  MPI_Waitall(mixed, m.requests, statuses);
  print_mixture("waitall", &m);
  print("waitall: own source %d, tag %d\n", statuses[2].MPI_SOURCE, statuses[2].MPI_TAG);
  for (int i = 0; i < mixed; ++i) spoil(&statuses[i]);
  MPI_Waitall(mixed, m.requests, statuses);
  for (int i = 0; i < mixed; ++i) print_empty("waitall on inactive and null", &statuses[i]);
}

static void walk_testall(void) {
  Mixture m;
  MPI_Status statuses[mixed];
  int flag = 0;
  start_mixture(&m, 11);
  for (flag = 0; flag == 0;) MPI_Testall(mixed, m.requests, &flag, statuses);
  print_mixture("testall", &m);
  MPI_Testall(mixed, m.requests, &flag, MPI_STATUSES_IGNORE);
  print("testall on inactive and null: flag %d\n", flag);
}

static void walk_waitany(void) {
  Mixture m;
  MPI_Status status;
  int index = 0, seen[mixed] = {0};
  start_mixture(&m, 20);
  for (int i = 0; i < mixed - 1; ++i) {
    MPI_Waitany(mixed, m.requests, &index, &status);
    ++seen[index];
    if (index == 2) print("waitany: own source %d, tag %d\n", status.MPI_SOURCE, status.MPI_TAG);
  }
  for (int i = 0; i < mixed; ++i) print("%d", seen[i]);
  print_mixture(" times by waitany", &m);
  spoil(&status);
  MPI_Waitany(mixed, m.requests, &index, &status);
  print("waitany on inactive and null: %s\n", index == MPI_UNDEFINED ? "undefined" : "some index");
  print_empty("waitany on inactive and null", &status);
}

static void walk_testany(void) {
  Mixture m;
  MPI_Status status;
  int index = 0, flag = 0, seen[mixed] = {0};
  start_mixture(&m, 21);
  for (int i = 0; i < mixed - 1;) {
    MPI_Testany(mixed, m.requests, &index, &flag, &status);
    if (flag == 0) continue;
    ++seen[index];
    ++i;
  }
  for (int i = 0; i < mixed; ++i) print("%d", seen[i]);
  print_mixture(" times by testany", &m);
  spoil(&status);
  MPI_Testany(mixed, m.requests, &index, &flag, &status);
  print("testany on inactive and null: flag %d, %s\n", flag, index == MPI_UNDEFINED ? "undefined" : "some index");
  print_empty("testany on inactive and null", &status);
}

static void walk_some(int waits) {
  Mixture m;
  MPI_Status statuses[mixed];
  const char *const name = waits ? "waitsome" : "testsome";
  int seen[mixed] = {0}, indices[mixed], count = 0;
  start_mixture(&m, 30 + waits);
  for (int left = mixed - 1; left > 0; left -= count) {
    if (waits) {
      MPI_Waitsome(mixed, m.requests, &count, indices, statuses);
    } else {
      MPI_Testsome(mixed, m.requests, &count, indices, statuses);
    }
    for (int i = 0; i < count; ++i) {
      ++seen[indices[i]];
      if (indices[i] == 2) print("%s: own source %d, tag %d\n", name, statuses[i].MPI_SOURCE, statuses[i].MPI_TAG);
    }
  }
  for (int i = 0; i < mixed; ++i) print("%d", seen[i]);
  print_mixture(waits ? " times by waitsome" : " times by testsome", &m);
  if (waits) {
    MPI_Waitsome(mixed, m.requests, &count, indices, statuses);
  } else {
    MPI_Testsome(mixed, m.requests, &count, indices, statuses);
  }
  print("%s on inactive and null: %s\n", name, count == MPI_UNDEFINED ? "undefined" : "some");
}

/* A message that is longer than its receive, beside ours. */
static void walk_error_in_status(void) {
  MPI_Status statuses[3];
  MPI_Request requests[3];
  int longer[2] = {rank, rank}, shorter = 0;
  MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
  next_round();
  requests[0] = exchanges[0].request;
  MPI_Irecv(&shorter, 1, MPI_INT, (rank + ranks - 1) % ranks, 40, MPI_COMM_WORLD, &requests[1]);
  MPI_Isend(longer, 2, MPI_INT, (rank + 1) % ranks, 40, MPI_COMM_WORLD, &requests[2]);
  MPI_Start(&requests[0]);
  const int code = MPI_Waitall(3, requests, statuses);
  print("waitall with an error: %s\n", code == MPI_ERR_IN_STATUS ? "in status" : "something else");
  for (int i = 0; i < 3; ++i) {
    int error_class = -1;
    MPI_Error_class(statuses[i].MPI_ERROR, &error_class);
    print("  status %d: %s\n", i,
          error_class == MPI_SUCCESS        ? "success"
          : error_class == MPI_ERR_TRUNCATE ? "truncated"
                                            : "something else");
  }
  MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_ARE_FATAL);
}

static int handled_class = 0, times_handled = 0;

static void handler(MPI_Comm *comm, int *code, ...) {
  (void)comm;
  MPI_Error_class(*code, &handled_class);
  ++times_handled;
}

/* A bad argument reaches the communicator's own handler, once, with the class that MPI gives it. */
static void walk_error_handler(void) {
  MPI_Comm comm;
  MPI_Errhandler errhandler;
  Exchange bad;
  MPI_Comm_dup(MPI_COMM_WORLD, &comm);
  MPI_Comm_create_errhandler(handler, &errhandler);
  MPI_Comm_set_errhandler(comm, errhandler);
  describe(&bad, 0);
  bad.counts[0] = -1;
  const int code = MPI_Alltoallv_init(bad.out, bad.counts, bad.displs, MPI_INT, bad.in, bad.counts, bad.displs, MPI_INT,
                                      comm, MPI_INFO_NULL, &bad.request);
  print("a negative count: %s, handled %d time(s), %s\n", code == MPI_SUCCESS ? "taken" : "refused", times_handled,
        handled_class == MPI_ERR_COUNT ? "as a count" : "as something else");
  MPI_Errhandler_free(&errhandler);
  MPI_Comm_free(&comm);
}

static void walk_handles(void) {
  int distinct = 1;
  for (int a = 0; a < kinds; ++a) {
    for (int b = 0; b < a; ++b) distinct = distinct && exchanges[a].request != exchanges[b].request;
    distinct = distinct && exchanges[a].request != MPI_REQUEST_NULL;
  }
  print("handles: %s\n", distinct ? "distinct" : "not distinct");
  MPI_Request copy = exchanges[1].request;
  MPI_Request converted = MPI_Request_f2c(MPI_Request_c2f(copy));
  print("converted: %s\n", converted == copy ? "the same" : "another");
  next_round();
  MPI_Start(&converted);
  MPI_Wait(&copy, MPI_STATUS_IGNORE);
  print("started by one copy, completed by another: %s\n", verdict(&exchanges[1], 1));
}

static void walk_freed_communicator(void) {
  static Exchange e;
  MPI_Comm comm;
  MPI_Comm_dup(MPI_COMM_WORLD, &comm);
  init(&e, 0, comm);
  MPI_Comm_free(&comm);
  fill(&e, 0);
  MPI_Start(&e.request);
  MPI_Wait(&e.request, MPI_STATUS_IGNORE);
  MPI_Request_free(&e.request);
  print("communicator freed before: %s, request %s\n", verdict(&e, 0), e.request == MPI_REQUEST_NULL ? "null" : "left");
}

static void walk_waitsome(void) {
  walk_some(1);
}

static void walk_testsome(void) {
  walk_some(0);
}

typedef struct {
  const char *name;
  void (*walk)(void);
} Walk;

static const Walk walks[] = {{"handles", walk_handles},
                             {"single", walk_single},
                             {"waitall", walk_waitall},
                             {"testall", walk_testall},
                             {"waitany", walk_waitany},
                             {"testany", walk_testany},
                             {"waitsome", walk_waitsome},
                             {"testsome", walk_testsome},
                             {"error_in_status", walk_error_in_status},
                             {"error_handler", walk_error_handler},
                             {"freed_communicator", walk_freed_communicator}};

static void walk(const char *name) {
  for (size_t i = 0; i < sizeof(walks) / sizeof(walks[0]); ++i) {
    if (strcmp(walks[i].name, name) != 0) continue;
    walks[i].walk();
    return;
  }
  fprintf(stderr, "there is no walk '%s'\n", name);
  MPI_Abort(MPI_COMM_WORLD, EXIT_FAILURE);
}

/* The walks named, in their order. */
int main(int argc, char **argv) {
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &ranks);
  int neighbors[2], degree = 0;
  if (rank > 0) neighbors[degree++] = rank - 1;
  if (rank < ranks - 1) neighbors[degree++] = rank + 1;
  MPI_Dist_graph_create_adjacent(MPI_COMM_WORLD, degree, neighbors, MPI_UNWEIGHTED, degree, neighbors, MPI_UNWEIGHTED,
                                 MPI_INFO_NULL, 0, &line);
  for (int kind = 0; kind < kinds; ++kind) init(&exchanges[kind], kind, MPI_COMM_WORLD);

  for (int i = 1; i < argc; ++i) walk(argv[i]);

  for (int kind = 0; kind < kinds; ++kind) MPI_Request_free(&exchanges[kind].request);
  MPI_Comm_free(&line);
  print_all();
  MPI_Finalize();
  return 0;
}
