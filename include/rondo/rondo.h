/* Rondo: persistent, non-uniform all-to-all exchanges on MPI. The C interface.
 *
 * The calls take the arguments of their MPI-4 namesakes, with RONDO_Request in place of
 * MPI_Request, and behave as MPI-4 says of persistent collective operations. Every function returns
 * MPI_SUCCESS or one of the RONDO_ERR_ codes; RONDO_Error_string gives the whole message, with the
 * offending values in it.
 *
 * SPDX-License-Identifier: BSD-3-Clause */
#ifndef RONDO_RONDO_H
#define RONDO_RONDO_H

#include <mpi.h>

/* The CMake target and pkg-config say which MPI the library was built on. Handles of another have other types. */
#if (defined(RONDO_BUILT_ON_MPICH) && !defined(MPICH_VERSION)) || \
    (defined(RONDO_BUILT_ON_OPENMPI) && !defined(OPEN_MPI)) ||    \
    (defined(RONDO_BUILT_ON_ANOTHER_MPI) && (defined(MPICH_VERSION) || defined(OPEN_MPI)))
#error "Rondo was built on another MPI than the one whose mpi.h this is: compile with the mpicc of that MPI, or with cc"
#endif

#if defined(__GNUC__)
#define RONDO_API __attribute__((visibility("default")))
#else
#define RONDO_API
#endif

#ifdef __cplusplus
extern "C" {
#endif

/* A planned exchange: inactive after init, active from start until wait (or a successful test). A handle is no address:
 * a copy of one that has been freed is known as such, and gives RONDO_ERR_REQUEST wherever a request is taken. */
typedef struct RONDO_Request_object *RONDO_Request;

#ifdef __cplusplus
#define RONDO_REQUEST_NULL nullptr
#else
#define RONDO_REQUEST_NULL ((RONDO_Request)0)
#endif

/* The longest message that RONDO_Error_string writes, its final zero included. */
#define RONDO_MAX_ERROR_STRING 1024

enum {
  RONDO_ERR_COUNT = 10001,     /* a negative count, or a size that does not fit in 64 bits */
  RONDO_ERR_BUFFER = 10002,    /* a null buffer or array where data is named */
  RONDO_ERR_OVERLAP = 10003,   /* two receive ranges share bytes, or one with what is sent */
  RONDO_ERR_TYPE = 10004,      /* a null, freed or uncommitted datatype */
  RONDO_ERR_COMM = 10005,      /* a null, freed or unsuitable communicator, or one of another MPI */
  RONDO_ERR_REQUEST = 10006,   /* a null or freed request, or one in the wrong state */
  RONDO_ERR_HINT = 10007,      /* an unknown hint, a value that does not parse, or ranks that differ */
  RONDO_ERR_ALGORITHM = 10008, /* the algorithm asked for does not serve this case */
  RONDO_ERR_MISMATCH = 10009,  /* what one rank sends is not what the other receives */
  RONDO_ERR_NO_MEMORY = 10010, /* memory ran out, or rondo_scratch_limit forbids the plan */
  RONDO_ERR_MPI = 10011,       /* an MPI call inside Rondo failed */
  RONDO_ERR_ARG = 10012,       /* any other bad argument */
  RONDO_ERR_INTERNAL = 10013,  /* a fault of Rondo's own: please report it */
  RONDO_ERR_STALLED = 10014    /* nothing came for rondo_stall_timeout; the plan is of no more use */
};

/* The values behind the last error that a call of this thread returned; -1 where one has no meaning.
 * Rank numbers are those of the communicator that the call was given. */
typedef struct RONDO_Error_values {
  int code;        /* RONDO_ERR_* */
  int rank;        /* the rank that found the fault */
  int peer;        /* the other rank of the pair that is at fault */
  long long value; /* the offending value: a count, a size in bytes, an offset */
  long long other; /* what it was held against, where there is one */
} RONDO_Error_values;

/* What was planned. Numbers are this rank's own; bytes and messages are per start. */
typedef struct RONDO_Report {
  char algorithm[64];       /* its name in the table of `rondo algorithms` */
  int radix;                /* 0 where the algorithm takes none */
  int block_count;          /* 0 where the algorithm takes none */
  int leaders;              /* 0 where the algorithm takes none */
  char pattern[16];         /* "coalesced", "staggered", or empty */
  char wire[32];            /* what carries this rank's messages: "shared", "packed", "datatype", several of them joined
                             * by '+', "native" for the MPI library's own call, or "none" */
  char progress[8];         /* who drives it between start and wait: "caller" or "thread" */
  int ranks;                /* of the communicator */
  int steps;                /* steps in which this rank sends or receives */
  long long messages;       /* messages that this rank sends */
  long long block_moves;    /* blocks in them, forwarded ones included */
  long long bytes;          /* bytes in them */
  long long scratch_bytes;  /* where blocks of others rest between their hops */
  long long staging_bytes;  /* where messages of several pieces are packed */
  double predicted_seconds; /* the cost estimate of one exchange */
  double init_seconds;      /* how long init took on this rank */
} RONDO_Report;

/* As sendbuf or recvbuf of an init call: the plan allocates the buffer, as large as the counts and displacements
 * reach, zero at first, and for as long as the plan lives; RONDO_Request_buffers tells where. Ranks of a node then read
 * each other's buffers directly, which saves a copy. Each rank may choose for itself, but it pays where all do. */
RONDO_API extern char RONDO_Plan_buffer;
#ifdef __cplusplus
#define RONDO_PLAN_BUFFER static_cast<void *>(&RONDO_Plan_buffer)
#else
#define RONDO_PLAN_BUFFER ((void *)&RONDO_Plan_buffer)
#endif

/* ---- Initialisation: collective over comm. -------------------------------------------------------
 *
 * The count and displacement arrays are copied; the buffers are bound. info may be MPI_INFO_NULL, or
 * hold rondo_ hints (docs/tuning.md). If the arguments are wrong on any rank, or a rank has no memory,
 * every rank returns the error and *request is RONDO_REQUEST_NULL on all. sendbuf may be MPI_IN_PLACE
 * on all ranks.
 *
 * comm may be of a session, in a program without MPI_Init too. RONDO_ERR_COMM before MPI is initialized, and after
 * MPI_Finalize. Plans are freed before MPI_Finalize and before the last session is finalized. */

RONDO_API int RONDO_Alltoall_init(const void *sendbuf, int sendcount, MPI_Datatype sendtype, void *recvbuf,
                                  int recvcount, MPI_Datatype recvtype, MPI_Comm comm, MPI_Info info,
                                  RONDO_Request *request);

RONDO_API int RONDO_Alltoall_init_c(const void *sendbuf, MPI_Count sendcount, MPI_Datatype sendtype, void *recvbuf,
                                    MPI_Count recvcount, MPI_Datatype recvtype, MPI_Comm comm, MPI_Info info,
                                    RONDO_Request *request);

RONDO_API int RONDO_Alltoallv_init(const void *sendbuf, const int sendcounts[], const int sdispls[],
                                   MPI_Datatype sendtype, void *recvbuf, const int recvcounts[], const int rdispls[],
                                   MPI_Datatype recvtype, MPI_Comm comm, MPI_Info info, RONDO_Request *request);

RONDO_API int RONDO_Alltoallv_init_c(const void *sendbuf, const MPI_Count sendcounts[], const MPI_Aint sdispls[],
                                     MPI_Datatype sendtype, void *recvbuf, const MPI_Count recvcounts[],
                                     const MPI_Aint rdispls[], MPI_Datatype recvtype, MPI_Comm comm, MPI_Info info,
                                     RONDO_Request *request);

/* A datatype for each rank, and displacements in bytes. The datatype of a count of zero is not looked at. */
RONDO_API int RONDO_Alltoallw_init(const void *sendbuf, const int sendcounts[], const int sdispls[],
                                   const MPI_Datatype sendtypes[], void *recvbuf, const int recvcounts[],
                                   const int rdispls[], const MPI_Datatype recvtypes[], MPI_Comm comm, MPI_Info info,
                                   RONDO_Request *request);

RONDO_API int RONDO_Alltoallw_init_c(const void *sendbuf, const MPI_Count sendcounts[], const MPI_Aint sdispls[],
                                     const MPI_Datatype sendtypes[], void *recvbuf, const MPI_Count recvcounts[],
                                     const MPI_Aint rdispls[], const MPI_Datatype recvtypes[], MPI_Comm comm,
                                     MPI_Info info, RONDO_Request *request);

/* Each rank exchanges with its neighbours in a communicator with a topology (Cartesian, graph or distributed graph), in
 * the order and with the matching of MPI-4.0, section 8.6; MPI_IN_PLACE has no meaning here. */
RONDO_API int RONDO_Neighbor_alltoallv_init(const void *sendbuf, const int sendcounts[], const int sdispls[],
                                            MPI_Datatype sendtype, void *recvbuf, const int recvcounts[],
                                            const int rdispls[], MPI_Datatype recvtype, MPI_Comm comm, MPI_Info info,
                                            RONDO_Request *request);

RONDO_API int RONDO_Neighbor_alltoallv_init_c(const void *sendbuf, const MPI_Count sendcounts[],
                                              const MPI_Aint sdispls[], MPI_Datatype sendtype, void *recvbuf,
                                              const MPI_Count recvcounts[], const MPI_Aint rdispls[],
                                              MPI_Datatype recvtype, MPI_Comm comm, MPI_Info info,
                                              RONDO_Request *request);

/* All-gathers: everybody receives what each of the others has; on an intercommunicator (where MPI_IN_PLACE has no
 * meaning), what each rank of the other group has. The sizes of both sides are always held against each other at init.
 * On an intercommunicator the rank numbers of errors and reports count both groups: first the one whose rank 0 is lower
 * in MPI_COMM_WORLD (of groups without a common world, the one that the MPI library puts first), then the other.
 */
RONDO_API int RONDO_Allgather_init(const void *sendbuf, int sendcount, MPI_Datatype sendtype, void *recvbuf,
                                   int recvcount, MPI_Datatype recvtype, MPI_Comm comm, MPI_Info info,
                                   RONDO_Request *request);

RONDO_API int RONDO_Allgather_init_c(const void *sendbuf, MPI_Count sendcount, MPI_Datatype sendtype, void *recvbuf,
                                     MPI_Count recvcount, MPI_Datatype recvtype, MPI_Comm comm, MPI_Info info,
                                     RONDO_Request *request);

RONDO_API int RONDO_Allgatherv_init(const void *sendbuf, int sendcount, MPI_Datatype sendtype, void *recvbuf,
                                    const int recvcounts[], const int displs[], MPI_Datatype recvtype, MPI_Comm comm,
                                    MPI_Info info, RONDO_Request *request);

RONDO_API int RONDO_Allgatherv_init_c(const void *sendbuf, MPI_Count sendcount, MPI_Datatype sendtype, void *recvbuf,
                                      const MPI_Count recvcounts[], const MPI_Aint displs[], MPI_Datatype recvtype,
                                      MPI_Comm comm, MPI_Info info, RONDO_Request *request);

/* Takes part in an init of the other ranks as one whose arguments are wrong, for interfaces that find faults which C
 * cannot see, such as an array that is too short: every rank returns values->code, with this message and these values.
 * values->rank is filled in. Collective over comm, and never MPI_SUCCESS. */
RONDO_API int RONDO_Refuse_init(MPI_Comm comm, MPI_Info info, const RONDO_Error_values *values, const char *message);

/* ---- Use. Starts are collective in effect: every rank of the communicator must start the plan, but
 * different plans may be started in different orders on different ranks. ------------------------------ */

/* Starts an inactive plan. Local: it returns at once; data moves in it, in test and in wait, and with the hint
 * rondo_progress=thread also while the caller does something else. */
RONDO_API int RONDO_Start(RONDO_Request *request);

/* The same for several, in the order of the array. Where one of them cannot be started (it is null or freed, active,
 * has failed before, or stands in the array twice), none is: RONDO_ERR_REQUEST. Where the start of one meets an error,
 * those before it are active, those behind it are not, and it is inactive itself and can only be freed. */
RONDO_API int RONDO_Startall(int count, RONDO_Request requests[]);

/* Gives an inactive plan other buffers, for its next starts: what the counts, displacements and types of its init say,
 * from sendbuf and to recvbuf. A side that was given as MPI_IN_PLACE or RONDO_PLAN_BUFFER must be given so again.
 * Local, whatever the other ranks do with theirs; but for a native plan it is collective, as it makes the MPI library's
 * request anew. RONDO_ERR_BUFFER for a null buffer with data, and for one that other processes cannot read (a device's
 * memory, mapped) where ranks of the node read that of init; RONDO_ERR_OVERLAP where what is received would overwrite
 * what is sent, RONDO_ERR_REQUEST for a null or active request; the plan then stays as it was. It takes as long as the
 * binding at init: worth it where the same buffers come back. */
RONDO_API int RONDO_Rebind(RONDO_Request *request, const void *sendbuf, void *recvbuf);

/* Drives the exchange; *flag is 1 once it is complete, and for an inactive or null request. The status
 * is set to MPI's empty status; it may be MPI_STATUS_IGNORE. */
RONDO_API int RONDO_Test(RONDO_Request *request, int *flag, MPI_Status *status);
RONDO_API int RONDO_Testall(int count, RONDO_Request requests[], int *flag, MPI_Status statuses[]);

/* Completes the exchange; at once for an inactive or null request. The plan can be started again. Of several, all or
 * none are waited for where one has been freed; an error of one leaves those behind it active. */
RONDO_API int RONDO_Wait(RONDO_Request *request, MPI_Status *status);
RONDO_API int RONDO_Waitall(int count, RONDO_Request requests[], MPI_Status statuses[]);

/* Frees an inactive plan and sets *request to RONDO_REQUEST_NULL. Local. The communicator may have been
 * freed before. An active plan gives RONDO_ERR_REQUEST and stays as it is.
 *
 * Where an exchange of the plan has failed, messages of it may be under way: receives that nothing has come for are
 * cancelled, and what a late message may still meet is kept until the program ends. If MPI still reads from the send
 * buffer or writes to the receive buffer, the plan is freed all the same, and RONDO_ERR_STALLED says how many messages
 * there are: those buffers must live on until MPI_Finalize. */
RONDO_API int RONDO_Request_free(RONDO_Request *request);

/* ---- Datatypes that MPI does not have (Träff 2014, sections 3.1, 3.2 and 3.5). Local. -----------------
 *
 * They are made of MPI's own constructors, for any base type oldtype, and like those they need MPI_Type_commit and
 * MPI_Type_free. Offsets are multiples of the extent of oldtype. RONDO_ERR_COUNT for a number that makes no sense,
 * RONDO_ERR_TYPE for a null or freed oldtype and after MPI_Finalize, RONDO_ERR_ARG for a null pointer; *newtype is then
 * MPI_DATATYPE_NULL. */

/* A vector that spans at most `bound` elements: blocks of blocklength elements at 0, stride, 2 stride, ..., the last
 * one cut where it would reach beyond. stride is at least blocklength, and 1. Its extent ends with its last element, as
 * a vector's does. */
RONDO_API int RONDO_Type_create_bounded_vector(MPI_Count bound, MPI_Count blocklength, MPI_Count stride,
                                               MPI_Datatype oldtype, MPI_Datatype *newtype);

/* The same vector within a circle of `total` elements: it begins at `start`, and goes on at 0 where it reaches the end.
 * 0 <= start < total, and bound <= total. Its extent is that of total elements. */
RONDO_API int RONDO_Type_create_circular_vector(MPI_Count total, MPI_Count start, MPI_Count bound,
                                                MPI_Count blocklength, MPI_Count stride, MPI_Datatype oldtype,
                                                MPI_Datatype *newtype);

/* `count` buckets of bucketsize elements side by side, of which the first counts[i] are data. Its extent is that of
 * all buckets, full or not. */
RONDO_API int RONDO_Type_create_bucket(MPI_Count count, MPI_Count bucketsize, const MPI_Count counts[],
                                       MPI_Datatype oldtype, MPI_Datatype *newtype);

/* ---- Questions. Local. ------------------------------------------------------------------------------ */

/* The buffers of a plan: the caller's own, or those that the plan has allocated. Displacements count from there.
 * sendbuf and recvbuf may be NULL; with MPI_IN_PLACE both are the receive buffer. */
RONDO_API int RONDO_Request_buffers(RONDO_Request request, void **sendbuf, void **recvbuf);

/* What was planned, as values. */
RONDO_API int RONDO_Request_report(RONDO_Request request, RONDO_Report *report);

/* The same as one JSON object, zero-terminated. *length is the room in json at the call and the length of
 * the text (without its zero) at the return; RONDO_ERR_ARG when the room is too small. json may be NULL
 * to ask for the length only. */
RONDO_API int RONDO_Request_report_json(RONDO_Request request, char *json, int *length);

/* The whole message of the last error on this thread when code is that error's, else what the code means.
 * string has room for RONDO_MAX_ERROR_STRING characters. */
RONDO_API int RONDO_Error_string(int code, char *string, int *length);

/* The values of the last error on this thread. */
RONDO_API int RONDO_Error_last(RONDO_Error_values *values);

/* The ranks of an intracommunicator. RONDO_ERR_COMM when it is null, an intercommunicator or (where the MPI library
 * can tell) freed; MPI_Comm_size would end the program. */
RONDO_API int RONDO_Comm_size(MPI_Comm comm, int *size);

/* How many neighbours a communicator with a topology gives this rank: the lengths of the arrays of a neighbourhood
 * collective. RONDO_ERR_COMM where there is no topology. */
RONDO_API int RONDO_Neighbor_counts(MPI_Comm comm, int *sources, int *destinations);

/* The version, as "major.minor.patch". */
RONDO_API const char *RONDO_Version(void);

#ifdef __cplusplus
}
#endif

#endif /* RONDO_RONDO_H */
