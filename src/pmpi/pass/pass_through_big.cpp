// The same calls with counts beyond an int, and those that are not taken over by polling
// (pmpi/entry/point_to_point.cpp).

#include <mpi_functions.h>

#include "pmpi/pass/pass_through.hpp"

#if defined(RONDO_MPI_HAS_BIG_COUNTS)

PASS_THROUGH_COLLECTIVE(MPI_Bcast_c, (void *buffer, MPI_Count count, MPI_Datatype datatype, int root, MPI_Comm comm),
                        (buffer, count, datatype, root, comm))
PASS_THROUGH_COLLECTIVE(MPI_Gather_c,
                        (const void *sendbuf, MPI_Count sendcount, MPI_Datatype sendtype, void *recvbuf,
                         MPI_Count recvcount, MPI_Datatype recvtype, int root, MPI_Comm comm),
                        (sendbuf, sendcount, sendtype, recvbuf, recvcount, recvtype, root, comm))
PASS_THROUGH_COLLECTIVE(MPI_Gatherv_c,
                        (const void *sendbuf, MPI_Count sendcount, MPI_Datatype sendtype, void *recvbuf,
                         const MPI_Count recvcounts[], const MPI_Aint displs[], MPI_Datatype recvtype, int root,
                         MPI_Comm comm),
                        (sendbuf, sendcount, sendtype, recvbuf, recvcounts, displs, recvtype, root, comm))
PASS_THROUGH_COLLECTIVE(MPI_Scatter_c,
                        (const void *sendbuf, MPI_Count sendcount, MPI_Datatype sendtype, void *recvbuf,
                         MPI_Count recvcount, MPI_Datatype recvtype, int root, MPI_Comm comm),
                        (sendbuf, sendcount, sendtype, recvbuf, recvcount, recvtype, root, comm))
PASS_THROUGH_COLLECTIVE(MPI_Scatterv_c,
                        (const void *sendbuf, const MPI_Count sendcounts[], const MPI_Aint displs[],
                         MPI_Datatype sendtype, void *recvbuf, MPI_Count recvcount, MPI_Datatype recvtype, int root,
                         MPI_Comm comm),
                        (sendbuf, sendcounts, displs, sendtype, recvbuf, recvcount, recvtype, root, comm))
PASS_THROUGH_COLLECTIVE(MPI_Reduce_c,
                        (const void *sendbuf, void *recvbuf, MPI_Count count, MPI_Datatype datatype, MPI_Op op,
                         int root, MPI_Comm comm),
                        (sendbuf, recvbuf, count, datatype, op, root, comm))
PASS_THROUGH_COLLECTIVE(MPI_Allreduce_c,
                        (const void *sendbuf, void *recvbuf, MPI_Count count, MPI_Datatype datatype, MPI_Op op,
                         MPI_Comm comm),
                        (sendbuf, recvbuf, count, datatype, op, comm))
PASS_THROUGH_COLLECTIVE(MPI_Reduce_scatter_c,
                        (const void *sendbuf, void *recvbuf, const MPI_Count recvcounts[], MPI_Datatype datatype,
                         MPI_Op op, MPI_Comm comm),
                        (sendbuf, recvbuf, recvcounts, datatype, op, comm))
PASS_THROUGH_COLLECTIVE(MPI_Reduce_scatter_block_c,
                        (const void *sendbuf, void *recvbuf, MPI_Count recvcount, MPI_Datatype datatype, MPI_Op op,
                         MPI_Comm comm),
                        (sendbuf, recvbuf, recvcount, datatype, op, comm))
PASS_THROUGH_COLLECTIVE(MPI_Scan_c,
                        (const void *sendbuf, void *recvbuf, MPI_Count count, MPI_Datatype datatype, MPI_Op op,
                         MPI_Comm comm),
                        (sendbuf, recvbuf, count, datatype, op, comm))
PASS_THROUGH_COLLECTIVE(MPI_Exscan_c,
                        (const void *sendbuf, void *recvbuf, MPI_Count count, MPI_Datatype datatype, MPI_Op op,
                         MPI_Comm comm),
                        (sendbuf, recvbuf, count, datatype, op, comm))
PASS_THROUGH_COLLECTIVE(MPI_Neighbor_allgather_c,
                        (const void *sendbuf, MPI_Count sendcount, MPI_Datatype sendtype, void *recvbuf,
                         MPI_Count recvcount, MPI_Datatype recvtype, MPI_Comm comm),
                        (sendbuf, sendcount, sendtype, recvbuf, recvcount, recvtype, comm))
PASS_THROUGH_COLLECTIVE(MPI_Neighbor_allgatherv_c,
                        (const void *sendbuf, MPI_Count sendcount, MPI_Datatype sendtype, void *recvbuf,
                         const MPI_Count recvcounts[], const MPI_Aint displs[], MPI_Datatype recvtype, MPI_Comm comm),
                        (sendbuf, sendcount, sendtype, recvbuf, recvcounts, displs, recvtype, comm))
PASS_THROUGH(MPI_Send_c, (const void *buf, MPI_Count count, MPI_Datatype datatype, int dest, int tag, MPI_Comm comm),
             (buf, count, datatype, dest, tag, comm))
PASS_THROUGH(MPI_Bsend_c, (const void *buf, MPI_Count count, MPI_Datatype datatype, int dest, int tag, MPI_Comm comm),
             (buf, count, datatype, dest, tag, comm))
PASS_THROUGH(MPI_Ssend_c, (const void *buf, MPI_Count count, MPI_Datatype datatype, int dest, int tag, MPI_Comm comm),
             (buf, count, datatype, dest, tag, comm))
PASS_THROUGH(MPI_Rsend_c, (const void *buf, MPI_Count count, MPI_Datatype datatype, int dest, int tag, MPI_Comm comm),
             (buf, count, datatype, dest, tag, comm))
PASS_THROUGH(MPI_Recv_c,
             (void *buf, MPI_Count count, MPI_Datatype datatype, int source, int tag, MPI_Comm comm,
              MPI_Status *status),
             (buf, count, datatype, source, tag, comm, status))
PASS_THROUGH(MPI_Mrecv_c, (void *buf, MPI_Count count, MPI_Datatype datatype, MPI_Message *message, MPI_Status *status),
             (buf, count, datatype, message, status))
PASS_THROUGH(MPI_Sendrecv_c,
             (const void *sendbuf, MPI_Count sendcount, MPI_Datatype sendtype, int dest, int sendtag, void *recvbuf,
              MPI_Count recvcount, MPI_Datatype recvtype, int source, int recvtag, MPI_Comm comm, MPI_Status *status),
             (sendbuf, sendcount, sendtype, dest, sendtag, recvbuf, recvcount, recvtype, source, recvtag, comm, status))
PASS_THROUGH(MPI_Sendrecv_replace_c,
             (void *buf, MPI_Count count, MPI_Datatype datatype, int dest, int sendtag, int source, int recvtag,
              MPI_Comm comm, MPI_Status *status),
             (buf, count, datatype, dest, sendtag, source, recvtag, comm, status))
PASS_THROUGH(MPI_Buffer_detach_c, (void *buffer_addr, MPI_Count *size), (buffer_addr, size))
PASS_THROUGH(MPI_Win_create_c,
             (void *base, MPI_Aint size, MPI_Aint disp_unit, MPI_Info info, MPI_Comm comm, MPI_Win *win),
             (base, size, disp_unit, info, comm, win))
PASS_THROUGH(MPI_Win_allocate_c,
             (MPI_Aint size, MPI_Aint disp_unit, MPI_Info info, MPI_Comm comm, void *baseptr, MPI_Win *win),
             (size, disp_unit, info, comm, baseptr, win))
PASS_THROUGH(MPI_Win_allocate_shared_c,
             (MPI_Aint size, MPI_Aint disp_unit, MPI_Info info, MPI_Comm comm, void *baseptr, MPI_Win *win),
             (size, disp_unit, info, comm, baseptr, win))
PASS_THROUGH(MPI_Put_c,
             (const void *origin_addr, MPI_Count origin_count, MPI_Datatype origin_datatype, int target_rank,
              MPI_Aint target_disp, MPI_Count target_count, MPI_Datatype target_datatype, MPI_Win win),
             (origin_addr, origin_count, origin_datatype, target_rank, target_disp, target_count, target_datatype, win))
PASS_THROUGH(MPI_Rput_c,
             (const void *origin_addr, MPI_Count origin_count, MPI_Datatype origin_datatype, int target_rank,
              MPI_Aint target_disp, MPI_Count target_count, MPI_Datatype target_datatype, MPI_Win win,
              MPI_Request *request),
             (origin_addr, origin_count, origin_datatype, target_rank, target_disp, target_count, target_datatype, win,
              request))
PASS_THROUGH(MPI_Get_c,
             (void *origin_addr, MPI_Count origin_count, MPI_Datatype origin_datatype, int target_rank,
              MPI_Aint target_disp, MPI_Count target_count, MPI_Datatype target_datatype, MPI_Win win),
             (origin_addr, origin_count, origin_datatype, target_rank, target_disp, target_count, target_datatype, win))
PASS_THROUGH(MPI_Rget_c,
             (void *origin_addr, MPI_Count origin_count, MPI_Datatype origin_datatype, int target_rank,
              MPI_Aint target_disp, MPI_Count target_count, MPI_Datatype target_datatype, MPI_Win win,
              MPI_Request *request),
             (origin_addr, origin_count, origin_datatype, target_rank, target_disp, target_count, target_datatype, win,
              request))
PASS_THROUGH(MPI_Accumulate_c,
             (const void *origin_addr, MPI_Count origin_count, MPI_Datatype origin_datatype, int target_rank,
              MPI_Aint target_disp, MPI_Count target_count, MPI_Datatype target_datatype, MPI_Op op, MPI_Win win),
             (origin_addr, origin_count, origin_datatype, target_rank, target_disp, target_count, target_datatype, op,
              win))
PASS_THROUGH(MPI_Raccumulate_c,
             (const void *origin_addr, MPI_Count origin_count, MPI_Datatype origin_datatype, int target_rank,
              MPI_Aint target_disp, MPI_Count target_count, MPI_Datatype target_datatype, MPI_Op op, MPI_Win win,
              MPI_Request *request),
             (origin_addr, origin_count, origin_datatype, target_rank, target_disp, target_count, target_datatype, op,
              win, request))
PASS_THROUGH(MPI_Get_accumulate_c,
             (const void *origin_addr, MPI_Count origin_count, MPI_Datatype origin_datatype, void *result_addr,
              MPI_Count result_count, MPI_Datatype result_datatype, int target_rank, MPI_Aint target_disp,
              MPI_Count target_count, MPI_Datatype target_datatype, MPI_Op op, MPI_Win win),
             (origin_addr, origin_count, origin_datatype, result_addr, result_count, result_datatype, target_rank,
              target_disp, target_count, target_datatype, op, win))
PASS_THROUGH(MPI_Rget_accumulate_c,
             (const void *origin_addr, MPI_Count origin_count, MPI_Datatype origin_datatype, void *result_addr,
              MPI_Count result_count, MPI_Datatype result_datatype, int target_rank, MPI_Aint target_disp,
              MPI_Count target_count, MPI_Datatype target_datatype, MPI_Op op, MPI_Win win, MPI_Request *request),
             (origin_addr, origin_count, origin_datatype, result_addr, result_count, result_datatype, target_rank,
              target_disp, target_count, target_datatype, op, win, request))
PASS_THROUGH(MPI_File_read_all_c, (MPI_File fh, void *buf, MPI_Count count, MPI_Datatype datatype, MPI_Status *status),
             (fh, buf, count, datatype, status))
PASS_THROUGH(MPI_File_write_all_c,
             (MPI_File fh, const void *buf, MPI_Count count, MPI_Datatype datatype, MPI_Status *status),
             (fh, buf, count, datatype, status))
PASS_THROUGH(MPI_File_read_at_all_c,
             (MPI_File fh, MPI_Offset offset, void *buf, MPI_Count count, MPI_Datatype datatype, MPI_Status *status),
             (fh, offset, buf, count, datatype, status))
PASS_THROUGH(MPI_File_write_at_all_c,
             (MPI_File fh, MPI_Offset offset, const void *buf, MPI_Count count, MPI_Datatype datatype,
              MPI_Status *status),
             (fh, offset, buf, count, datatype, status))
PASS_THROUGH(MPI_File_read_ordered_c,
             (MPI_File fh, void *buf, MPI_Count count, MPI_Datatype datatype, MPI_Status *status),
             (fh, buf, count, datatype, status))
PASS_THROUGH(MPI_File_write_ordered_c,
             (MPI_File fh, const void *buf, MPI_Count count, MPI_Datatype datatype, MPI_Status *status),
             (fh, buf, count, datatype, status))
PASS_THROUGH(MPI_File_read_shared_c,
             (MPI_File fh, void *buf, MPI_Count count, MPI_Datatype datatype, MPI_Status *status),
             (fh, buf, count, datatype, status))
PASS_THROUGH(MPI_File_write_shared_c,
             (MPI_File fh, const void *buf, MPI_Count count, MPI_Datatype datatype, MPI_Status *status),
             (fh, buf, count, datatype, status))
PASS_THROUGH(MPI_File_read_all_begin_c, (MPI_File fh, void *buf, MPI_Count count, MPI_Datatype datatype),
             (fh, buf, count, datatype))
PASS_THROUGH(MPI_File_write_all_begin_c, (MPI_File fh, const void *buf, MPI_Count count, MPI_Datatype datatype),
             (fh, buf, count, datatype))
PASS_THROUGH(MPI_File_read_at_all_begin_c,
             (MPI_File fh, MPI_Offset offset, void *buf, MPI_Count count, MPI_Datatype datatype),
             (fh, offset, buf, count, datatype))
PASS_THROUGH(MPI_File_write_at_all_begin_c,
             (MPI_File fh, MPI_Offset offset, const void *buf, MPI_Count count, MPI_Datatype datatype),
             (fh, offset, buf, count, datatype))
PASS_THROUGH(MPI_File_read_ordered_begin_c, (MPI_File fh, void *buf, MPI_Count count, MPI_Datatype datatype),
             (fh, buf, count, datatype))
PASS_THROUGH(MPI_File_write_ordered_begin_c, (MPI_File fh, const void *buf, MPI_Count count, MPI_Datatype datatype),
             (fh, buf, count, datatype))

// Persistent collective operations.

#if defined(RONDO_MPI_HAS_PERSISTENT_COLLECTIVES)
PASS_THROUGH(MPI_Bcast_init_c,
             (void *buffer, MPI_Count count, MPI_Datatype datatype, int root, MPI_Comm comm, MPI_Info info,
              MPI_Request *request),
             (buffer, count, datatype, root, comm, info, request))
PASS_THROUGH(MPI_Gather_init_c,
             (const void *sendbuf, MPI_Count sendcount, MPI_Datatype sendtype, void *recvbuf, MPI_Count recvcount,
              MPI_Datatype recvtype, int root, MPI_Comm comm, MPI_Info info, MPI_Request *request),
             (sendbuf, sendcount, sendtype, recvbuf, recvcount, recvtype, root, comm, info, request))
PASS_THROUGH(MPI_Gatherv_init_c,
             (const void *sendbuf, MPI_Count sendcount, MPI_Datatype sendtype, void *recvbuf,
              const MPI_Count recvcounts[], const MPI_Aint displs[], MPI_Datatype recvtype, int root, MPI_Comm comm,
              MPI_Info info, MPI_Request *request),
             (sendbuf, sendcount, sendtype, recvbuf, recvcounts, displs, recvtype, root, comm, info, request))
PASS_THROUGH(MPI_Scatter_init_c,
             (const void *sendbuf, MPI_Count sendcount, MPI_Datatype sendtype, void *recvbuf, MPI_Count recvcount,
              MPI_Datatype recvtype, int root, MPI_Comm comm, MPI_Info info, MPI_Request *request),
             (sendbuf, sendcount, sendtype, recvbuf, recvcount, recvtype, root, comm, info, request))
PASS_THROUGH(MPI_Scatterv_init_c,
             (const void *sendbuf, const MPI_Count sendcounts[], const MPI_Aint displs[], MPI_Datatype sendtype,
              void *recvbuf, MPI_Count recvcount, MPI_Datatype recvtype, int root, MPI_Comm comm, MPI_Info info,
              MPI_Request *request),
             (sendbuf, sendcounts, displs, sendtype, recvbuf, recvcount, recvtype, root, comm, info, request))
PASS_THROUGH(MPI_Reduce_init_c,
             (const void *sendbuf, void *recvbuf, MPI_Count count, MPI_Datatype datatype, MPI_Op op, int root,
              MPI_Comm comm, MPI_Info info, MPI_Request *request),
             (sendbuf, recvbuf, count, datatype, op, root, comm, info, request))
PASS_THROUGH(MPI_Allreduce_init_c,
             (const void *sendbuf, void *recvbuf, MPI_Count count, MPI_Datatype datatype, MPI_Op op, MPI_Comm comm,
              MPI_Info info, MPI_Request *request),
             (sendbuf, recvbuf, count, datatype, op, comm, info, request))
PASS_THROUGH(MPI_Reduce_scatter_init_c,
             (const void *sendbuf, void *recvbuf, const MPI_Count recvcounts[], MPI_Datatype datatype, MPI_Op op,
              MPI_Comm comm, MPI_Info info, MPI_Request *request),
             (sendbuf, recvbuf, recvcounts, datatype, op, comm, info, request))
PASS_THROUGH(MPI_Reduce_scatter_block_init_c,
             (const void *sendbuf, void *recvbuf, MPI_Count recvcount, MPI_Datatype datatype, MPI_Op op, MPI_Comm comm,
              MPI_Info info, MPI_Request *request),
             (sendbuf, recvbuf, recvcount, datatype, op, comm, info, request))
PASS_THROUGH(MPI_Scan_init_c,
             (const void *sendbuf, void *recvbuf, MPI_Count count, MPI_Datatype datatype, MPI_Op op, MPI_Comm comm,
              MPI_Info info, MPI_Request *request),
             (sendbuf, recvbuf, count, datatype, op, comm, info, request))
PASS_THROUGH(MPI_Exscan_init_c,
             (const void *sendbuf, void *recvbuf, MPI_Count count, MPI_Datatype datatype, MPI_Op op, MPI_Comm comm,
              MPI_Info info, MPI_Request *request),
             (sendbuf, recvbuf, count, datatype, op, comm, info, request))
PASS_THROUGH(MPI_Neighbor_allgather_init_c,
             (const void *sendbuf, MPI_Count sendcount, MPI_Datatype sendtype, void *recvbuf, MPI_Count recvcount,
              MPI_Datatype recvtype, MPI_Comm comm, MPI_Info info, MPI_Request *request),
             (sendbuf, sendcount, sendtype, recvbuf, recvcount, recvtype, comm, info, request))
PASS_THROUGH(MPI_Neighbor_allgatherv_init_c,
             (const void *sendbuf, MPI_Count sendcount, MPI_Datatype sendtype, void *recvbuf,
              const MPI_Count recvcounts[], const MPI_Aint displs[], MPI_Datatype recvtype, MPI_Comm comm,
              MPI_Info info, MPI_Request *request),
             (sendbuf, sendcount, sendtype, recvbuf, recvcounts, displs, recvtype, comm, info, request))
#endif

#endif
