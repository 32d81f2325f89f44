/* A rank that sits in a call of the MPI library's must keep what it has started moving: the other completes that before
 * it comes. Blocks are so long that their receivers take them out of the senders' memory, or that they go round a ring.
 * usage: progress [calls]
 *   calls: what is started are calls that do not wait; else persistent ones */
#include "persistent_calls.h"
#include "printed.h"

enum { plans = 3, length = 500000, most_ranks = 4, detach_tag = 100 };

static int rank, ranks;
static int out[plans][most_ranks * length], in[plans][most_ranks * length];
static MPI_Request requests[plans];
static int wrong_in_all = 0, with_calls = 0;

static void start_all(void) {
  if (!with_calls) MPI_Startall(plans, requests);
  for (int p = 0; with_calls && p < plans; ++p) {
    MPI_Ialltoall(out[p], length, MPI_INT, in[p], length, MPI_INT, MPI_COMM_WORLD, &requests[p]);
  }
}

/* As many calls as the interposer leaves alone at most, and a collective call that waits. */
static void begin(void) {
  for (int i = 0; with_calls && i < 3; ++i) {
    MPI_Ialltoall(out[0], 1, MPI_INT, in[0], 1, MPI_INT, MPI_COMM_WORLD, &requests[0]);
    MPI_Wait(&requests[0], MPI_STATUS_IGNORE);
  }
  if (with_calls) MPI_Barrier(MPI_COMM_WORLD);
  for (int p = 0; !with_calls && p < plans; ++p) {
    MPI_Alltoall_init(out[p], length, MPI_INT, in[p], length, MPI_INT, MPI_COMM_WORLD, MPI_INFO_NULL, &requests[p]);
  }
}

static void start(void) {
  for (int p = 0; p < plans; ++p) {
    for (int i = 0; i < ranks * length; ++i) {
      out[p][i] = (p * most_ranks + rank) * most_ranks + i / length;
      in[p][i] = -1;
    }
  }
  start_all();
}

static void complete(const char *what) {
  int wrong = 0;
  MPI_Waitall(plans, requests, MPI_STATUSES_IGNORE);
  for (int p = 0; p < plans; ++p) {
    for (int i = 0; i < ranks * length; ++i) wrong += in[p][i] != (p * most_ranks + i / length) * most_ranks + rank;
  }
  print("%s: %d wrong\n", what, wrong);
  wrong_in_all += wrong;
}

/* Each of these ends when rank 1 comes to it. */
static void messages(int way) {
  int message = 0;
  MPI_Request own;
  MPI_Status status;
  if (way == 1) MPI_Irecv(&message, 1, MPI_INT, 1, way, MPI_COMM_WORLD, &own);
  if (way == 1) MPI_Wait(&own, MPI_STATUS_IGNORE);
  if (way == 2) MPI_Probe(1, way, MPI_COMM_WORLD, &status);
  if (way == 0 || way == 2) MPI_Recv(&message, 1, MPI_INT, 1, way, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  if (way == 3) MPI_Ssend(&message, 1, MPI_INT, 1, way, MPI_COMM_WORLD);
  if (way == 4) {
    MPI_Sendrecv(&way, 1, MPI_INT, 1, way, &message, 1, MPI_INT, 1, way, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  }
}

static void answers(int way) {
  int message = 0;
  if (way != 3) MPI_Send(&way, 1, MPI_INT, 0, way, MPI_COMM_WORLD);
  if (way >= 3) MPI_Recv(&message, 1, MPI_INT, 0, way, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
}

/* Calls that do not wait, again and again until rank 1 has done its part. */
enum { iprobe, improbe, test, testall, testany, testsome, get_status, win_test, win_flush, win_sync, parrived, polls };
static const char *const poll_names[polls] = {"iprobe",     "improbe",  "test",      "testall",  "testany", "testsome",
                                              "get_status", "win_test", "win_flush", "win_sync", "parrived"};
static MPI_Win window, shared;
static int in_window[length], *in_shared;

static MPI_Group group_of(int member) {
  MPI_Group all, one;
  MPI_Comm_group(MPI_COMM_WORLD, &all);
  MPI_Group_incl(all, 1, &member, &one);
  MPI_Group_free(&all);
  return one;
}

static void poll_messages(int way) {
  int message = 0, flag = 0, index, count;
  MPI_Request own;
  MPI_Message matched;
  MPI_Status status;
  if (way == iprobe) {
    while (!flag) MPI_Iprobe(1, way, MPI_COMM_WORLD, &flag, &status);
    MPI_Recv(&message, 1, MPI_INT, 1, way, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    return;
  }
  if (way == improbe) {
    while (!flag) MPI_Improbe(1, way, MPI_COMM_WORLD, &flag, &matched, &status);
    MPI_Mrecv(&message, 1, MPI_INT, &matched, MPI_STATUS_IGNORE);
    return;
  }
  MPI_Irecv(&message, 1, MPI_INT, 1, way, MPI_COMM_WORLD, &own);
  while (!flag) {
    if (way == test) MPI_Test(&own, &flag, &status);
    if (way == testall) MPI_Testall(1, &own, &flag, &status);
    if (way == testany) MPI_Testany(1, &own, &index, &flag, &status);
    if (way == testsome) {
      MPI_Testsome(1, &own, &count, &index, &status);
      flag = count == 1;
    }
    if (way == get_status) MPI_Request_get_status(own, &flag, &status);
  }
  MPI_Wait(&own, MPI_STATUS_IGNORE);
}

static void poll_windows(int way) {
  int flag = 0;
  if (way == win_test) {
    MPI_Group one = group_of(1);
    MPI_Win_post(one, 0, window);
    while (!flag) MPI_Win_test(window, &flag);
    MPI_Group_free(&one);
    return;
  }
  *(volatile int *)in_shared = 0;
  MPI_Win_sync(shared);
  MPI_Send(&way, 1, MPI_INT, 1, way, MPI_COMM_WORLD);
  if (way == win_flush) {
    while (!flag) {
      MPI_Fetch_and_op(NULL, &flag, MPI_INT, 0, 0, MPI_NO_OP, shared);
      MPI_Win_flush(0, shared);
    }
  }
  if (way == win_sync) {
    while (*(volatile int *)in_shared == 0) MPI_Win_sync(shared);
  }
}

static void answer_windows(int way) {
  const int one = 1;
  int message = 0;
  if (way == win_test) {
    MPI_Group zero = group_of(0);
    MPI_Win_start(zero, 0, window);
    MPI_Win_complete(window);
    MPI_Group_free(&zero);
    return;
  }
  MPI_Recv(&message, 1, MPI_INT, 0, way, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  MPI_Accumulate(&one, 1, MPI_INT, 0, 0, 1, MPI_INT, MPI_REPLACE, shared);
  MPI_Win_flush(0, shared);
}

static void poll_parts(void) {
#ifdef RONDO_MPI_HAS_PARTITIONED_MESSAGES
  int message = 0, flag = 0;
  MPI_Request own;
  MPI_Precv_init(&message, 1, 1, MPI_INT, 1, parrived, MPI_COMM_WORLD, MPI_INFO_NULL, &own);
  MPI_Start(&own);
  while (!flag) MPI_Parrived(own, 0, &flag);
  MPI_Wait(&own, MPI_STATUS_IGNORE);
  MPI_Request_free(&own);
#endif
}

static void answer_parts(void) {
#ifdef RONDO_MPI_HAS_PARTITIONED_MESSAGES
  int message = 1;
  MPI_Request own;
  MPI_Psend_init(&message, 1, 1, MPI_INT, 0, parrived, MPI_COMM_WORLD, MPI_INFO_NULL, &own);
  MPI_Start(&own);
  MPI_Pready(0, own);
  MPI_Wait(&own, MPI_STATUS_IGNORE);
  MPI_Request_free(&own);
#endif
}

static void poll(int way) {
  if (way < win_test) {
    poll_messages(way);
  } else if (way < parrived) {
    poll_windows(way);
  } else {
    poll_parts();
  }
}

static void answer_poll(int way) {
  if (way < win_test) {
    MPI_Send(&way, 1, MPI_INT, 0, way, MPI_COMM_WORLD);
  } else if (way < parrived) {
    answer_windows(way);
  } else {
    answer_parts();
  }
}

/* Rank 0 waits in MPI_Buffer_detach_c until rank 1 has taken the message. */
static void detach(void) {
#ifdef RONDO_MPI_HAS_BIG_COUNTS
  static int data[length], room[length + MPI_BSEND_OVERHEAD / sizeof(int) + 1];
  void *detached;
  MPI_Count bytes;
  if (rank == 1) MPI_Recv(data, length, MPI_INT, 0, detach_tag, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  if (rank != 0) return;
  MPI_Buffer_attach(room, sizeof room);
  MPI_Bsend(data, length, MPI_INT, 1, detach_tag, MPI_COMM_WORLD);
  MPI_Buffer_detach_c(&detached, &bytes);
#endif
}

static void create_from_group(void) {
#ifdef RONDO_MPI_HAS_SESSIONS
  MPI_Session session;
  MPI_Group all;
  MPI_Comm made;
  MPI_Session_init(MPI_INFO_NULL, MPI_ERRORS_ARE_FATAL, &session);
  MPI_Group_from_session_pset(session, "mpi://WORLD", &all);
  MPI_Comm_create_from_group(all, "progress", MPI_INFO_NULL, MPI_ERRORS_ARE_FATAL, &made);
  MPI_Comm_free(&made);
  MPI_Group_free(&all);
  MPI_Session_finalize(&session);
#endif
}

/* A long put may wait in itself until the window is open. */
static void put(void) {
  static int data[length];
  MPI_Group other = group_of(1 - rank % 2);
  if (rank == 0) {
    MPI_Win_start(other, 0, window);
    MPI_Put(data, length, MPI_INT, 1, 0, length, MPI_INT, window);
    MPI_Win_complete(window);
  }
  if (rank == 1) {
    MPI_Win_post(other, 0, window);
    MPI_Win_wait(window);
  }
  MPI_Group_free(&other);
}

/* All but rank 0 come to it when their plans are complete. */
static void collective(int way) {
  int value = rank, sum = 0, pair[most_ranks] = {0}, pairs[most_ranks];
  MPI_Comm copy;
  MPI_Request plan;
  if (way == 0) MPI_Barrier(MPI_COMM_WORLD);
  if (way == 1) MPI_Bcast(&value, 1, MPI_INT, 1, MPI_COMM_WORLD);
  if (way == 2) MPI_Allreduce(&value, &sum, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
  if (way == 3) MPI_Comm_dup(MPI_COMM_WORLD, &copy);
  if (way == 3) MPI_Comm_free(&copy);
  if (way == 4) MPI_Win_fence(0, window);
  if (way == 5) MPI_Alltoall(pair, 1, MPI_INT, pairs, 1, MPI_INT, MPI_COMM_WORLD);
  if (way == 6) {
    MPI_Alltoall_init(pair, 1, MPI_INT, pairs, 1, MPI_INT, MPI_COMM_WORLD, MPI_INFO_NULL, &plan);
    MPI_Request_free(&plan);
  }
  if (way == 7) detach();
  if (way == 8) create_from_group();
  if (way == 9) put();
}

int main(int argc, char **argv) {
  const char *const kinds[] = {"recv", "wait", "probe", "ssend", "sendrecv"};
  const char *const collectives[] = {"barrier",  "bcast", "allreduce", "comm_dup",          "win_fence",
                                     "alltoall", "init",  "detach",    "create_from_group", "put"};
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &ranks);
  MPI_Win_create(in_window, sizeof in_window, 1, MPI_INFO_NULL, MPI_COMM_WORLD, &window);
  MPI_Win_allocate(sizeof *in_shared, sizeof *in_shared, MPI_INFO_NULL, MPI_COMM_WORLD, &in_shared, &shared);
  MPI_Win_lock_all(0, shared);
  with_calls = argc > 1 && strcmp(argv[1], "calls") == 0;
  begin();
  for (int way = 0; way < 5; ++way) {
    start();
    if (rank == 0) messages(way);
    complete(kinds[way]);
    if (rank == 1) answers(way);
  }
  for (int way = 0; way < polls; ++way) {
#ifdef MPICH
    if (way == win_sync) continue; /* MPICH 4.0 itself does nothing for other operations there */
#endif
#ifdef OPEN_MPI
#ifdef RONDO_MPI_HAS_SESSIONS /* Open MPI 5 itself does nothing for long messages in those */
    if ((way == win_flush || way == win_sync) && ranks > 2) continue;
#endif
    if (way == parrived && ranks > 2) continue; /* Open MPI 5's partitioned messages wait for ranks that have none */
#endif
    start();
    if (rank == 0) poll(way);
    complete(poll_names[way]);
    if (rank == 1) answer_poll(way);
  }
  for (int way = 0; way < 10; ++way) {
#ifdef OPEN_MPI
    if (way == 8 && ranks > 2) continue; /* Open MPI 5 itself does nothing for long messages in create_from_group */
#endif
    start();
    if (rank == 0) collective(way);
    complete(collectives[way]);
    if (rank != 0) collective(way);
  }
  for (int p = 0; !with_calls && p < plans; ++p) MPI_Request_free(&requests[p]);
  MPI_Win_unlock_all(shared);
  MPI_Win_free(&shared);
  MPI_Win_free(&window);
  print_all();
  MPI_Finalize();
  return wrong_in_all == 0 ? EXIT_SUCCESS : EXIT_FAILURE;
}
