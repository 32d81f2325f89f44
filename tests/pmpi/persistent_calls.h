/* MPI's persistent all-to-all and all-gather calls: Open MPI 4.1 has them under other names. */
#ifndef RONDO_TESTS_PMPI_PERSISTENT_CALLS_H
#define RONDO_TESTS_PMPI_PERSISTENT_CALLS_H

#include <mpi_functions.h>

#if defined(RONDO_MPI_HAS_PERSISTENT_EXTENSION)
#define MPI_Allgather_init MPIX_Allgather_init
#define MPI_Allgatherv_init MPIX_Allgatherv_init
#define MPI_Alltoall_init MPIX_Alltoall_init
#define MPI_Alltoallv_init MPIX_Alltoallv_init
#define MPI_Alltoallw_init MPIX_Alltoallw_init
#define MPI_Neighbor_alltoall_init MPIX_Neighbor_alltoall_init
#define MPI_Neighbor_alltoallv_init MPIX_Neighbor_alltoallv_init
#define MPI_Neighbor_alltoallw_init MPIX_Neighbor_alltoallw_init
#endif

#endif
