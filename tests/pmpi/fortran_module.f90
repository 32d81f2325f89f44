! A program with `use mpi`, in place.
program exchange
  use mpi
  implicit none
  integer, parameter :: most = 8, rounds = 20
  double precision :: data(most)
  integer :: counts(most), displs(most)
  integer :: rank, ranks, ierror, i, k, wrong, total
  call MPI_Init(ierror)
  call MPI_Comm_rank(MPI_COMM_WORLD, rank, ierror)
  call MPI_Comm_size(MPI_COMM_WORLD, ranks, ierror)
  wrong = 0
  counts = 1
  displs = [(i, i = 0, most - 1)]
  do k = 1, rounds
    do i = 1, ranks
      data(i) = 100 * k + 10 * rank + i - 1
    end do
    call MPI_Alltoallv(MPI_IN_PLACE, counts, displs, MPI_DOUBLE_PRECISION, data, counts, displs, MPI_DOUBLE_PRECISION, &
                       MPI_COMM_WORLD, ierror)
    do i = 1, ranks
      if (nint(data(i)) /= 100 * k + 10 * (i - 1) + rank) wrong = wrong + 1
    end do
  end do
  call MPI_Reduce(wrong, total, 1, MPI_INTEGER, MPI_SUM, 0, MPI_COMM_WORLD, ierror)
  if (rank == 0) print *, 'use mpi:', total, ' wrong'
  call MPI_Finalize(ierror)
end program
