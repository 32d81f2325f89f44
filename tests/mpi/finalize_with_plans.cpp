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

  MPI_Finalize();

  int refused = 0;
  for (RONDO_Request &request : requests) refused += RONDO_Request_free(&request) == MPI_SUCCESS ? 0 : 1;
  std::printf("freed after MPI_Finalize, %d refused\n", refused);
  return refused;
}
