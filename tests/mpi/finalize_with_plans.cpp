// A program that frees its plans after MPI_Finalize, or never: it is told, and nothing worse happens. Not a GoogleTest
// program, as what comes after MPI_Finalize is what it is about.

#include <mpi.h>
#include <rondo/rondo.h>

#include <cstdio>
#include <vector>

namespace {

RONDO_Request make_plan(const char *algorithm, const char *wire, const char *progress, std::vector<int> &send,
                        std::vector<int> &receive, MPI_Datatype type, MPI_Comm comm) {
  int ranks = 0;
  MPI_Comm_size(comm, &ranks);
  MPI_Info info = MPI_INFO_NULL;
  MPI_Info_create(&info);
  MPI_Info_set(info, "rondo_algorithm", algorithm);
  MPI_Info_set(info, "rondo_wire", wire);
  MPI_Info_set(info, "rondo_progress", progress);
  RONDO_Request request = RONDO_REQUEST_NULL;
  if (RONDO_Alltoall_init(send.data(), 1, type, receive.data(), 1, type, comm, info, &request) != MPI_SUCCESS) {
    std::puts("init failed");
  }
  MPI_Info_free(&info);
  if (RONDO_Start(&request) != MPI_SUCCESS || RONDO_Wait(&request, MPI_STATUS_IGNORE) != MPI_SUCCESS) {
    std::puts("the exchange failed");
  }
  return request;
}

RONDO_Request make_varying(const char *wire, MPI_Comm comm) {
  MPI_Info info = MPI_INFO_NULL;
  MPI_Info_create(&info);
  MPI_Info_set(info, "rondo_wire", wire);
  RONDO_Request request = RONDO_REQUEST_NULL;
  if (RONDO_Alltoallv_varying_init(MPI_INT, MPI_INT, comm, info, &request) != MPI_SUCCESS) std::puts("init failed");
  MPI_Info_free(&info);
  return request;
}

}  // namespace

int main(int argc, char **argv) {
  int level = MPI_THREAD_SINGLE;
  MPI_Init_thread(&argc, &argv, MPI_THREAD_MULTIPLE, &level);
  MPI_Comm comm = MPI_COMM_NULL;
  MPI_Comm_dup(MPI_COMM_WORLD, &comm);
  MPI_Datatype gaps = MPI_DATATYPE_NULL;
  MPI_Type_vector(2, 1, 2, MPI_INT, &gaps);
  MPI_Type_commit(&gaps);
  std::vector<int> send(100);
  std::vector<int> receive(100);
  std::vector<RONDO_Request> requests;
  for (const char *algorithm : {"linear", "tuna", "native"}) {
    for (const char *wire : {"shared", "packed", "datatype"}) {
      for (MPI_Datatype type : {MPI_INT, gaps}) {
        for (const char *progress : {"caller", "thread"}) {
          requests.push_back(make_plan(algorithm, wire, progress, send, receive, type, comm));
        }
      }
    }
  }
  MPI_Type_free(&gaps);
  // On the first rank one more start of some, which the others have not made: no wait may complete them any more.
  std::vector<RONDO_Request> varying;
  for (const char *wire : {"shared", "packed"}) varying.push_back(make_varying(wire, comm));
  int rank = 0;
  MPI_Comm_rank(comm, &rank);
  const std::vector<MPI_Count> counts(100, 1);
  if (rank == 0) {
    for (RONDO_Request &request : varying) RONDO_Start_counts(&request, send.data(), counts.data(), nullptr);
  }

  MPI_Finalize();

  int refused = 0;
  for (RONDO_Request &request : varying) {
    void *data = nullptr;
    refused += RONDO_Wait(&request, MPI_STATUS_IGNORE) == MPI_SUCCESS ? 0 : 1;
    // Nothing has come of the only start, and none of the others has started.
    refused += RONDO_Received(request, &data, nullptr, nullptr) == RONDO_ERR_REQUEST ? 0 : 1;
    RONDO_Request_free(&request);  // it says if messages are under way
  }
  for (RONDO_Request &request : requests) refused += RONDO_Request_free(&request) == MPI_SUCCESS ? 0 : 1;
  std::printf("freed after MPI_Finalize, %d refused\n", refused);
  return refused;
}
