/* A tool beneath the interposer in which the calls that free something return late: their handles are other threads' by
 * then. */
#include <mpi.h>
#include <unistd.h>

/* Ranks, and the calls of each, take different times. */
static void linger(void) {
  static unsigned calls;
  int rank = 0;
  PMPI_Comm_rank(MPI_COMM_WORLD, &rank);
  const unsigned call = __atomic_fetch_add(&calls, 1, __ATOMIC_RELAXED);
  usleep((call * 7 + (unsigned)rank * 3) % 5 * 500);
}

#define RETURNS_LATE(function, parameters, arguments) \
  int function parameters {                           \
    const int code = P##function arguments;           \
    linger();                                         \
    return code;                                      \
  }

RETURNS_LATE(MPI_Comm_free, (MPI_Comm * comm), (comm))
RETURNS_LATE(MPI_Comm_disconnect, (MPI_Comm * comm), (comm))
RETURNS_LATE(MPI_Type_free, (MPI_Datatype * type), (type))
RETURNS_LATE(MPI_Request_free, (MPI_Request * request), (request))
