/* The field MPI_ERROR of statuses that calls without an error fill or leave: of receives, sends and null requests, by
 * each call that completes them, while a plan runs that is not among them, and in an array with one. */
#include "persistent_calls.h"
#include "printed.h"

enum { own = 4, mark = 4711 };
enum { wait, test, waitall, testall, waitany, testany, waitsome, testsome, get_status, recv, sendrecv, probe, ways };
static const char *const names[ways] = {"wait",     "test",     "waitall",    "testall", "waitany",  "testany",
                                        "waitsome", "testsome", "get_status", "recv",    "sendrecv", "probe"};

static int rank, ranks, out[8], in[8], received[own];

static const char *error_of(const MPI_Status *status) {
  return status->MPI_ERROR == mark ? "left" : status->MPI_ERROR == MPI_SUCCESS ? "success" : "other";
}

/* Two receives, a send, a null request, and, in the last of five, what is given. */
static void begin(MPI_Request requests[own + 1], MPI_Request given) {
  const int next = (rank + 1) % ranks, last = (rank + ranks - 1) % ranks;
  MPI_Irecv(&received[0], 1, MPI_INT, last, 1, MPI_COMM_WORLD, &requests[0]);
  MPI_Irecv(&received[1], 1, MPI_INT, last, 2, MPI_COMM_WORLD, &requests[1]);
  MPI_Isend(&rank, 1, MPI_INT, next, 1, MPI_COMM_WORLD, &requests[2]);
  requests[3] = MPI_REQUEST_NULL;
  requests[4] = given;
  MPI_Send(&rank, 1, MPI_INT, next, 2, MPI_COMM_WORLD);
}

static void print_errors(const char *what, const MPI_Status *statuses, int count) {
  print("%s:", what);
  for (int i = 0; i < count; ++i) print(" %s", error_of(&statuses[i]));
  print("\n");
}

static void complete_some(int way, int count, MPI_Request *requests, MPI_Status *errors) {
  int indices[own + 1], done = 0;
  MPI_Status statuses[own + 1];
  while (done != MPI_UNDEFINED) {
    for (int i = 0; i < count; ++i) statuses[i].MPI_ERROR = mark;
    if (way == waitsome) MPI_Waitsome(count, requests, &done, indices, statuses);
    if (way == testsome) MPI_Testsome(count, requests, &done, indices, statuses);
    for (int i = 0; done != MPI_UNDEFINED && i < done; ++i) errors[indices[i]] = statuses[i];
  }
}

static void complete_any(int way, int count, MPI_Request *requests, MPI_Status *errors) {
  int index = 0, flag = 0;
  while (index != MPI_UNDEFINED) {
    MPI_Status status;
    status.MPI_ERROR = mark;
    flag = way == waitany;
    if (way == waitany) MPI_Waitany(count, requests, &index, &status);
    if (way == testany) MPI_Testany(count, requests, &index, &flag, &status);
    if (flag == 0) index = 0;
    if (flag != 0) errors[index == MPI_UNDEFINED ? 3 : index] = status;
  }
}

static void complete(int way, int count, MPI_Request *requests, MPI_Status *statuses) {
  int flag = 0;
  if (way == waitall) MPI_Waitall(count, requests, statuses);
  while (way == testall && !flag) MPI_Testall(count, requests, &flag, statuses);
  if (way == waitsome || way == testsome) complete_some(way, count, requests, statuses);
  if (way == waitany || way == testany) complete_any(way, count, requests, statuses);
  for (int i = 0; i < count && (way == wait || way == test || way == get_status); ++i) {
    flag = 0;
    if (way == wait) MPI_Wait(&requests[i], &statuses[i]);
    while (way == test && !flag) MPI_Test(&requests[i], &flag, &statuses[i]);
    while (way == get_status && !flag) MPI_Request_get_status(requests[i], &flag, &statuses[i]);
    if (way == get_status) MPI_Wait(&requests[i], MPI_STATUS_IGNORE);
  }
}

static void message(int way, MPI_Status *status) {
  const int next = (rank + 1) % ranks, last = (rank + ranks - 1) % ranks;
  if (way == sendrecv) {
    MPI_Sendrecv(&rank, 1, MPI_INT, next, way, received, 1, MPI_INT, last, way, MPI_COMM_WORLD, status);
    return;
  }
  MPI_Send(&rank, 1, MPI_INT, next, way, MPI_COMM_WORLD);
  if (way == probe) MPI_Probe(last, way, MPI_COMM_WORLD, status);
  MPI_Recv(received, 1, MPI_INT, last, way, MPI_COMM_WORLD, way == recv ? status : MPI_STATUS_IGNORE);
}

int main(int argc, char **argv) {
  MPI_Request requests[own + 1], plan, inactive;
  MPI_Status statuses[own + 1];
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &ranks);
  MPI_Alltoall_init(out, 1, MPI_INT, in, 1, MPI_INT, MPI_COMM_WORLD, MPI_INFO_NULL, &plan);
  MPI_Recv_init(received, 1, MPI_INT, MPI_PROC_NULL, 0, MPI_COMM_WORLD, &inactive);
  for (int way = 0; way < ways; ++way) {
    for (int i = 0; i < own + 1; ++i) statuses[i].MPI_ERROR = mark;
    if (argc > 1 && way != wait && way != test && way != waitall) continue;
    MPI_Start(&plan);
    if (way < recv) {
      begin(requests, argc > 1 ? plan : inactive);
      complete(way, own + 1, requests, statuses);
      print_errors(names[way], statuses, own + 1);
    } else {
      message(way, statuses);
      print_errors(names[way], statuses, 1);
    }
    MPI_Wait(&plan, MPI_STATUS_IGNORE);
  }
  MPI_Request_free(&inactive);
  MPI_Request_free(&plan);
  print_all();
  MPI_Finalize();
  return 0;
}
