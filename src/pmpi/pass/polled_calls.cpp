// Calls that return at once, and that a program repeats until another rank has done something. What runs is driven in
// each, as the other rank may wait for that first.

#include <mpi_functions.h>

#include "plan/progress.hpp"
#include "pmpi/pass/both_names.hpp"

#define POLLED(function, parameters, arguments)                                              \
  ALSO_AS_PMPI(function, parameters, arguments)                                              \
  RONDO_API int function parameters {                                                        \
    static constinit const rondo::internal::pmpi::Next next{#function, &library_##function}; \
    rondo::internal::drive_running();                                                        \
    return next arguments;                                                                   \
  }

POLLED(MPI_Iprobe, (int source, int tag, MPI_Comm comm, int *flag, MPI_Status *status),
       (source, tag, comm, flag, status))
POLLED(MPI_Improbe, (int source, int tag, MPI_Comm comm, int *flag, MPI_Message *message, MPI_Status *status),
       (source, tag, comm, flag, message, status))
POLLED(MPI_Win_test, (MPI_Win win, int *flag), (win, flag))
POLLED(MPI_Win_sync, (MPI_Win win), (win))
POLLED(MPI_Lookup_name, (const char *service_name, MPI_Info info, char *port_name), (service_name, info, port_name))
#if defined(RONDO_MPI_HAS_PARTITIONED_MESSAGES)
POLLED(MPI_Parrived, (MPI_Request request, int partition, int *flag), (request, partition, flag))
#endif
