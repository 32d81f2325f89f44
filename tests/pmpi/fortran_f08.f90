! A program with `use mpi_f08`: in place, calls that do not wait, persistent ones, and every way to wait for them. With an
! argument, MPI is initialized by the module `mpi`, as where one library of a program uses the one and one the other.
subroutine initialize_by_the_older_module()
  use mpi
  implicit none
  integer :: ierror
  call MPI_Init(ierror)
end subroutine

program exchange
  use mpi_f08
#ifdef RONDO_MPI_HAS_PERSISTENT_EXTENSION
  use mpi_f08_ext
#define MPI_Alltoallv_init MPIX_Alltoallv_init
#endif
  implicit none
  integer, parameter :: most = 8, rounds = 22, kinds = 11
  double precision :: data(most)
  integer, asynchronous :: out(most), in(most)
  integer :: counts(most), displs(most)
  integer :: rank, ranks, i, k, wrong, total
  type(MPI_Request) :: persistent, request
  if (command_argument_count() == 0) then
    call MPI_Init()
  else
    call initialize_by_the_older_module()
  end if
  call MPI_Comm_rank(MPI_COMM_WORLD, rank)
  call MPI_Comm_size(MPI_COMM_WORLD, ranks)
  wrong = 0
  counts = 1
  displs = [(i, i = 0, most - 1)]
  do k = 1, rounds
    do i = 1, ranks
      data(i) = 100 * k + 10 * rank + i - 1
    end do
    call MPI_Alltoallv(MPI_IN_PLACE, counts, displs, MPI_DOUBLE_PRECISION, data, counts, displs, MPI_DOUBLE_PRECISION, &
                       MPI_COMM_WORLD)
    do i = 1, ranks
      if (nint(data(i)) /= 100 * k + 10 * (i - 1) + rank) wrong = wrong + 1
    end do
  end do
  do k = 1, rounds
    call fill()
    call MPI_Ialltoallv(out, counts, displs, MPI_INTEGER, in, counts, displs, MPI_INTEGER, MPI_COMM_WORLD, request)
    call complete(request, mod(k, kinds))
    call check()
    if (request /= MPI_REQUEST_NULL) wrong = wrong + 1
  end do
  call MPI_Alltoallv_init(out, counts, displs, MPI_INTEGER, in, counts, displs, MPI_INTEGER, MPI_COMM_WORLD, &
                          MPI_INFO_NULL, persistent)
  do k = 1, rounds
    call fill()
    if (mod(k, 2) == 0) then
      call MPI_Start(persistent)
    else
      call start_among_others()
    end if
    call complete(persistent, waits_of_persistent(k))
    call check()
  end do
  call MPI_Request_free(persistent)
  if (persistent /= MPI_REQUEST_NULL) wrong = wrong + 1
  call MPI_Reduce(wrong, total, 1, MPI_INTEGER, MPI_SUM, 0, MPI_COMM_WORLD)
  if (rank == 0) print *, 'use mpi_f08:', total, ' wrong'
  call MPI_Finalize()

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

  ! MPICH 4.0 itself completes persistent collectives again and again in all but its waits for one and for all.
  integer function waits_of_persistent(round)
    integer, intent(in) :: round
    waits_of_persistent = mod(round, 4)
  end function

  subroutine start_among_others()
    type(MPI_Request) :: requests(1)
    requests(1) = persistent
    call MPI_Startall(1, requests)
    persistent = requests(1)
  end subroutine

  ! By the call of a number, alone or among null requests, with a status and without.
  subroutine complete(of, how)
    type(MPI_Request), intent(inout) :: of
    integer, intent(in) :: how
    type(MPI_Request) :: requests(3)
    type(MPI_Status) :: status, statuses(3)
    integer :: index, count, indices(3)
    logical :: flag
    requests = MPI_REQUEST_NULL
    requests(2) = of
    flag = .false.
    index = -1
    count = 0
    select case (how)
    case (0)
      call MPI_Wait(requests(2), status)
    case (1)
      call MPI_Wait(requests(2), MPI_STATUS_IGNORE)
    case (2)
      call MPI_Waitall(3, requests, statuses)
    case (3)
      call MPI_Waitall(3, requests, MPI_STATUSES_IGNORE)
    case (4)
      call MPI_Waitany(3, requests, index, status)
    case (5)
      call MPI_Waitsome(3, requests, count, indices, MPI_STATUSES_IGNORE)
      index = indices(1)
    case (6)
      do while (.not. flag)
        call MPI_Test(requests(2), flag, MPI_STATUS_IGNORE)
      end do
    case (7)
      do while (.not. flag)
        call MPI_Testall(3, requests, flag, statuses)
      end do
    case (8)
      do while (.not. flag)
        call MPI_Testany(3, requests, index, flag, MPI_STATUS_IGNORE)
      end do
    case (9)
      do while (count == 0)
        call MPI_Testsome(3, requests, count, indices, statuses)
      end do
      index = indices(1)
    case (10)
      do while (.not. flag)
        call MPI_Request_get_status(requests(2), flag, status)
      end do
      call MPI_Wait(requests(2), status)
    end select
    if (count /= 0 .and. count /= 1) wrong = wrong + 1
    if (rank == 0 .and. k <= kinds) print *, how, index, flag
    of = requests(2)
  end subroutine
end program
