/* A profiler from before MPI-4: it stands above the interposer, and knows the calls on requests by their PMPI_ names,
 * but not those that make persistent collectives. */
#include <mpi.h>

#define WRAPS(function, parameters, arguments) \
  int function parameters {                    \
    return P##function arguments;              \
  }

WRAPS(MPI_Start, (MPI_Request * request), (request))
WRAPS(MPI_Startall, (int count, MPI_Request requests[]), (count, requests))
WRAPS(MPI_Wait, (MPI_Request * request, MPI_Status *status), (request, status))
WRAPS(MPI_Waitall, (int count, MPI_Request requests[], MPI_Status statuses[]), (count, requests, statuses))
WRAPS(MPI_Waitany, (int count, MPI_Request requests[], int *index, MPI_Status *status),
      (count, requests, index, status))
WRAPS(MPI_Waitsome, (int count, MPI_Request requests[], int *done, int indices[], MPI_Status statuses[]),
      (count, requests, done, indices, statuses))
WRAPS(MPI_Test, (MPI_Request * request, int *flag, MPI_Status *status), (request, flag, status))
WRAPS(MPI_Testall, (int count, MPI_Request requests[], int *flag, MPI_Status statuses[]),
      (count, requests, flag, statuses))
WRAPS(MPI_Testany, (int count, MPI_Request requests[], int *index, int *flag, MPI_Status *status),
      (count, requests, index, flag, status))
WRAPS(MPI_Testsome, (int count, MPI_Request requests[], int *done, int indices[], MPI_Status statuses[]),
      (count, requests, done, indices, statuses))
WRAPS(MPI_Request_get_status, (MPI_Request request, int *flag, MPI_Status *status), (request, flag, status))
WRAPS(MPI_Request_free, (MPI_Request * request), (request))
WRAPS(MPI_Cancel, (MPI_Request * request), (request))
