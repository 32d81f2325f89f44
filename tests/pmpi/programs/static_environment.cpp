// A C++ program whose environment is a static object, as users of C++ bindings of MPI write it: MPI_Init in its
// constructor, before main(), and MPI_Finalize in its destructor, after it.

#include <mpi.h>
#include <stdio.h>

#include <vector>

#include "../persistent_calls.h"

namespace {

struct Environment {
  Environment() { MPI_Init(nullptr, nullptr); }
  ~Environment() {
    int rank = 0;
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Finalize();
    if (rank == 0) puts("finalized");
  }
};

// Freed before that, or by MPI_Finalize.
struct Exchange {
  explicit Exchange(int ranks, bool is_freed) : sent(ranks), received(ranks), freed(is_freed) {
    MPI_Comm_dup(MPI_COMM_WORLD, &comm);
  }
  ~Exchange() {
    if (!freed) return;
    MPI_Request_free(&request);
    MPI_Comm_free(&comm);
  }
  std::vector<int> sent, received;
  bool freed;
  MPI_Comm comm = MPI_COMM_NULL;
  MPI_Request request = MPI_REQUEST_NULL;
};

const Environment environment;

long run(MPI_Comm comm, Exchange &exchange) {
  long sum = 0;
  for (int round = 0; round < 5; ++round) {
    for (int &element : exchange.sent) element = 7 * round + 1;
    MPI_Alltoall(exchange.sent.data(), 1, MPI_INT, exchange.received.data(), 1, MPI_INT, comm);
    for (const int element : exchange.received) sum += element;
    MPI_Start(&exchange.request);
    MPI_Wait(&exchange.request, MPI_STATUS_IGNORE);
    for (const int element : exchange.received) sum += element;
  }
  return sum;
}

}  // namespace

int main() {
  int rank = 0, ranks = 0;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &ranks);
  static Exchange freed(ranks, true);
  static Exchange left(ranks, false);
  std::vector<int> counts(ranks, 1), displacements(ranks);
  for (int i = 0; i < ranks; ++i) displacements[i] = i;
  for (Exchange *each : {&freed, &left}) {
    MPI_Alltoallv_init(each->sent.data(), counts.data(), displacements.data(), MPI_INT, each->received.data(),
                       counts.data(), displacements.data(), MPI_INT, each->comm, MPI_INFO_NULL, &each->request);
    const long sum = run(each->comm, *each) + run(MPI_COMM_WORLD, *each);
    if (rank == 0) printf("sum %ld\n", sum);
  }
  return 0;
}
