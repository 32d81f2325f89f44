! A program of two languages: some ranks call from C what others call from Fortran, and requests that are made in C are
! started and completed in Fortran.
program languages
  use mpi
  implicit none
  interface
    subroutine c_initialize() bind(C)
    end subroutine
    subroutine c_alltoall(out, in) bind(C)
      integer :: out(*), in(*)
    end subroutine
    subroutine c_begin_alltoall(out, in, request) bind(C)
      integer :: out(*), in(*), request
    end subroutine
    subroutine c_plan_alltoall(out, in, request) bind(C)
      integer :: out(*), in(*), request
    end subroutine
  end interface
  integer, parameter :: most = 8, rounds = 10
  integer, asynchronous :: out(most), in(most)
  integer :: rank, ranks, ierror, i, k, wrong, total, request, plan, requests(1)
  call c_initialize()
  call MPI_Comm_rank(MPI_COMM_WORLD, rank, ierror)
  call MPI_Comm_size(MPI_COMM_WORLD, ranks, ierror)
  wrong = 0
  do k = 1, rounds
    call fill()
    if (mod(rank + k, 3) == 0) then
      call c_alltoall(out, in)
    else
      call MPI_Alltoall(out, 1, MPI_INTEGER, in, 1, MPI_INTEGER, MPI_COMM_WORLD, ierror)
    end if
    call check()
    call fill()
    call c_begin_alltoall(out, in, request)
    call MPI_Wait(request, MPI_STATUS_IGNORE, ierror)
    call check()
    if (request /= MPI_REQUEST_NULL) wrong = wrong + 1
  end do
  call c_plan_alltoall(out, in, plan)
  do k = 1, rounds
    call fill()
    call MPI_Start(plan, ierror)
    requests(1) = plan
    call MPI_Waitall(1, requests, MPI_STATUSES_IGNORE, ierror)
    call check()
  end do
  call MPI_Request_free(plan, ierror)
  call MPI_Reduce(wrong, total, 1, MPI_INTEGER, MPI_SUM, 0, MPI_COMM_WORLD, ierror)
  if (rank == 0) print *, 'two languages:', total, ' wrong'
  call MPI_Finalize(ierror)

contains

  subroutine fill()
    in = -1
    do i = 1, ranks
      out(i) = 1000 * k + 10 * rank + i - 1
    end do
  end subroutine

  subroutine check()
    do i = 1, ranks
      if (in(i) /= 1000 * k + 10 * (i - 1) + rank) wrong = wrong + 1
    end do
  end subroutine
end program
