/* MPI_Sendrecv with a bad argument, while a plan runs and where errors are returned: it returns at once, and what it
 * might have received is there for the next receive. */
#include "persistent_calls.h"
#include "printed.h"

enum { bad_destination, bad_source, bad_count, bad_type, too_long, good, ways };
static const char *const names[ways] = {"destination", "source", "count", "datatype", "too long", "good"};

static int rank, out[8], in[8];

static int send_receive(int way, int *received) {
  const int to = way == bad_destination ? 4711 : 1;
  const int from = way == bad_source ? 4711 : 1;
  const int count = way == bad_count ? -1 : 1;
  const MPI_Datatype type = way == bad_type ? MPI_DATATYPE_NULL : MPI_INT;
  const int room = way == too_long ? 0 : 1;
  return MPI_Sendrecv(&way, count, type, to, way, received, room, MPI_INT, from, way, MPI_COMM_WORLD,
                      MPI_STATUS_IGNORE);
}

int main(int argc, char **argv) {
  MPI_Request plan;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
  MPI_Alltoall_init(out, 1, MPI_INT, in, 1, MPI_INT, MPI_COMM_WORLD, MPI_INFO_NULL, &plan);
  for (int way = 0; way < ways; ++way) {
    int received = -1, error_class = MPI_SUCCESS;
    MPI_Start(&plan);
    if (rank == 0) {
      const int code = send_receive(way, &received);
      MPI_Error_class(code, &error_class);
      print("%s: %s\n", names[way], error_class == MPI_SUCCESS ? "no error" : "an error");
      if (way < too_long) MPI_Recv(&received, 1, MPI_INT, 1, way, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
      if (way != too_long) print("%d has come\n", received);
    } else {
      const int answer = 100 + way;
      MPI_Send(&answer, 1, MPI_INT, 0, way, MPI_COMM_WORLD);
      if (way >= too_long) MPI_Recv(&received, 1, MPI_INT, 0, way, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    }
    MPI_Wait(&plan, MPI_STATUS_IGNORE);
  }
  MPI_Request_free(&plan);
  print_all();
  MPI_Finalize();
  return 0;
}
