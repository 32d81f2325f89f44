// Calls before MPI_Init and after MPI_Finalize are refused; none of them ends the program. Not a GoogleTest program, as
// those have a session around them.

#include <mpi_functions.h>
#include <rondo/rondo.h>

#include <cstdio>
#include <string>

namespace {

int wrong = 0;

void expect_code(int code, int expected, const std::string &what) {
  if (code == expected) return;
  ++wrong;
  std::printf("%s: code %d, not %d\n", what.c_str(), code, expected);
}

int sent[8];
int received[8];
const int counts[8] = {1, 1, 1, 1, 1, 1, 1, 1};
const int displs[8] = {0, 1, 2, 3, 4, 5, 6, 7};

void expect_inits_refused(const std::string &when, MPI_Comm comm) {
  const auto refused = [&](int code, RONDO_Request request, const char *call) {
    expect_code(code, RONDO_ERR_COMM, when + " " + call);
    expect_code(request == RONDO_REQUEST_NULL ? 1 : 0, 1, when + " the request of " + call);
  };
  RONDO_Request request = RONDO_REQUEST_NULL;
  refused(RONDO_Alltoall_init(sent, 1, MPI_INT, received, 1, MPI_INT, comm, MPI_INFO_NULL, &request), request,
          "alltoall");
  refused(RONDO_Alltoallv_init(sent, counts, displs, MPI_INT, received, counts, displs, MPI_INT, comm, MPI_INFO_NULL,
                               &request),
          request, "alltoallv");
  const MPI_Datatype types[8] = {MPI_INT, MPI_INT, MPI_INT, MPI_INT, MPI_INT, MPI_INT, MPI_INT, MPI_INT};
  refused(
      RONDO_Alltoallw_init(sent, counts, displs, types, received, counts, displs, types, comm, MPI_INFO_NULL, &request),
      request, "alltoallw");
  refused(RONDO_Neighbor_alltoallv_init(sent, counts, displs, MPI_INT, received, counts, displs, MPI_INT, comm,
                                        MPI_INFO_NULL, &request),
          request, "neighbor_alltoallv");
  refused(RONDO_Allgather_init(sent, 1, MPI_INT, received, 1, MPI_INT, comm, MPI_INFO_NULL, &request), request,
          "allgather");
  refused(RONDO_Allgatherv_init(sent, 1, MPI_INT, received, counts, displs, MPI_INT, comm, MPI_INFO_NULL, &request),
          request, "allgatherv");
  const int without = RONDO_Alltoall_init(sent, 1, MPI_INT, received, 1, MPI_INT, comm, MPI_INFO_NULL, nullptr);
  if (comm != MPI_COMM_NULL) expect_code(without, RONDO_ERR_COMM, when + " alltoall without a request");
  int number = 0;
  expect_code(RONDO_Comm_size(comm, &number), RONDO_ERR_COMM, when + " a size");
  expect_code(RONDO_Neighbor_counts(comm, &number, &number), RONDO_ERR_COMM, when + " neighbors");
}

void expect_types_refused(const std::string &when) {
  MPI_Datatype type = MPI_INT;
  const MPI_Count buckets[1] = {1};
  expect_code(RONDO_Type_create_bounded_vector(4, 1, 2, MPI_INT, &type), RONDO_ERR_TYPE, when + " a bounded vector");
  expect_code(RONDO_Type_create_circular_vector(4, 0, 4, 1, 2, MPI_INT, &type), RONDO_ERR_TYPE, when + " a circle");
  expect_code(RONDO_Type_create_bucket(1, 2, buckets, MPI_INT, &type), RONDO_ERR_TYPE, when + " a bucket");
  expect_code(type == MPI_DATATYPE_NULL ? 1 : 0, 1, when + " a refused type");
}

void expect_null_requests_work(const std::string &when) {
  RONDO_Request null = RONDO_REQUEST_NULL;
  MPI_Status status{};
  int flag = 0;
  expect_code(RONDO_Wait(&null, &status), MPI_SUCCESS, when + " wait");
  expect_code(RONDO_Test(&null, &flag, &status), MPI_SUCCESS, when + " test");
  expect_code(RONDO_Start(&null), RONDO_ERR_REQUEST, when + " start");
}

}  // namespace

int main(int argc, char **argv) {
  for (const MPI_Comm comm : {MPI_COMM_WORLD, MPI_COMM_SELF, MPI_COMM_NULL}) expect_inits_refused("before", comm);
#if !defined(RONDO_MPI_HAS_SESSIONS)  // else one may be there
  expect_types_refused("before");
#endif
  expect_null_requests_work("before");
  MPI_Init(&argc, &argv);
  MPI_Comm comm = MPI_COMM_NULL;
  MPI_Comm_dup(MPI_COMM_WORLD, &comm);
  MPI_Info to_handler = MPI_INFO_NULL;
  MPI_Info_create(&to_handler);
  MPI_Info_set(to_handler, "rondo_errors", "handler");
  RONDO_Request inactive = RONDO_REQUEST_NULL;
  RONDO_Request active = RONDO_REQUEST_NULL;
  for (RONDO_Request *request : {&inactive, &active}) {
    expect_code(RONDO_Alltoall_init(sent, 1, MPI_INT, received, 1, MPI_INT, comm, to_handler, request), MPI_SUCCESS,
                "alltoall");
  }
  expect_code(RONDO_Start(&active), MPI_SUCCESS, "start");

  MPI_Finalize();

  for (const MPI_Comm each : {MPI_COMM_WORLD, MPI_COMM_SELF, MPI_COMM_NULL, comm}) expect_inits_refused("after", each);
  expect_types_refused("after");
  expect_null_requests_work("after");
  for (RONDO_Request *request : {&inactive, &active}) {
    MPI_Status status{};
    expect_code(RONDO_Start(request), RONDO_ERR_REQUEST, "start after");
    expect_code(RONDO_Startall(1, request), RONDO_ERR_REQUEST, "startall after");
    expect_code(RONDO_Wait(request, &status), MPI_SUCCESS, "wait after");
    expect_code(RONDO_Rebind(request, received, sent), RONDO_ERR_REQUEST, "rebind after");
    expect_code(RONDO_Request_free(request), MPI_SUCCESS, "free after");
  }
  std::printf("outside of MPI: %d wrong\n", wrong);
  return wrong;
}
