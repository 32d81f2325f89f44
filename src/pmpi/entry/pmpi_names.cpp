// The functions that this library does more for than to pass them on, by their PMPI_ names (pmpi/pass/both_names.hpp).

#include <mpi_functions.h>

#include "pmpi/pass/both_names.hpp"
#include "pmpi/requests/request_array.hpp"

using rondo::internal::pmpi::any_of_ours;

// The environment.

ALSO_AS_PMPI(MPI_Init, (int *argc, char ***argv), (argc, argv))
ALSO_AS_PMPI(MPI_Init_thread, (int *argc, char ***argv, int required, int *provided), (argc, argv, required, provided))

// Communicators.

ALSO_AS_PMPI(MPI_Comm_free, (MPI_Comm * comm), (comm))
ALSO_AS_PMPI(MPI_Comm_disconnect, (MPI_Comm * comm), (comm))
ALSO_AS_PMPI(MPI_Comm_idup, (MPI_Comm comm, MPI_Comm *newcomm, MPI_Request *request), (comm, newcomm, request))
#if MPI_VERSION >= 4
ALSO_AS_PMPI(MPI_Comm_idup_with_info, (MPI_Comm comm, MPI_Info info, MPI_Comm *newcomm, MPI_Request *request),
             (comm, info, newcomm, request))
#endif

// Datatypes.

ALSO_AS_PMPI(MPI_Type_free, (MPI_Datatype * type), (type))

// Requests. Those of ours are completed here whoever asks, also in callbacks of the program's that a call beneath has
// called.

ALSO_AS_PMPI_OF_REQUESTS(MPI_Start, any_of_ours(1, request), (MPI_Request * request), (request))
ALSO_AS_PMPI_OF_REQUESTS(MPI_Startall, any_of_ours(count, requests), (int count, MPI_Request requests[]),
                         (count, requests))
ALSO_AS_PMPI_OF_REQUESTS(MPI_Wait, any_of_ours(1, request), (MPI_Request * request, MPI_Status *status),
                         (request, status))
ALSO_AS_PMPI_OF_REQUESTS(MPI_Test, any_of_ours(1, request), (MPI_Request * request, int *flag, MPI_Status *status),
                         (request, flag, status))
ALSO_AS_PMPI_OF_REQUESTS(MPI_Request_get_status, any_of_ours(1, &request),
                         (MPI_Request request, int *flag, MPI_Status *status), (request, flag, status))
ALSO_AS_PMPI_OF_REQUESTS(MPI_Request_free, any_of_ours(1, request), (MPI_Request * request), (request))
ALSO_AS_PMPI_OF_REQUESTS(MPI_Cancel, any_of_ours(1, request), (MPI_Request * request), (request))
ALSO_AS_PMPI_OF_REQUESTS(MPI_Waitall, any_of_ours(count, requests),
                         (int count, MPI_Request requests[], MPI_Status statuses[]), (count, requests, statuses))
ALSO_AS_PMPI_OF_REQUESTS(MPI_Testall, any_of_ours(count, requests),
                         (int count, MPI_Request requests[], int *flag, MPI_Status statuses[]),
                         (count, requests, flag, statuses))
ALSO_AS_PMPI_OF_REQUESTS(MPI_Waitany, any_of_ours(count, requests),
                         (int count, MPI_Request requests[], int *index, MPI_Status *status),
                         (count, requests, index, status))
ALSO_AS_PMPI_OF_REQUESTS(MPI_Testany, any_of_ours(count, requests),
                         (int count, MPI_Request requests[], int *index, int *flag, MPI_Status *status),
                         (count, requests, index, flag, status))
ALSO_AS_PMPI_OF_REQUESTS(MPI_Waitsome, any_of_ours(incount, requests),
                         (int incount, MPI_Request requests[], int *outcount, int indices[], MPI_Status statuses[]),
                         (incount, requests, outcount, indices, statuses))
ALSO_AS_PMPI_OF_REQUESTS(MPI_Testsome, any_of_ours(incount, requests),
                         (int incount, MPI_Request requests[], int *outcount, int indices[], MPI_Status statuses[]),
                         (incount, requests, outcount, indices, statuses))

// Messages.

ALSO_AS_PMPI(MPI_Send, (const void *buf, int count, MPI_Datatype datatype, int dest, int tag, MPI_Comm comm),
             (buf, count, datatype, dest, tag, comm))
ALSO_AS_PMPI(MPI_Ssend, (const void *buf, int count, MPI_Datatype datatype, int dest, int tag, MPI_Comm comm),
             (buf, count, datatype, dest, tag, comm))
ALSO_AS_PMPI(MPI_Recv,
             (void *buf, int count, MPI_Datatype datatype, int source, int tag, MPI_Comm comm, MPI_Status *status),
             (buf, count, datatype, source, tag, comm, status))
ALSO_AS_PMPI(MPI_Sendrecv,
             (const void *sendbuf, int sendcount, MPI_Datatype sendtype, int dest, int sendtag, void *recvbuf,
              int recvcount, MPI_Datatype recvtype, int source, int recvtag, MPI_Comm comm, MPI_Status *status),
             (sendbuf, sendcount, sendtype, dest, sendtag, recvbuf, recvcount, recvtype, source, recvtag, comm, status))
ALSO_AS_PMPI(MPI_Probe, (int source, int tag, MPI_Comm comm, MPI_Status *status), (source, tag, comm, status))
ALSO_AS_PMPI(MPI_Mprobe, (int source, int tag, MPI_Comm comm, MPI_Message *message, MPI_Status *status),
             (source, tag, comm, message, status))

// All-to-all calls and all-gathers.

ALSO_AS_PMPI(MPI_Alltoall,
             (const void *sendbuf, int sendcount, MPI_Datatype sendtype, void *recvbuf, int recvcount,
              MPI_Datatype recvtype, MPI_Comm comm),
             (sendbuf, sendcount, sendtype, recvbuf, recvcount, recvtype, comm))
ALSO_AS_PMPI(MPI_Alltoallv,
             (const void *sendbuf, const int sendcounts[], const int sdispls[], MPI_Datatype sendtype, void *recvbuf,
              const int recvcounts[], const int rdispls[], MPI_Datatype recvtype, MPI_Comm comm),
             (sendbuf, sendcounts, sdispls, sendtype, recvbuf, recvcounts, rdispls, recvtype, comm))
ALSO_AS_PMPI(MPI_Alltoallw,
             (const void *sendbuf, const int sendcounts[], const int sdispls[], const MPI_Datatype sendtypes[],
              void *recvbuf, const int recvcounts[], const int rdispls[], const MPI_Datatype recvtypes[],
              MPI_Comm comm),
             (sendbuf, sendcounts, sdispls, sendtypes, recvbuf, recvcounts, rdispls, recvtypes, comm))
ALSO_AS_PMPI(MPI_Neighbor_alltoallv,
             (const void *sendbuf, const int sendcounts[], const int sdispls[], MPI_Datatype sendtype, void *recvbuf,
              const int recvcounts[], const int rdispls[], MPI_Datatype recvtype, MPI_Comm comm),
             (sendbuf, sendcounts, sdispls, sendtype, recvbuf, recvcounts, rdispls, recvtype, comm))
ALSO_AS_PMPI(MPI_Neighbor_alltoall,
             (const void *sendbuf, int sendcount, MPI_Datatype sendtype, void *recvbuf, int recvcount,
              MPI_Datatype recvtype, MPI_Comm comm),
             (sendbuf, sendcount, sendtype, recvbuf, recvcount, recvtype, comm))
ALSO_AS_PMPI(MPI_Neighbor_alltoallw,
             (const void *sendbuf, const int sendcounts[], const MPI_Aint sdispls[], const MPI_Datatype sendtypes[],
              void *recvbuf, const int recvcounts[], const MPI_Aint rdispls[], const MPI_Datatype recvtypes[],
              MPI_Comm comm),
             (sendbuf, sendcounts, sdispls, sendtypes, recvbuf, recvcounts, rdispls, recvtypes, comm))
ALSO_AS_PMPI(MPI_Allgather,
             (const void *sendbuf, int sendcount, MPI_Datatype sendtype, void *recvbuf, int recvcount,
              MPI_Datatype recvtype, MPI_Comm comm),
             (sendbuf, sendcount, sendtype, recvbuf, recvcount, recvtype, comm))
ALSO_AS_PMPI(MPI_Allgatherv,
             (const void *sendbuf, int sendcount, MPI_Datatype sendtype, void *recvbuf, const int recvcounts[],
              const int displs[], MPI_Datatype recvtype, MPI_Comm comm),
             (sendbuf, sendcount, sendtype, recvbuf, recvcounts, displs, recvtype, comm))
ALSO_AS_PMPI(MPI_Ialltoall,
             (const void *sendbuf, int sendcount, MPI_Datatype sendtype, void *recvbuf, int recvcount,
              MPI_Datatype recvtype, MPI_Comm comm, MPI_Request *request),
             (sendbuf, sendcount, sendtype, recvbuf, recvcount, recvtype, comm, request))
ALSO_AS_PMPI(MPI_Ialltoallv,
             (const void *sendbuf, const int sendcounts[], const int sdispls[], MPI_Datatype sendtype, void *recvbuf,
              const int recvcounts[], const int rdispls[], MPI_Datatype recvtype, MPI_Comm comm, MPI_Request *request),
             (sendbuf, sendcounts, sdispls, sendtype, recvbuf, recvcounts, rdispls, recvtype, comm, request))
ALSO_AS_PMPI(MPI_Ialltoallw,
             (const void *sendbuf, const int sendcounts[], const int sdispls[], const MPI_Datatype sendtypes[],
              void *recvbuf, const int recvcounts[], const int rdispls[], const MPI_Datatype recvtypes[], MPI_Comm comm,
              MPI_Request *request),
             (sendbuf, sendcounts, sdispls, sendtypes, recvbuf, recvcounts, rdispls, recvtypes, comm, request))
ALSO_AS_PMPI(MPI_Ineighbor_alltoallv,
             (const void *sendbuf, const int sendcounts[], const int sdispls[], MPI_Datatype sendtype, void *recvbuf,
              const int recvcounts[], const int rdispls[], MPI_Datatype recvtype, MPI_Comm comm, MPI_Request *request),
             (sendbuf, sendcounts, sdispls, sendtype, recvbuf, recvcounts, rdispls, recvtype, comm, request))
ALSO_AS_PMPI(MPI_Ineighbor_alltoall,
             (const void *sendbuf, int sendcount, MPI_Datatype sendtype, void *recvbuf, int recvcount,
              MPI_Datatype recvtype, MPI_Comm comm, MPI_Request *request),
             (sendbuf, sendcount, sendtype, recvbuf, recvcount, recvtype, comm, request))
ALSO_AS_PMPI(MPI_Ineighbor_alltoallw,
             (const void *sendbuf, const int sendcounts[], const MPI_Aint sdispls[], const MPI_Datatype sendtypes[],
              void *recvbuf, const int recvcounts[], const MPI_Aint rdispls[], const MPI_Datatype recvtypes[],
              MPI_Comm comm, MPI_Request *request),
             (sendbuf, sendcounts, sdispls, sendtypes, recvbuf, recvcounts, rdispls, recvtypes, comm, request))

// Persistent ones, which Open MPI 4.1 has under other names.

#if defined(RONDO_MPI_HAS_PERSISTENT_COLLECTIVES)
#define ALSO_INIT_AS_PMPI(call, parameters, arguments) ALSO_AS_PMPI(MPI_##call, parameters, arguments)
#elif defined(RONDO_MPI_HAS_PERSISTENT_EXTENSION)
#define ALSO_INIT_AS_PMPI(call, parameters, arguments) ALSO_AS_PMPI(MPIX_##call, parameters, arguments)
#endif

#if defined(ALSO_INIT_AS_PMPI)

ALSO_INIT_AS_PMPI(Alltoall_init,
                  (const void *sendbuf, int sendcount, MPI_Datatype sendtype, void *recvbuf, int recvcount,
                   MPI_Datatype recvtype, MPI_Comm comm, MPI_Info info, MPI_Request *request),
                  (sendbuf, sendcount, sendtype, recvbuf, recvcount, recvtype, comm, info, request))
ALSO_INIT_AS_PMPI(Alltoallv_init,
                  (const void *sendbuf, const int sendcounts[], const int sdispls[], MPI_Datatype sendtype,
                   void *recvbuf, const int recvcounts[], const int rdispls[], MPI_Datatype recvtype, MPI_Comm comm,
                   MPI_Info info, MPI_Request *request),
                  (sendbuf, sendcounts, sdispls, sendtype, recvbuf, recvcounts, rdispls, recvtype, comm, info, request))
ALSO_INIT_AS_PMPI(Alltoallw_init,
                  (const void *sendbuf, const int sendcounts[], const int sdispls[], const MPI_Datatype sendtypes[],
                   void *recvbuf, const int recvcounts[], const int rdispls[], const MPI_Datatype recvtypes[],
                   MPI_Comm comm, MPI_Info info, MPI_Request *request),
                  (sendbuf, sendcounts, sdispls, sendtypes, recvbuf, recvcounts, rdispls, recvtypes, comm, info,
                   request))
ALSO_INIT_AS_PMPI(Neighbor_alltoall_init,
                  (const void *sendbuf, int sendcount, MPI_Datatype sendtype, void *recvbuf, int recvcount,
                   MPI_Datatype recvtype, MPI_Comm comm, MPI_Info info, MPI_Request *request),
                  (sendbuf, sendcount, sendtype, recvbuf, recvcount, recvtype, comm, info, request))
ALSO_INIT_AS_PMPI(Neighbor_alltoallv_init,
                  (const void *sendbuf, const int sendcounts[], const int sdispls[], MPI_Datatype sendtype,
                   void *recvbuf, const int recvcounts[], const int rdispls[], MPI_Datatype recvtype, MPI_Comm comm,
                   MPI_Info info, MPI_Request *request),
                  (sendbuf, sendcounts, sdispls, sendtype, recvbuf, recvcounts, rdispls, recvtype, comm, info, request))
ALSO_INIT_AS_PMPI(Neighbor_alltoallw_init,
                  (const void *sendbuf, const int sendcounts[], const MPI_Aint sdispls[],
                   const MPI_Datatype sendtypes[], void *recvbuf, const int recvcounts[], const MPI_Aint rdispls[],
                   const MPI_Datatype recvtypes[], MPI_Comm comm, MPI_Info info, MPI_Request *request),
                  (sendbuf, sendcounts, sdispls, sendtypes, recvbuf, recvcounts, rdispls, recvtypes, comm, info,
                   request))
ALSO_INIT_AS_PMPI(Allgather_init,
                  (const void *sendbuf, int sendcount, MPI_Datatype sendtype, void *recvbuf, int recvcount,
                   MPI_Datatype recvtype, MPI_Comm comm, MPI_Info info, MPI_Request *request),
                  (sendbuf, sendcount, sendtype, recvbuf, recvcount, recvtype, comm, info, request))
ALSO_INIT_AS_PMPI(Allgatherv_init,
                  (const void *sendbuf, int sendcount, MPI_Datatype sendtype, void *recvbuf, const int recvcounts[],
                   const int displs[], MPI_Datatype recvtype, MPI_Comm comm, MPI_Info info, MPI_Request *request),
                  (sendbuf, sendcount, sendtype, recvbuf, recvcounts, displs, recvtype, comm, info, request))

#endif
