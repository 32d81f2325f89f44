/* Every allocation and every MPI call that the interposer makes for a persistent exchange on rank 1 fails once.
 *   Init: all ranks get the error; nothing is left behind; and on the same communicator the next init, and a call that
 * is not persistent, do what they should. Start, and all ways to complete: rank 1 gets an error or the right data,
 * nothing is written beside its data or after the request has been freed, a request that has failed is not started
 * again, and rank 0 ends, too. Free: it is freed, and nothing is left behind. Left out are the calls by which the ranks
 * wait for each other in an init, the collective ones and MPI_Test of these: one that fails on one rank alone leaves
 * the others in it. */
#include "faults.h"
#include "persistent_calls.h"

enum { enough = 12, /* a test looks again and again */ step = 2, wires = 2 };
enum { test_one, wait_one, wait_all, test_all, wait_any, test_any, wait_some, test_some, ways };
static const long never = 1L << 40;
static const char *const wire_names[wires] = {"shared", "packed"};
static const char *const way_names[ways] = {"test",    "wait",    "waitall",  "testall",
                                            "waitany", "testany", "waitsome", "testsome"};

static long (*live)(void), (*objects)(void);
static int faults; /* of what is being tried */
static long completions_that_failed = 0;
static MPI_Info infos[wires];
static MPI_Datatype gapped;
static int other;

static void expect(int holds, const char *what, long after) {
  if (holds || after == never) return;
  ++faults;
  fprintf(stderr, "rank %d: after %ld: %s\n", rank, after, what);
}

static MPI_Comm new_comm(void) {
  MPI_Comm comm;
  MPI_Comm_dup(MPI_COMM_WORLD, &comm);
  MPI_Comm_set_errhandler(comm, MPI_ERRORS_RETURN);
  return comm;
}

/* With what the other rank has. */
static int plan(int wire, MPI_Comm comm, MPI_Request *request) {
  const int sent[2] = {rank == 0 ? 0 : length, rank == 0 ? length : 0}, at[2] = {0, 0};
  const int received[2] = {sent[0] / 2, sent[1] / 2};
  return MPI_Alltoallv_init(out + guard, sent, at, MPI_INT, in + guard, received, at, gapped, comm, infos[wire],
                            request);
}

static int call(MPI_Comm comm) {
  const int sent[2] = {rank == 0 ? 0 : length, rank == 0 ? length : 0}, at[2] = {0, 0};
  const int received[2] = {sent[0] / 2, sent[1] / 2};
  return MPI_Alltoallv(out + guard, sent, at, MPI_INT, in + guard, received, at, gapped, comm);
}

static int runs(MPI_Request *request) {
  fill();
  return MPI_Start(request) == MPI_SUCCESS && MPI_Wait(request, MPI_STATUS_IGNORE) == MPI_SUCCESS && right(step, other);
}

static int plan_works(int wire, MPI_Comm comm) {
  MPI_Request request = MPI_REQUEST_NULL;
  return plan(wire, comm, &request) == MPI_SUCCESS && runs(&request) && MPI_Request_free(&request) == MPI_SUCCESS;
}

static int same_on_both(int value) {
  int greatest[2] = {value, -value};
  MPI_Allreduce(MPI_IN_PLACE, greatest, 2, MPI_INT, MPI_MAX, MPI_COMM_WORLD);
  return greatest[0] == -greatest[1];
}

static long of_rank_1(long value) {
  MPI_Bcast(&value, 1, MPI_LONG, 1, MPI_COMM_WORLD);
  return value;
}

/* This and what follows: how many have failed. */
static long try_init(int wire, int kind, long after) {
  const long live_before = live(), objects_before = objects();
  const MPI_Comm comm = new_comm();
  MPI_Comm freed = comm;
  MPI_Request request = MPI_REQUEST_NULL;
  gapped = make_gapped();
  fail(rank == 1 ? kind : no_fault, after);
  const int code = plan(wire, comm, &request);
  const long met = of_rank_1(fail(no_fault, 0));
  int class = MPI_SUCCESS;
  MPI_Error_class(code, &class);
  expect(same_on_both(class), "an init fails on one rank", after);
  expect((code == MPI_SUCCESS) == (met == 0), "an init does not fail as it should", after);
  expect(kind != memory || met == 0 || class == MPI_ERR_NO_MEM, "an init fails of something else", after);
  expect((code == MPI_SUCCESS) == (request != MPI_REQUEST_NULL), "code and request differ", after);
  if (request != MPI_REQUEST_NULL) {
    expect(runs(&request) && MPI_Request_free(&request) == MPI_SUCCESS, "what has been made does not run", after);
  }
  expect(plan_works(wire, comm), "the next init does not work", after);
  fill();
  expect(call(comm) == MPI_SUCCESS && right(step, other), "the next call does not work", after);
  MPI_Type_free(&gapped);
  MPI_Comm_free(&freed);
  expect(live() == live_before, "memory has not been given back", after);
  expect(objects() == objects_before, "objects of MPI's have not been freed", after);
  return met;
}

static int complete(int way, MPI_Request *requests) {
  MPI_Status statuses[2];
  int code = MPI_SUCCESS, done = 0, index = 0, indices[2];
  switch (way) {
    case wait_one: return MPI_Wait(requests, statuses);
    case wait_all: return MPI_Waitall(2, requests, statuses);
    case wait_any: return MPI_Waitany(2, requests, &index, statuses);
    case wait_some: return MPI_Waitsome(2, requests, &done, indices, statuses);
  }
  while (done == 0 && code == MPI_SUCCESS) {
    if (way == test_one) code = MPI_Test(requests, &done, statuses);
    if (way == test_all) code = MPI_Testall(2, requests, &done, statuses);
    if (way == test_any) code = MPI_Testany(2, requests, &index, &done, statuses);
    if (way == test_some) code = MPI_Testsome(2, requests, &done, indices, statuses);
  }
  return code;
}

/* Rank 1's start, or how it completes, fails. */
static long try_exchange(int wire, int way, int in_start, int kind, long after) {
  const MPI_Comm comm = new_comm(); /* not freed: messages are left on it */
  MPI_Request requests[2] = {MPI_REQUEST_NULL, MPI_REQUEST_NULL};
  long met = 0;
  expect(plan(wire, comm, &requests[0]) == MPI_SUCCESS, "no plan", after);
  fill();
  MPI_Barrier(MPI_COMM_WORLD);
  if (rank == 1) {
    fail(in_start ? kind : no_fault, after);
    int code = MPI_Start(&requests[0]);
    if (in_start) met = fail(no_fault, 0);
    if (!in_start) fail(kind, after);
    if (code == MPI_SUCCESS) code = complete(way, requests);
    if (!in_start) met = fail(no_fault, 0);
    expect(code == MPI_SUCCESS || met > 0, "an error of nothing", after);
    /* Where there was no memory for the wait nothing has been waited for. */
    const int waited = MPI_Wait(&requests[0], MPI_STATUS_IGNORE);
    expect(code != MPI_SUCCESS || waited != MPI_SUCCESS || right(step, other), "neither error nor data", after);
    if (!in_start && !right(step, other)) {
      expect(MPI_Start(&requests[0]) != MPI_SUCCESS, "what has failed is started again", after);
    }
    expect(MPI_Request_free(&requests[0]) == MPI_SUCCESS && requests[0] == MPI_REQUEST_NULL, "not freed", after);
    memcpy(seen, in, sizeof in);
  } else {
    usleep(3000);
    expect(MPI_Start(&requests[0]) == MPI_SUCCESS, "the other rank does not start", after);
    const int waited = MPI_Wait(&requests[0], MPI_STATUS_IGNORE);
    expect(waited != MPI_SUCCESS || right(step, other), "the other rank has neither error nor data", after);
    expect(MPI_Request_free(&requests[0]) == MPI_SUCCESS, "the other rank does not free", after);
    memcpy(seen, in, sizeof in);
  }
  MPI_Barrier(MPI_COMM_WORLD);
  expect(guarded(step), "written beside the data", after);
  expect(memcmp(seen, in, sizeof in) == 0, "written after the free", after);
  return of_rank_1(met);
}

static long try_free(int wire, int kind, long after) {
  const long live_before = live(), objects_before = objects();
  MPI_Comm comm = new_comm();
  MPI_Request request = MPI_REQUEST_NULL;
  expect(plan(wire, comm, &request) == MPI_SUCCESS && runs(&request), "no plan", after);
  fail(rank == 1 ? kind : no_fault, after);
  expect(MPI_Request_free(&request) == MPI_SUCCESS && request == MPI_REQUEST_NULL, "not freed", after);
  const long met = of_rank_1(fail(no_fault, 0));
  expect(plan_works(wire, comm), "the next init does not work", after);
  MPI_Comm_free(&comm);
  expect(live() == live_before, "memory has not been given back", after);
  expect(objects() == objects_before, "objects of MPI's have not been freed", after);
  return met;
}

static void tell(const char *what, int wire, int kind, const char *how) {
  print("%s, %s, %s: %s%d wrong\n", what, wire_names[wire], kinds[kind], how, faults);
}
static const char *whether_any(long failed) {
  return failed > 0 ? "failed, " : "nothing failed, ";
}

/* Tries once without a fault first, as lists of the interposer's own grow then. */
static void try_each(const char *what, int wire, int kind, long (*try_one)(int wire, int kind, long after)) {
  long after = 0;
  try_one(wire, kind, never);
  faults = 0;
  while (try_one(wire, kind, after) > 0) ++after;
  tell(what, wire, kind, whether_any(after));
}

static void try_exchanges(const char *what, int wire, int way, int in_start, int kind) {
  long after = 0;
  faults = 0;
  while (after < enough && try_exchange(wire, way, in_start, kind, after) > 0) ++after;
  /* Whether completing calls MPI depends on when the other rank's data comes. */
  const int depends = !in_start && kind == calls;
  if (depends) completions_that_failed += after;
  tell(what, wire, kind, depends ? "" : whether_any(after));
}

static void try_all(int wire, int kind) {
  try_each("init", wire, kind, try_init);
  if (kind == making) return;
  gapped = make_gapped();
  try_exchanges("start", wire, test_one, 1, kind);
  for (int way = 0; way < ways; ++way) try_exchanges(way_names[way], wire, way, 0, kind);
  try_each("free", wire, kind, try_free);
  MPI_Type_free(&gapped);
}

/* The interposer's thread is there from the first call on that waits in MPI while something runs. */
static void have_thread_made(void) {
  MPI_Request request = MPI_REQUEST_NULL;
  MPI_Comm comm = new_comm();
  gapped = make_gapped();
  plan(0, comm, &request);
  MPI_Start(&request);
  MPI_Barrier(MPI_COMM_WORLD);
  MPI_Wait(&request, MPI_STATUS_IGNORE);
  MPI_Request_free(&request);
  MPI_Comm_free(&comm);
  MPI_Type_free(&gapped);
}

/* What calls that are not persistent need stays with the ranks from their second call on (RONDO_CACHE_AFTER=2), and so
 * do the last arguments, each with a datatype of its own. */
static void have_links_made(void) {
  for (int i = 0; i < 20; ++i) {
    MPI_Comm comm = new_comm();
    gapped = make_gapped();
    call(comm);
    MPI_Type_free(&gapped);
    MPI_Comm_free(&comm);
  }
}

int main(int argc, char **argv) {
  begin_with_faults(&argc, &argv);
  *(void **)&live = address_in_failing("rondo_test_live");
  *(void **)&objects = address_in_failing("rondo_test_objects");
  other = 1 - rank;
  for (int wire = 0; wire < wires; ++wire) {
    MPI_Info_create(&infos[wire]);
    MPI_Info_set(infos[wire], "rondo_wire", wire_names[wire]);
    MPI_Info_set(infos[wire], "rondo_stall_timeout", "0.3");
  }
  have_thread_made();
  have_links_made();
  for (int wire = 0; wire < wires; ++wire) {
    for (int kind = memory; kind <= making; ++kind) try_all(wire, kind);
  }
  print("completions: %s\n", completions_that_failed > 0 ? "calls failed" : "nothing failed");
  end_with_faults();
}
