/* Rondo: persistent, non-uniform all-to-all exchanges on MPI. The C interface.
 *
 * The calls take the arguments of their MPI-4 namesakes, with RONDO_Request in place of MPI_Request, and behave as
 * MPI-4 says of persistent collective operations.
 *
 * Errors. Every function returns MPI_SUCCESS or one of the RONDO_ERR_ codes; a call that completes several requests may
 * return MPI_ERR_IN_STATUS, too, as MPI's do. RONDO_Error_string gives the whole message with the offending values in
 * it, RONDO_Error_last those values, RONDO_Error_class the MPI error class. All three speak of the last error on the
 * calling thread. With the hint rondo_errors=handler the error handler of the communicator is called as well. A null
 * pointer is RONDO_ERR_ARG in every function; only the buffers and arrays of an exchange have codes of their own,
 * RONDO_ERR_BUFFER and, for datatypes, RONDO_ERR_TYPE. A null or freed request where one is needed is
 * RONDO_ERR_REQUEST.
 *
 * Threads. Different requests may be used by different threads at once under MPI_THREAD_MULTIPLE. One request is used
 * by one thread at a time. Inits on one communicator come in the same order on all ranks, so two threads do not make
 * plans on the same communicator at once. Rondo has a thread of its own only with the hint rondo_progress=thread.
 *
 * Progress. Data moves while a call of Rondo's to start, test or wait runs, for any request of the process. A rank that
 * computes, or sits in a call of MPI's, does not forward what others wait for; it calls RONDO_Test now and then, or has
 * plans with rondo_progress=thread.
 *
 * Finalize. Plans are freed before MPI_Finalize and before the last session is finalized. One that was not can be freed
 * after MPI_Finalize, but not be started, and a wait for it returns at once; an init then gives RONDO_ERR_COMM.
 *
 * SPDX-License-Identifier: BSD-3-Clause */
#ifndef RONDO_RONDO_H
#define RONDO_RONDO_H

#include <mpi.h>
#include <stddef.h>

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
  RONDO_ERR_ARG = 10012,       /* a null pointer, or any other bad argument */
  RONDO_ERR_INTERNAL = 10013,  /* a fault of Rondo's own: please report it */
  RONDO_ERR_STALLED =
      10014, /* nothing came for rondo_stall_timeout, or a rank has given up; the plan is of no more use */
  RONDO_ERR_CAPACITY = 10015 /* more has been received than the buffer holds; nothing of it is lost */
};

/* The values behind an error; -1 where one has no meaning. Rank numbers are those of the communicator that the call was
 * given. Later versions may have more members, behind these: calls that take the structure take its size too, so that a
 * program and a library of different versions understand each other. */
typedef struct RONDO_Error_values {
  int code;        /* RONDO_ERR_* */
  int rank;        /* the rank that found the fault; -1 in a local call, or where all have found it alike */
  int peer;        /* the other rank of the pair that is at fault */
  long long value; /* the offending value: a count, a size in bytes, an offset; for RONDO_ERR_MPI, MPI's own code */
  long long other; /* what it was held against, where there is one */
} RONDO_Error_values;

/* What was planned. Numbers are this rank's own; bytes and messages are per start. Later versions may have more
 * members, behind these: see RONDO_Request_report. */
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
  int reused;               /* 1: choice and schedule are those of an earlier plan on the communicator, made of the same
                             * exchange, hints and kind of memory on all ranks; else 0 */
  double measured_seconds;  /* what one exchange took when the algorithm was chosen by measurement; else 0 */
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
 * The count and displacement arrays are copied; the buffers are bound. If the arguments are wrong on any rank, or a
 * rank has no memory, every rank returns the error and *request is RONDO_REQUEST_NULL on all. There is one exception:
 * a bad communicator is an error on the rank that has it alone. sendbuf may be MPI_IN_PLACE on all ranks of an
 * intracommunicator.
 *
 * All-to-alls and all-gathers may be on an intercommunicator: then the entries of the arrays are for the ranks of the
 * other group, and the rank numbers of errors and reports count both groups: first the one whose rank 0 is lower in
 * MPI_COMM_WORLD (of groups without a common world, the one that the MPI library puts first), then the other.
 *
 * comm may be of a session, in a program without MPI_Init too. RONDO_ERR_COMM before MPI is initialized, and after
 * MPI_Finalize.
 *
 * info may be MPI_INFO_NULL, or have hints, the same on all ranks. Each may also be given as an environment variable of
 * its name in capitals; the info wins. An unknown key that begins with rondo_, and a value that does not parse, are
 * RONDO_ERR_HINT. In this list a value before a semicolon is what Rondo does without the hint; without the other hints
 * it chooses the algorithm and its parameters itself, and has no timeout, no limit and no pretended nodes:
 *
 *   rondo_algorithm      a name that `rondo algorithms` prints
 *   rondo_radix, rondo_block_count, rondo_leaders, rondo_pattern (coalesced, staggered)
 *                        parameters of the algorithm; one that it does not take is ignored
 *   rondo_wire           auto; shared (memory inside a node), packed, datatype
 *   rondo_native         auto; persistent, nonblocking: which of the MPI library's calls the algorithm `native` makes
 *   rondo_progress       caller; thread: a thread moves the data between start and wait
 *   rondo_errors         return; handler: errors go to the error handler of comm, too
 *   rondo_stall_timeout  seconds: a wait in which nothing comes for so long returns RONDO_ERR_STALLED, and so does a
 *                        later init on a communicator to which a rank of the node does not come
 *   rondo_scratch_limit  bytes that a plan may take for blocks of others and for packing
 *   rondo_shared_limit   67108864: bytes of shared memory of freed plans that a node keeps for the next on comm
 *   rondo_validate       0; 1: init holds what each rank sends against what each other receives
 *   rondo_expected_bytes bytes that a rank expects to send in a start, where counts come with each start
 *   rondo_metadata       joined; separate: where counts come with each start, they travel in messages of their own, as
 *                        in the papers, for comparison
 *   rondo_report         0; 1: rank 0 prints a line about the plan on standard error
 *                        explain: it prints the estimates, too, that the choice was made by
 *   rondo_long_messages  auto, rings, attach: how long messages move inside a node
 *   rondo_node_size      ranks of a pretended node
 *   rondo_tune           estimate; measure: init times the candidates that look best, and takes the fastest
 *   rondo_tune_budget    0.05: seconds that it may take for that
 *   rondo_profile        a file that keeps what has been measured; an init with this hint takes its choice from there,
 *                        without measuring, where the file has one for the case */

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
 * the order and with the matching of MPI-4.0, section 8.6; MPI_IN_PLACE has no meaning here. The first two have one
 * count for all neighbours, whose blocks lie one after the other. */
RONDO_API int RONDO_Neighbor_alltoall_init(const void *sendbuf, int sendcount, MPI_Datatype sendtype, void *recvbuf,
                                           int recvcount, MPI_Datatype recvtype, MPI_Comm comm, MPI_Info info,
                                           RONDO_Request *request);

RONDO_API int RONDO_Neighbor_alltoall_init_c(const void *sendbuf, MPI_Count sendcount, MPI_Datatype sendtype,
                                             void *recvbuf, MPI_Count recvcount, MPI_Datatype recvtype, MPI_Comm comm,
                                             MPI_Info info, RONDO_Request *request);

RONDO_API int RONDO_Neighbor_alltoallv_init(const void *sendbuf, const int sendcounts[], const int sdispls[],
                                            MPI_Datatype sendtype, void *recvbuf, const int recvcounts[],
                                            const int rdispls[], MPI_Datatype recvtype, MPI_Comm comm, MPI_Info info,
                                            RONDO_Request *request);

RONDO_API int RONDO_Neighbor_alltoallv_init_c(const void *sendbuf, const MPI_Count sendcounts[],
                                              const MPI_Aint sdispls[], MPI_Datatype sendtype, void *recvbuf,
                                              const MPI_Count recvcounts[], const MPI_Aint rdispls[],
                                              MPI_Datatype recvtype, MPI_Comm comm, MPI_Info info,
                                              RONDO_Request *request);

/* The same with a datatype for each neighbour, and displacements in bytes. The datatype of a count of zero is not
 * looked at. */
RONDO_API int RONDO_Neighbor_alltoallw_init(const void *sendbuf, const int sendcounts[], const MPI_Aint sdispls[],
                                            const MPI_Datatype sendtypes[], void *recvbuf, const int recvcounts[],
                                            const MPI_Aint rdispls[], const MPI_Datatype recvtypes[], MPI_Comm comm,
                                            MPI_Info info, RONDO_Request *request);

RONDO_API int RONDO_Neighbor_alltoallw_init_c(const void *sendbuf, const MPI_Count sendcounts[],
                                              const MPI_Aint sdispls[], const MPI_Datatype sendtypes[], void *recvbuf,
                                              const MPI_Count recvcounts[], const MPI_Aint rdispls[],
                                              const MPI_Datatype recvtypes[], MPI_Comm comm, MPI_Info info,
                                              RONDO_Request *request);

/* All-gathers: everybody receives what each of the others has; on an intercommunicator (where MPI_IN_PLACE has no
 * meaning), what each rank of the other group has. The sizes of both sides are always held against each other at init.
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

/* A plan without counts: each start says how much this rank sends to whom, and what arrives says how long it is. A
 * program whose counts change from one exchange to the next holds one such plan, and needs no exchange of counts before
 * that of the data (the counts travel at the head of it). The elements of both sides are of one type each; what a rank
 * sends must be a whole number of elements for the rank that receives it. All algorithms serve but `native` and those
 * for blocks of one size. */
RONDO_API int RONDO_Alltoallv_varying_init(MPI_Datatype sendtype, MPI_Datatype recvtype, MPI_Comm comm, MPI_Info info,
                                           RONDO_Request *request);

/* Takes part in an init of the other ranks as one whose arguments are wrong, for interfaces that find faults which C
 * cannot see, such as an array that is too short: every rank returns values->code, with this message and these values.
 * values->rank is filled in; `size` is sizeof(RONDO_Error_values). Collective over comm, and never MPI_SUCCESS. */
RONDO_API int RONDO_Refuse_init(MPI_Comm comm, MPI_Info info, const RONDO_Error_values *values, size_t size,
                                const char *message);

/* ---- Use. Starts are collective in effect: every rank of the communicator must start the plan, but
 * different plans may be started in different orders on different ranks. ------------------------------ */

/* Starts an inactive plan. Local: it returns at once; data moves in it, in test and in wait, and with the hint
 * rondo_progress=thread also while the caller does something else. */
RONDO_API int RONDO_Start(RONDO_Request *request);

/* The same for several, in the order of the array. Where one of them cannot be started (it is null or freed, active,
 * has failed before, or stands in the array twice), none is: RONDO_ERR_REQUEST. Where the start of one meets an error,
 * those before it are active, those behind it are not, and it is inactive itself and can only be freed. */
RONDO_API int RONDO_Startall(int count, RONDO_Request requests[]);

/* Starts a plan that was made without counts: sendcounts[r] elements go to rank r, from sdispls[r] elements behind
 * sendbuf on. sdispls may be NULL: the blocks then lie one after the other, in rank order. The arrays may change when
 * the call returns, what is sent may change when the exchange is complete; the buffer may be another one at each start.
 * Local. RONDO_ERR_COUNT or RONDO_ERR_BUFFER for blocks that cannot be sent: the plan is inactive then, and can be
 * started with others. RONDO_ERR_NO_MEMORY where this rank has none for an exchange that is larger than those before,
 * as a test or a wait may find, too: the plan has failed then, and can only be freed. RONDO_ERR_REQUEST for a plan
 * that has its counts from init, which RONDO_Start starts. All other calls on requests take both kinds. */
RONDO_API int RONDO_Start_counts(RONDO_Request *request, const void *sendbuf, const MPI_Count sendcounts[],
                                 const MPI_Aint sdispls[]);

/* Gives memory for `bytes` bytes that the next start of such a plan sends to a rank. A block that is built there need
 * not be copied: ranks of the same node can read it where it lies (see RONDO_Received_blocks). It begins at a cache
 * line. It may be asked for again before the start, with more bytes: what has been written stays, but the block may
 * have moved. It belongs to the next start that RONDO_Start_counts or RONDO_Start_blocks accepts: until then the caller
 * writes to it; from then on it may be read, until the next start but one, when it is gone. Where processes cannot map
 * each other's memory it is as any other. Its pages are taken from the system at once, and up to three times, as three
 * starts have theirs in turn; they stay with the plan, and so does a file descriptor. Local. RONDO_ERR_NO_MEMORY where
 * there is none; RONDO_ERR_COUNT for a negative number of bytes, RONDO_ERR_ARG for a rank that there is not;
 * RONDO_ERR_REQUEST for an active plan, and for one that has its counts from init. */
RONDO_API int RONDO_Send_memory(RONDO_Request request, int rank, MPI_Count bytes, void **memory);

/* As RONDO_Start_counts, of blocks that lie anywhere: counts[r] elements at blocks[r] go to rank r. */
RONDO_API int RONDO_Start_blocks(RONDO_Request *request, const void *const blocks[], const MPI_Count counts[]);

/* What the last start of such a plan has brought, once a test or a wait has completed it: recvcounts[r] elements from
 * rank r, from rdispls[r] elements behind *recvbuf on. The blocks lie one after the other, in rank order, in a buffer
 * of the plan, which stays as it is until the next start but one, which must not send from there. The blocks of another
 * start may begin at another address; each is aligned to the largest power of two, at most 64, that divides the size of
 * an element. recvcounts and rdispls have room for all ranks, or are NULL. Local. RONDO_ERR_REQUEST for an active plan,
 * and for one that has not been started; RONDO_ERR_MISMATCH where a block is no whole number of elements. */
RONDO_API int RONDO_Received(RONDO_Request request, void **recvbuf, MPI_Count recvcounts[], MPI_Aint rdispls[]);

/* The same as blocks that lie anywhere: recvcounts[r] elements at blocks[r] have come from rank r. Where ranks share a
 * node, that is where the sender has built the block, and nobody has copied it: if it has built it in RONDO_Send_memory
 * for this rank, from a cache line on, 4 KiB or more (of this rank's own block, any number), of types without gaps, and
 * the algorithm sends blocks straight to where they stay, as it does on one node unless a hint says otherwise. All else
 * is copied, into a buffer of the plan; and so is all once RONDO_Received or RONDO_Received_into has been called, which
 * put it in one piece. Blocks are aligned as there, may not be written to, and stay as they are until the next start
 * but one, which must not send from there. recvcounts may be NULL. Errors are those of RONDO_Received. Local. */
RONDO_API int RONDO_Received_blocks(RONDO_Request request, const void *blocks[], MPI_Count recvcounts[]);

/* As RONDO_Received, copied to a buffer of the caller's with room for `capacity` elements. RONDO_ERR_CAPACITY where
 * more have come: RONDO_Error_last has their number, recvcounts and rdispls are filled in, the buffer is as it was, no
 * other rank notices, and a second call with a larger buffer delivers. */
RONDO_API int RONDO_Received_into(RONDO_Request request, void *recvbuf, MPI_Count capacity, MPI_Count recvcounts[],
                                  MPI_Aint rdispls[]);

/* RONDO_Wait and RONDO_Received in one, and RONDO_Test and, where *flag is 1, RONDO_Received. For an inactive plan they
 * tell what the last start has brought. */
RONDO_API int RONDO_Wait_counts(RONDO_Request *request, void **recvbuf, MPI_Count recvcounts[], MPI_Aint rdispls[]);
RONDO_API int RONDO_Test_counts(RONDO_Request *request, int *flag, void **recvbuf, MPI_Count recvcounts[],
                                MPI_Aint rdispls[]);

/* Gives an inactive plan other buffers, for its next starts: what the counts, displacements and types of its init say,
 * from sendbuf and to recvbuf. A side that was given as MPI_IN_PLACE or RONDO_PLAN_BUFFER must be given so again.
 * Local, so other ranks may keep their buffers; but for a native plan it is collective, as it makes the MPI library's
 * request anew. RONDO_ERR_BUFFER for a null buffer with data, and for memory that other processes cannot read (such as
 * mapped memory of a device) where ranks of the node read the buffer given at init; RONDO_ERR_OVERLAP where what is
 * received would overwrite what is sent; RONDO_ERR_REQUEST for a null or active request. In all these cases the plan
 * stays as it was. Where no message is MPI's a rebind moves the addresses of the plan's copies, in tenths of a
 * microsecond for blocks without gaps. Else it takes as long as the part of init that binds addresses: a program that
 * changes between the same few buffers then does better with a plan for each. */
RONDO_API int RONDO_Rebind(RONDO_Request *request, const void *sendbuf, void *recvbuf);

/* Drives the exchange; *flag is 1 once it is complete, and for an inactive or null request. Where the exchange fails,
 * the call returns the error, *flag is 1, and the request is inactive and can only be freed. The status is set to MPI's
 * empty status; it may be MPI_STATUS_IGNORE. */
RONDO_API int RONDO_Test(RONDO_Request *request, int *flag, MPI_Status *status);

/* Completes the exchange; at once for an inactive or null request. The plan can be started again, unless the exchange
 * has failed. */
RONDO_API int RONDO_Wait(RONDO_Request *request, MPI_Status *status);

/* Drives the exchange and tells whether it is complete, as RONDO_Test does, but the request stays active until a test
 * or a wait has told so. What the exchange has met is told by that; here the MPI_ERROR of the status has the code. */
RONDO_API int RONDO_Request_get_status(RONDO_Request request, int *flag, MPI_Status *status);

/* The same for several requests, as MPI's functions of these names do it: null and inactive ones are passed over. If
 * any has been freed, the call returns RONDO_ERR_REQUEST and does nothing with any of them.
 *
 * All: RONDO_Waitall waits for all of them, those behind one that fails included; RONDO_Testall sets *flag to 1 when
 * all are complete, well or not, and completes none before. Any: *index is that of the request that has been completed,
 * and MPI_UNDEFINED where none is active (then *flag is 1). An error is that of the request *index. Some: indices and
 * statuses have room for incount; the first *outcount are filled in, and *outcount is MPI_UNDEFINED where no request is
 * active. RONDO_Waitsome waits for one at least.
 *
 * Where requests have failed, the functions for all and some return MPI_ERR_IN_STATUS, and the MPI_ERROR of each status
 * has the RONDO_ERR_ code of its request, or MPI_SUCCESS. With MPI_STATUSES_IGNORE they return the code of the first
 * that has failed. RONDO_Error_string and RONDO_Error_last speak of that one in both cases. */
RONDO_API int RONDO_Testall(int count, RONDO_Request requests[], int *flag, MPI_Status statuses[]);
RONDO_API int RONDO_Waitall(int count, RONDO_Request requests[], MPI_Status statuses[]);
RONDO_API int RONDO_Testany(int count, RONDO_Request requests[], int *index, int *flag, MPI_Status *status);
RONDO_API int RONDO_Waitany(int count, RONDO_Request requests[], int *index, MPI_Status *status);
RONDO_API int RONDO_Testsome(int incount, RONDO_Request requests[], int *outcount, int indices[],
                             MPI_Status statuses[]);
RONDO_API int RONDO_Waitsome(int incount, RONDO_Request requests[], int *outcount, int indices[],
                             MPI_Status statuses[]);

/* Frees an inactive plan and sets *request to RONDO_REQUEST_NULL. Local. The communicator may have been
 * freed before. An active plan gives RONDO_ERR_REQUEST and stays as it is.
 *
 * Where an exchange of the plan has failed, messages of it may be under way: receives that nothing has come for are
 * cancelled, and what a late message may still meet is kept until the program ends. If MPI still reads from the send
 * buffer or writes to the receive buffer, the plan is freed all the same, and RONDO_ERR_STALLED says how many messages
 * there are: those buffers must live on until MPI_Finalize. What a failed exchange sends must stay as it is until it
 * has been freed, as MPI may still be sending it. */
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

/* What was planned, as values. `size` is sizeof(RONDO_Report): no more is written than the program has, and members
 * that the library does not know yet are zero. */
RONDO_API int RONDO_Request_report(RONDO_Request request, RONDO_Report *report, size_t size);

/* The same as one JSON object, zero-terminated. *length is the room in json at the call and the length of
 * the text (without its zero) at the return; RONDO_ERR_ARG when the room is too small. json may be NULL
 * to ask for the length only. */
RONDO_API int RONDO_Request_report_json(RONDO_Request request, char *json, int *length);

/* The whole message of the last error on this thread when code is that error's or MPI_ERR_IN_STATUS, else what the code
 * means. string has room for RONDO_MAX_ERROR_STRING characters. */
RONDO_API int RONDO_Error_string(int code, char *string, int *length);

/* The values of the last error on this thread; `size` is sizeof(RONDO_Error_values), and members that the library does
 * not know yet have all bits set. */
RONDO_API int RONDO_Error_last(RONDO_Error_values *values, size_t size);

/* The MPI error class that says what a RONDO_ERR_ code means, for programs that treat both alike:
 *
 *   COUNT -> MPI_ERR_COUNT           HINT      -> MPI_ERR_INFO_VALUE
 *   BUFFER, OVERLAP -> MPI_ERR_BUFFER  ALGORITHM -> MPI_ERR_UNSUPPORTED_OPERATION
 *   TYPE -> MPI_ERR_TYPE             MISMATCH, CAPACITY -> MPI_ERR_TRUNCATE
 *   COMM -> MPI_ERR_COMM             NO_MEMORY -> MPI_ERR_NO_MEM
 *   REQUEST -> MPI_ERR_REQUEST       ARG       -> MPI_ERR_ARG
 *   MPI -> the class of MPI's own code while that is the last error on this thread, else MPI_ERR_OTHER
 *   INTERNAL, STALLED -> MPI_ERR_OTHER
 *
 * MPI_SUCCESS and MPI_ERR_IN_STATUS are their own classes; another code is RONDO_ERR_ARG. */
RONDO_API int RONDO_Error_class(int code, int *errorclass);

/* The ranks of an intracommunicator. RONDO_ERR_COMM when it is null, an intercommunicator or (where the MPI library
 * can tell) freed; MPI_Comm_size would end the program. */
RONDO_API int RONDO_Comm_size(MPI_Comm comm, int *size);

/* From how many ranks an all-gather receives, and with how many an all-to-all exchanges: the ranks of an
 * intracommunicator, those of the other group of an intercommunicator. RONDO_ERR_COMM as RONDO_Comm_size. */
RONDO_API int RONDO_Allgather_sources(MPI_Comm comm, int *sources);

/* How many neighbours a communicator with a topology gives this rank: the lengths of the arrays of a neighbourhood
 * collective. RONDO_ERR_COMM where there is no topology. */
RONDO_API int RONDO_Neighbor_counts(MPI_Comm comm, int *sources, int *destinations);

/* The version, as "major.minor.patch". */
RONDO_API const char *RONDO_Version(void);

#ifdef __cplusplus
}
#endif

#endif /* RONDO_RONDO_H */
