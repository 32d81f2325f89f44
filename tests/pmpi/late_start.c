/* At MPI_THREAD_MULTIPLE: while one thread of rank 0 sits in a call that ends when rank 1 comes to it, another starts a
 * plan and makes no further call. Rank 1 completes that plan first, so the thread that sits there has to move it. The
 * blocks are so long that their receivers take them out of the senders' memory. */
#include <pthread.h>
#include <unistd.h>

#include "persistent_calls.h"
#include "printed.h"

enum { length = 500000, most_ranks = 2 };
enum {
  plan,
  plans,
  request,
  requests,
  waitany,
  waitsome,
  recv,
  ssend,
  sendrecv,
  probe,
  mprobe,
  barrier,
  alltoall,
  ways
};
static const char *const names[ways] = {"plan",  "plans",    "request", "requests", "waitany", "waitsome", "recv",
                                        "ssend", "sendrecv", "probe",   "mprobe",   "barrier", "alltoall"};

static int rank, ranks, out[most_ranks * length], in[most_ranks * length], small_out[most_ranks], small_in[most_ranks];
static MPI_Request late, first;
static MPI_Comm other;

static void *start_late(void *unused) {
  usleep(20000);
  MPI_Start(&late);
  return unused;
}

static void sit(int way) {
  int message = way, got = -1, index, count;
  MPI_Request own = MPI_REQUEST_NULL;
  MPI_Message matched;
  MPI_Status status;
  if (way == plan || way == plans) MPI_Start(&first);
  if (way == plan) MPI_Wait(&first, MPI_STATUS_IGNORE);
  if (way == plans) MPI_Waitall(1, &first, MPI_STATUSES_IGNORE);
  if (way >= request && way <= waitsome) MPI_Irecv(&got, 1, MPI_INT, !rank, way, other, &own);
  if (way == request) MPI_Wait(&own, MPI_STATUS_IGNORE);
  if (way == requests) MPI_Waitall(1, &own, MPI_STATUSES_IGNORE);
  if (way == waitany) MPI_Waitany(1, &own, &index, MPI_STATUS_IGNORE);
  if (way == waitsome) MPI_Waitsome(1, &own, &count, &index, MPI_STATUSES_IGNORE);
  if (way == ssend) MPI_Ssend(&message, 1, MPI_INT, !rank, way, other);
  if (way == sendrecv) {
    MPI_Sendrecv(&message, 1, MPI_INT, !rank, way, &got, 1, MPI_INT, !rank, way, other, MPI_STATUS_IGNORE);
  }
  if (way == probe) MPI_Probe(!rank, way, other, &status);
  if (way == recv || way == probe) MPI_Recv(&got, 1, MPI_INT, !rank, way, other, MPI_STATUS_IGNORE);
  if (way == mprobe) {
    MPI_Mprobe(!rank, way, other, &matched, &status);
    MPI_Mrecv(&got, 1, MPI_INT, &matched, MPI_STATUS_IGNORE);
  }
  if (way == barrier) MPI_Barrier(other);
  if (way == alltoall) MPI_Alltoall(small_out, 1, MPI_INT, small_in, 1, MPI_INT, other);
}

static void come(int way) {
  int message = way;
  if (way == plan || way == plans || way == sendrecv || way >= barrier) {
    sit(way);
  } else if (way == ssend) {
    MPI_Recv(&message, 1, MPI_INT, !rank, way, other, MPI_STATUS_IGNORE);
  } else {
    MPI_Send(&message, 1, MPI_INT, !rank, way, other);
  }
}

static void run(int way) {
  int wrong = 0;
  for (int i = 0; i < ranks * length; ++i) {
    out[i] = (way * most_ranks + rank) * most_ranks + i / length;
    in[i] = -1;
  }
  if (rank == 0) {
    pthread_t starter;
    pthread_create(&starter, NULL, start_late, NULL);
    sit(way);
    pthread_join(starter, NULL);
    MPI_Wait(&late, MPI_STATUS_IGNORE);
  } else {
    MPI_Start(&late);
    MPI_Wait(&late, MPI_STATUS_IGNORE);
    come(way);
  }
  for (int i = 0; i < ranks * length; ++i) wrong += in[i] != (way * most_ranks + i / length) * most_ranks + rank;
  print("%s: %d wrong\n", names[way], wrong);
}

int main(int argc, char **argv) {
  int provided = 0;
  MPI_Init_thread(&argc, &argv, MPI_THREAD_MULTIPLE, &provided);
  if (provided < MPI_THREAD_MULTIPLE) MPI_Abort(MPI_COMM_WORLD, EXIT_FAILURE);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &ranks);
  if (ranks != most_ranks) MPI_Abort(MPI_COMM_WORLD, EXIT_FAILURE);
  MPI_Comm_dup(MPI_COMM_WORLD, &other);
  MPI_Alltoall_init(out, length, MPI_INT, in, length, MPI_INT, MPI_COMM_WORLD, MPI_INFO_NULL, &late);
  MPI_Alltoall_init(small_out, 1, MPI_INT, small_in, 1, MPI_INT, other, MPI_INFO_NULL, &first);
  for (int way = 0; way < ways; ++way) run(way);
  MPI_Request_free(&late);
  MPI_Request_free(&first);
  MPI_Comm_free(&other);
  print_all();
  MPI_Finalize();
  return 0;
}
