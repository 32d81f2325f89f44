// Calls that may wait for other ranks and have nothing to do with what is taken over (pmpi/pass/pass_through.hpp).

#include <mpi_functions.h>

#include "pmpi/pass/pass_through.hpp"

// Collective exchanges.

PASS_THROUGH_COLLECTIVE(MPI_Barrier, (MPI_Comm comm), (comm))
PASS_THROUGH_COLLECTIVE(MPI_Bcast, (void *buffer, int count, MPI_Datatype datatype, int root, MPI_Comm comm),
                        (buffer, count, datatype, root, comm))
PASS_THROUGH_COLLECTIVE(MPI_Gather,
                        (const void *sendbuf, int sendcount, MPI_Datatype sendtype, void *recvbuf, int recvcount,
                         MPI_Datatype recvtype, int root, MPI_Comm comm),
                        (sendbuf, sendcount, sendtype, recvbuf, recvcount, recvtype, root, comm))
PASS_THROUGH_COLLECTIVE(MPI_Gatherv,
                        (const void *sendbuf, int sendcount, MPI_Datatype sendtype, void *recvbuf,
                         const int recvcounts[], const int displs[], MPI_Datatype recvtype, int root, MPI_Comm comm),
                        (sendbuf, sendcount, sendtype, recvbuf, recvcounts, displs, recvtype, root, comm))
PASS_THROUGH_COLLECTIVE(MPI_Scatter,
                        (const void *sendbuf, int sendcount, MPI_Datatype sendtype, void *recvbuf, int recvcount,
                         MPI_Datatype recvtype, int root, MPI_Comm comm),
                        (sendbuf, sendcount, sendtype, recvbuf, recvcount, recvtype, root, comm))
PASS_THROUGH_COLLECTIVE(MPI_Scatterv,
                        (const void *sendbuf, const int sendcounts[], const int displs[], MPI_Datatype sendtype,
                         void *recvbuf, int recvcount, MPI_Datatype recvtype, int root, MPI_Comm comm),
                        (sendbuf, sendcounts, displs, sendtype, recvbuf, recvcount, recvtype, root, comm))
PASS_THROUGH_COLLECTIVE(MPI_Reduce,
                        (const void *sendbuf, void *recvbuf, int count, MPI_Datatype datatype, MPI_Op op, int root,
                         MPI_Comm comm),
                        (sendbuf, recvbuf, count, datatype, op, root, comm))
PASS_THROUGH_COLLECTIVE(MPI_Allreduce,
                        (const void *sendbuf, void *recvbuf, int count, MPI_Datatype datatype, MPI_Op op,
                         MPI_Comm comm),
                        (sendbuf, recvbuf, count, datatype, op, comm))
PASS_THROUGH_COLLECTIVE(MPI_Reduce_scatter,
                        (const void *sendbuf, void *recvbuf, const int recvcounts[], MPI_Datatype datatype, MPI_Op op,
                         MPI_Comm comm),
                        (sendbuf, recvbuf, recvcounts, datatype, op, comm))
PASS_THROUGH_COLLECTIVE(MPI_Reduce_scatter_block,
                        (const void *sendbuf, void *recvbuf, int recvcount, MPI_Datatype datatype, MPI_Op op,
                         MPI_Comm comm),
                        (sendbuf, recvbuf, recvcount, datatype, op, comm))
PASS_THROUGH_COLLECTIVE(MPI_Scan,
                        (const void *sendbuf, void *recvbuf, int count, MPI_Datatype datatype, MPI_Op op,
                         MPI_Comm comm),
                        (sendbuf, recvbuf, count, datatype, op, comm))
PASS_THROUGH_COLLECTIVE(MPI_Exscan,
                        (const void *sendbuf, void *recvbuf, int count, MPI_Datatype datatype, MPI_Op op,
                         MPI_Comm comm),
                        (sendbuf, recvbuf, count, datatype, op, comm))
PASS_THROUGH_COLLECTIVE(MPI_Neighbor_allgather,
                        (const void *sendbuf, int sendcount, MPI_Datatype sendtype, void *recvbuf, int recvcount,
                         MPI_Datatype recvtype, MPI_Comm comm),
                        (sendbuf, sendcount, sendtype, recvbuf, recvcount, recvtype, comm))
PASS_THROUGH_COLLECTIVE(MPI_Neighbor_allgatherv,
                        (const void *sendbuf, int sendcount, MPI_Datatype sendtype, void *recvbuf,
                         const int recvcounts[], const int displs[], MPI_Datatype recvtype, MPI_Comm comm),
                        (sendbuf, sendcount, sendtype, recvbuf, recvcounts, displs, recvtype, comm))

// Persistent collective operations that are not taken over: an init may wait for those of the other ranks.

#if defined(RONDO_MPI_HAS_PERSISTENT_COLLECTIVES)

PASS_THROUGH(MPI_Barrier_init, (MPI_Comm comm, MPI_Info info, MPI_Request *request), (comm, info, request))
PASS_THROUGH(MPI_Bcast_init,
             (void *buffer, int count, MPI_Datatype datatype, int root, MPI_Comm comm, MPI_Info info,
              MPI_Request *request),
             (buffer, count, datatype, root, comm, info, request))
PASS_THROUGH(MPI_Gather_init,
             (const void *sendbuf, int sendcount, MPI_Datatype sendtype, void *recvbuf, int recvcount,
              MPI_Datatype recvtype, int root, MPI_Comm comm, MPI_Info info, MPI_Request *request),
             (sendbuf, sendcount, sendtype, recvbuf, recvcount, recvtype, root, comm, info, request))
PASS_THROUGH(MPI_Gatherv_init,
             (const void *sendbuf, int sendcount, MPI_Datatype sendtype, void *recvbuf, const int recvcounts[],
              const int displs[], MPI_Datatype recvtype, int root, MPI_Comm comm, MPI_Info info, MPI_Request *request),
             (sendbuf, sendcount, sendtype, recvbuf, recvcounts, displs, recvtype, root, comm, info, request))
PASS_THROUGH(MPI_Scatter_init,
             (const void *sendbuf, int sendcount, MPI_Datatype sendtype, void *recvbuf, int recvcount,
              MPI_Datatype recvtype, int root, MPI_Comm comm, MPI_Info info, MPI_Request *request),
             (sendbuf, sendcount, sendtype, recvbuf, recvcount, recvtype, root, comm, info, request))
PASS_THROUGH(MPI_Scatterv_init,
             (const void *sendbuf, const int sendcounts[], const int displs[], MPI_Datatype sendtype, void *recvbuf,
              int recvcount, MPI_Datatype recvtype, int root, MPI_Comm comm, MPI_Info info, MPI_Request *request),
             (sendbuf, sendcounts, displs, sendtype, recvbuf, recvcount, recvtype, root, comm, info, request))
PASS_THROUGH(MPI_Reduce_init,
             (const void *sendbuf, void *recvbuf, int count, MPI_Datatype datatype, MPI_Op op, int root, MPI_Comm comm,
              MPI_Info info, MPI_Request *request),
             (sendbuf, recvbuf, count, datatype, op, root, comm, info, request))
PASS_THROUGH(MPI_Allreduce_init,
             (const void *sendbuf, void *recvbuf, int count, MPI_Datatype datatype, MPI_Op op, MPI_Comm comm,
              MPI_Info info, MPI_Request *request),
             (sendbuf, recvbuf, count, datatype, op, comm, info, request))
PASS_THROUGH(MPI_Reduce_scatter_init,
             (const void *sendbuf, void *recvbuf, const int recvcounts[], MPI_Datatype datatype, MPI_Op op,
              MPI_Comm comm, MPI_Info info, MPI_Request *request),
             (sendbuf, recvbuf, recvcounts, datatype, op, comm, info, request))
PASS_THROUGH(MPI_Reduce_scatter_block_init,
             (const void *sendbuf, void *recvbuf, int recvcount, MPI_Datatype datatype, MPI_Op op, MPI_Comm comm,
              MPI_Info info, MPI_Request *request),
             (sendbuf, recvbuf, recvcount, datatype, op, comm, info, request))
PASS_THROUGH(MPI_Scan_init,
             (const void *sendbuf, void *recvbuf, int count, MPI_Datatype datatype, MPI_Op op, MPI_Comm comm,
              MPI_Info info, MPI_Request *request),
             (sendbuf, recvbuf, count, datatype, op, comm, info, request))
PASS_THROUGH(MPI_Exscan_init,
             (const void *sendbuf, void *recvbuf, int count, MPI_Datatype datatype, MPI_Op op, MPI_Comm comm,
              MPI_Info info, MPI_Request *request),
             (sendbuf, recvbuf, count, datatype, op, comm, info, request))
PASS_THROUGH(MPI_Neighbor_allgather_init,
             (const void *sendbuf, int sendcount, MPI_Datatype sendtype, void *recvbuf, int recvcount,
              MPI_Datatype recvtype, MPI_Comm comm, MPI_Info info, MPI_Request *request),
             (sendbuf, sendcount, sendtype, recvbuf, recvcount, recvtype, comm, info, request))
PASS_THROUGH(MPI_Neighbor_allgatherv_init,
             (const void *sendbuf, int sendcount, MPI_Datatype sendtype, void *recvbuf, const int recvcounts[],
              const int displs[], MPI_Datatype recvtype, MPI_Comm comm, MPI_Info info, MPI_Request *request),
             (sendbuf, sendcount, sendtype, recvbuf, recvcounts, displs, recvtype, comm, info, request))

#endif

// Buffers of sends (MPI-4.1): empty when what is in them has been received.

#if defined(RONDO_MPI_HAS_BUFFERS_OF_COMMUNICATORS)

PASS_THROUGH(MPI_Buffer_flush, (), ())
PASS_THROUGH(MPI_Comm_flush_buffer, (MPI_Comm comm), (comm))
PASS_THROUGH(MPI_Comm_detach_buffer, (MPI_Comm comm, void *buffer_addr, int *size), (comm, buffer_addr, size))
PASS_THROUGH(MPI_Comm_detach_buffer_c, (MPI_Comm comm, void *buffer_addr, MPI_Count *size), (comm, buffer_addr, size))
PASS_THROUGH(MPI_Session_flush_buffer, (MPI_Session session), (session))
PASS_THROUGH(MPI_Session_detach_buffer, (MPI_Session session, void *buffer_addr, int *size),
             (session, buffer_addr, size))
PASS_THROUGH(MPI_Session_detach_buffer_c, (MPI_Session session, void *buffer_addr, MPI_Count *size),
             (session, buffer_addr, size))

#endif

// Messages; those that are taken over by polling are in point_to_point.cpp.

PASS_THROUGH(MPI_Bsend, (const void *buf, int count, MPI_Datatype datatype, int dest, int tag, MPI_Comm comm),
             (buf, count, datatype, dest, tag, comm))
PASS_THROUGH(MPI_Rsend, (const void *buf, int count, MPI_Datatype datatype, int dest, int tag, MPI_Comm comm),
             (buf, count, datatype, dest, tag, comm))
PASS_THROUGH(MPI_Mrecv, (void *buf, int count, MPI_Datatype datatype, MPI_Message *message, MPI_Status *status),
             (buf, count, datatype, message, status))
PASS_THROUGH(MPI_Sendrecv_replace,
             (void *buf, int count, MPI_Datatype datatype, int dest, int sendtag, int source, int recvtag,
              MPI_Comm comm, MPI_Status *status),
             (buf, count, datatype, dest, sendtag, source, recvtag, comm, status))
PASS_THROUGH(MPI_Buffer_detach, (void *buffer_addr, int *size), (buffer_addr, size))

// Communicators and processes.

PASS_THROUGH_COLLECTIVE_MAKING(MPI_Comm_dup, newcomm, (MPI_Comm comm, MPI_Comm *newcomm), (comm, newcomm))
PASS_THROUGH_COLLECTIVE_MAKING(MPI_Comm_dup_with_info, newcomm, (MPI_Comm comm, MPI_Info info, MPI_Comm *newcomm),
                               (comm, info, newcomm))
PASS_THROUGH_COLLECTIVE_MAKING(MPI_Comm_create, newcomm, (MPI_Comm comm, MPI_Group group, MPI_Comm *newcomm),
                               (comm, group, newcomm))
PASS_THROUGH_MAKING(MPI_Comm_create_group, newcomm, (MPI_Comm comm, MPI_Group group, int tag, MPI_Comm *newcomm),
                    (comm, group, tag, newcomm))
PASS_THROUGH_COLLECTIVE_MAKING(MPI_Comm_split, newcomm, (MPI_Comm comm, int color, int key, MPI_Comm *newcomm),
                               (comm, color, key, newcomm))
PASS_THROUGH_COLLECTIVE_MAKING(MPI_Comm_split_type, newcomm,
                               (MPI_Comm comm, int split_type, int key, MPI_Info info, MPI_Comm *newcomm),
                               (comm, split_type, key, info, newcomm))
PASS_THROUGH_MAKING(MPI_Intercomm_create, newintercomm,
                    (MPI_Comm local_comm, int local_leader, MPI_Comm peer_comm, int remote_leader, int tag,
                     MPI_Comm *newintercomm),
                    (local_comm, local_leader, peer_comm, remote_leader, tag, newintercomm))
PASS_THROUGH_MAKING(MPI_Intercomm_merge, newintracomm, (MPI_Comm intercomm, int high, MPI_Comm *newintracomm),
                    (intercomm, high, newintracomm))
PASS_THROUGH_TOPOLOGY(MPI_Cart_create, comm_cart,
                      (MPI_Comm comm_old, int ndims, const int dims[], const int periods[], int reorder,
                       MPI_Comm *comm_cart),
                      (comm_old, ndims, dims, periods, reorder, comm_cart))
PASS_THROUGH_TOPOLOGY(MPI_Cart_sub, newcomm, (MPI_Comm comm, const int remain_dims[], MPI_Comm *newcomm),
                      (comm, remain_dims, newcomm))
PASS_THROUGH_TOPOLOGY(MPI_Graph_create, comm_graph,
                      (MPI_Comm comm_old, int nnodes, const int indx[], const int edges[], int reorder,
                       MPI_Comm *comm_graph),
                      (comm_old, nnodes, indx, edges, reorder, comm_graph))
PASS_THROUGH_TOPOLOGY(MPI_Dist_graph_create, comm_dist_graph,
                      (MPI_Comm comm_old, int n, const int sources[], const int degrees[], const int destinations[],
                       const int weights[], MPI_Info info, int reorder, MPI_Comm *comm_dist_graph),
                      (comm_old, n, sources, degrees, destinations, weights, info, reorder, comm_dist_graph))
PASS_THROUGH_TOPOLOGY(MPI_Dist_graph_create_adjacent, comm_dist_graph,
                      (MPI_Comm comm_old, int indegree, const int sources[], const int sourceweights[], int outdegree,
                       const int destinations[], const int destweights[], MPI_Info info, int reorder,
                       MPI_Comm *comm_dist_graph),
                      (comm_old, indegree, sources, sourceweights, outdegree, destinations, destweights, info, reorder,
                       comm_dist_graph))
PASS_THROUGH_MAKING(MPI_Comm_accept, newcomm,
                    (const char *port_name, MPI_Info info, int root, MPI_Comm comm, MPI_Comm *newcomm),
                    (port_name, info, root, comm, newcomm))
PASS_THROUGH_MAKING(MPI_Comm_connect, newcomm,
                    (const char *port_name, MPI_Info info, int root, MPI_Comm comm, MPI_Comm *newcomm),
                    (port_name, info, root, comm, newcomm))
PASS_THROUGH_MAKING(MPI_Comm_spawn, intercomm,
                    (const char *command, char *argv[], int maxprocs, MPI_Info info, int root, MPI_Comm comm,
                     MPI_Comm *intercomm, int array_of_errcodes[]),
                    (command, argv, maxprocs, info, root, comm, intercomm, array_of_errcodes))
PASS_THROUGH_MAKING(MPI_Comm_spawn_multiple, intercomm,
                    (int count, char *array_of_commands[], char **array_of_argv[], const int array_of_maxprocs[],
                     const MPI_Info array_of_info[], int root, MPI_Comm comm, MPI_Comm *intercomm,
                     int array_of_errcodes[]),
                    (count, array_of_commands, array_of_argv, array_of_maxprocs, array_of_info, root, comm, intercomm,
                     array_of_errcodes))
PASS_THROUGH_MAKING(MPI_Comm_join, intercomm, (int fd, MPI_Comm *intercomm), (fd, intercomm))
PASS_THROUGH(MPI_Comm_set_info, (MPI_Comm comm, MPI_Info info), (comm, info))
#if defined(RONDO_MPI_HAS_SESSIONS)
PASS_THROUGH_MAKING(MPI_Comm_create_from_group, newcomm,
                    (MPI_Group group, const char *stringtag, MPI_Info info, MPI_Errhandler errhandler,
                     MPI_Comm *newcomm),
                    (group, stringtag, info, errhandler, newcomm))
PASS_THROUGH_MAKING(MPI_Intercomm_create_from_groups, newintercomm,
                    (MPI_Group local_group, int local_leader, MPI_Group remote_group, int remote_leader,
                     const char *stringtag, MPI_Info info, MPI_Errhandler errhandler, MPI_Comm *newintercomm),
                    (local_group, local_leader, remote_group, remote_leader, stringtag, info, errhandler, newintercomm))
PASS_THROUGH_BEGINNING(MPI_Session_init, (MPI_Info info, MPI_Errhandler errhandler, MPI_Session *session),
                       (info, errhandler, session))
PASS_THROUGH(MPI_Session_finalize, (MPI_Session * session), (session))
#endif

// Windows.

PASS_THROUGH(MPI_Win_create, (void *base, MPI_Aint size, int disp_unit, MPI_Info info, MPI_Comm comm, MPI_Win *win),
             (base, size, disp_unit, info, comm, win))
PASS_THROUGH(MPI_Win_allocate,
             (MPI_Aint size, int disp_unit, MPI_Info info, MPI_Comm comm, void *baseptr, MPI_Win *win),
             (size, disp_unit, info, comm, baseptr, win))
PASS_THROUGH(MPI_Win_allocate_shared,
             (MPI_Aint size, int disp_unit, MPI_Info info, MPI_Comm comm, void *baseptr, MPI_Win *win),
             (size, disp_unit, info, comm, baseptr, win))
PASS_THROUGH(MPI_Win_create_dynamic, (MPI_Info info, MPI_Comm comm, MPI_Win *win), (info, comm, win))
PASS_THROUGH(MPI_Win_free, (MPI_Win * win), (win))
PASS_THROUGH(MPI_Win_set_info, (MPI_Win win, MPI_Info info), (win, info))
PASS_THROUGH(MPI_Win_fence, (int assert, MPI_Win win), (assert, win))
PASS_THROUGH(MPI_Win_start, (MPI_Group group, int assert, MPI_Win win), (group, assert, win))
PASS_THROUGH(MPI_Win_complete, (MPI_Win win), (win))
PASS_THROUGH(MPI_Win_wait, (MPI_Win win), (win))
PASS_THROUGH(MPI_Win_lock, (int lock_type, int rank, int assert, MPI_Win win), (lock_type, rank, assert, win))
PASS_THROUGH(MPI_Win_lock_all, (int assert, MPI_Win win), (assert, win))
PASS_THROUGH(MPI_Win_unlock, (int rank, MPI_Win win), (rank, win))
PASS_THROUGH(MPI_Win_unlock_all, (MPI_Win win), (win))
PASS_THROUGH(MPI_Win_flush, (int rank, MPI_Win win), (rank, win))
PASS_THROUGH(MPI_Win_flush_all, (MPI_Win win), (win))
PASS_THROUGH(MPI_Win_flush_local, (int rank, MPI_Win win), (rank, win))
PASS_THROUGH(MPI_Win_flush_local_all, (MPI_Win win), (win))

// One-sided calls may wait until the target has opened its window.

PASS_THROUGH(MPI_Put,
             (const void *origin_addr, int origin_count, MPI_Datatype origin_datatype, int target_rank,
              MPI_Aint target_disp, int target_count, MPI_Datatype target_datatype, MPI_Win win),
             (origin_addr, origin_count, origin_datatype, target_rank, target_disp, target_count, target_datatype, win))
PASS_THROUGH(MPI_Rput,
             (const void *origin_addr, int origin_count, MPI_Datatype origin_datatype, int target_rank,
              MPI_Aint target_disp, int target_count, MPI_Datatype target_datatype, MPI_Win win, MPI_Request *request),
             (origin_addr, origin_count, origin_datatype, target_rank, target_disp, target_count, target_datatype, win,
              request))
PASS_THROUGH(MPI_Get,
             (void *origin_addr, int origin_count, MPI_Datatype origin_datatype, int target_rank, MPI_Aint target_disp,
              int target_count, MPI_Datatype target_datatype, MPI_Win win),
             (origin_addr, origin_count, origin_datatype, target_rank, target_disp, target_count, target_datatype, win))
PASS_THROUGH(MPI_Rget,
             (void *origin_addr, int origin_count, MPI_Datatype origin_datatype, int target_rank, MPI_Aint target_disp,
              int target_count, MPI_Datatype target_datatype, MPI_Win win, MPI_Request *request),
             (origin_addr, origin_count, origin_datatype, target_rank, target_disp, target_count, target_datatype, win,
              request))
PASS_THROUGH(MPI_Accumulate,
             (const void *origin_addr, int origin_count, MPI_Datatype origin_datatype, int target_rank,
              MPI_Aint target_disp, int target_count, MPI_Datatype target_datatype, MPI_Op op, MPI_Win win),
             (origin_addr, origin_count, origin_datatype, target_rank, target_disp, target_count, target_datatype, op,
              win))
PASS_THROUGH(MPI_Raccumulate,
             (const void *origin_addr, int origin_count, MPI_Datatype origin_datatype, int target_rank,
              MPI_Aint target_disp, int target_count, MPI_Datatype target_datatype, MPI_Op op, MPI_Win win,
              MPI_Request *request),
             (origin_addr, origin_count, origin_datatype, target_rank, target_disp, target_count, target_datatype, op,
              win, request))
PASS_THROUGH(MPI_Get_accumulate,
             (const void *origin_addr, int origin_count, MPI_Datatype origin_datatype, void *result_addr,
              int result_count, MPI_Datatype result_datatype, int target_rank, MPI_Aint target_disp, int target_count,
              MPI_Datatype target_datatype, MPI_Op op, MPI_Win win),
             (origin_addr, origin_count, origin_datatype, result_addr, result_count, result_datatype, target_rank,
              target_disp, target_count, target_datatype, op, win))
PASS_THROUGH(MPI_Rget_accumulate,
             (const void *origin_addr, int origin_count, MPI_Datatype origin_datatype, void *result_addr,
              int result_count, MPI_Datatype result_datatype, int target_rank, MPI_Aint target_disp, int target_count,
              MPI_Datatype target_datatype, MPI_Op op, MPI_Win win, MPI_Request *request),
             (origin_addr, origin_count, origin_datatype, result_addr, result_count, result_datatype, target_rank,
              target_disp, target_count, target_datatype, op, win, request))
PASS_THROUGH(MPI_Fetch_and_op,
             (const void *origin_addr, void *result_addr, MPI_Datatype datatype, int target_rank, MPI_Aint target_disp,
              MPI_Op op, MPI_Win win),
             (origin_addr, result_addr, datatype, target_rank, target_disp, op, win))
PASS_THROUGH(MPI_Compare_and_swap,
             (const void *origin_addr, const void *compare_addr, void *result_addr, MPI_Datatype datatype,
              int target_rank, MPI_Aint target_disp, MPI_Win win),
             (origin_addr, compare_addr, result_addr, datatype, target_rank, target_disp, win))

// Files.

PASS_THROUGH(MPI_File_open, (MPI_Comm comm, const char *filename, int amode, MPI_Info info, MPI_File *fh),
             (comm, filename, amode, info, fh))
PASS_THROUGH(MPI_File_close, (MPI_File * fh), (fh))
PASS_THROUGH(MPI_File_set_size, (MPI_File fh, MPI_Offset size), (fh, size))
PASS_THROUGH(MPI_File_set_info, (MPI_File fh, MPI_Info info), (fh, info))
PASS_THROUGH(MPI_File_preallocate, (MPI_File fh, MPI_Offset size), (fh, size))
PASS_THROUGH(MPI_File_set_view,
             (MPI_File fh, MPI_Offset disp, MPI_Datatype etype, MPI_Datatype filetype, const char *datarep,
              MPI_Info info),
             (fh, disp, etype, filetype, datarep, info))
PASS_THROUGH(MPI_File_sync, (MPI_File fh), (fh))
PASS_THROUGH(MPI_File_read_all, (MPI_File fh, void *buf, int count, MPI_Datatype datatype, MPI_Status *status),
             (fh, buf, count, datatype, status))
PASS_THROUGH(MPI_File_write_all, (MPI_File fh, const void *buf, int count, MPI_Datatype datatype, MPI_Status *status),
             (fh, buf, count, datatype, status))
PASS_THROUGH(MPI_File_read_at_all,
             (MPI_File fh, MPI_Offset offset, void *buf, int count, MPI_Datatype datatype, MPI_Status *status),
             (fh, offset, buf, count, datatype, status))
PASS_THROUGH(MPI_File_write_at_all,
             (MPI_File fh, MPI_Offset offset, const void *buf, int count, MPI_Datatype datatype, MPI_Status *status),
             (fh, offset, buf, count, datatype, status))
PASS_THROUGH(MPI_File_read_ordered, (MPI_File fh, void *buf, int count, MPI_Datatype datatype, MPI_Status *status),
             (fh, buf, count, datatype, status))
PASS_THROUGH(MPI_File_write_ordered,
             (MPI_File fh, const void *buf, int count, MPI_Datatype datatype, MPI_Status *status),
             (fh, buf, count, datatype, status))
PASS_THROUGH(MPI_File_read_shared, (MPI_File fh, void *buf, int count, MPI_Datatype datatype, MPI_Status *status),
             (fh, buf, count, datatype, status))
PASS_THROUGH(MPI_File_write_shared,
             (MPI_File fh, const void *buf, int count, MPI_Datatype datatype, MPI_Status *status),
             (fh, buf, count, datatype, status))
PASS_THROUGH(MPI_File_set_atomicity, (MPI_File fh, int flag), (fh, flag))
PASS_THROUGH(MPI_File_seek_shared, (MPI_File fh, MPI_Offset offset, int whence), (fh, offset, whence))
PASS_THROUGH(MPI_File_read_all_begin, (MPI_File fh, void *buf, int count, MPI_Datatype datatype),
             (fh, buf, count, datatype))
PASS_THROUGH(MPI_File_write_all_begin, (MPI_File fh, const void *buf, int count, MPI_Datatype datatype),
             (fh, buf, count, datatype))
PASS_THROUGH(MPI_File_read_at_all_begin, (MPI_File fh, MPI_Offset offset, void *buf, int count, MPI_Datatype datatype),
             (fh, offset, buf, count, datatype))
PASS_THROUGH(MPI_File_write_at_all_begin,
             (MPI_File fh, MPI_Offset offset, const void *buf, int count, MPI_Datatype datatype),
             (fh, offset, buf, count, datatype))
PASS_THROUGH(MPI_File_read_ordered_begin, (MPI_File fh, void *buf, int count, MPI_Datatype datatype),
             (fh, buf, count, datatype))
PASS_THROUGH(MPI_File_write_ordered_begin, (MPI_File fh, const void *buf, int count, MPI_Datatype datatype),
             (fh, buf, count, datatype))
PASS_THROUGH(MPI_File_read_all_end, (MPI_File fh, void *buf, MPI_Status *status), (fh, buf, status))
PASS_THROUGH(MPI_File_write_all_end, (MPI_File fh, const void *buf, MPI_Status *status), (fh, buf, status))
PASS_THROUGH(MPI_File_read_at_all_end, (MPI_File fh, void *buf, MPI_Status *status), (fh, buf, status))
PASS_THROUGH(MPI_File_write_at_all_end, (MPI_File fh, const void *buf, MPI_Status *status), (fh, buf, status))
PASS_THROUGH(MPI_File_read_ordered_end, (MPI_File fh, void *buf, MPI_Status *status), (fh, buf, status))
PASS_THROUGH(MPI_File_write_ordered_end, (MPI_File fh, const void *buf, MPI_Status *status), (fh, buf, status))
