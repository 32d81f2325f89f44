!     A program of the older kind: mpif.h, fixed form.
      program exchange
      implicit none
      include 'mpif.h'
      integer most
      parameter (most = 8)
      integer out(most * most), in(most * most)
      integer counts(most), displs(most)
      integer rank, ranks, ierror, i, k, wrong, total
      integer request, status(MPI_STATUS_SIZE)
      call MPI_INIT(ierror)
      call MPI_COMM_RANK(MPI_COMM_WORLD, rank, ierror)
      call MPI_COMM_SIZE(MPI_COMM_WORLD, ranks, ierror)
      wrong = 0
      do k = 1, 20
        do i = 1, ranks
          counts(i) = 1 + mod(k, 3)
          displs(i) = (i - 1) * most
          out(displs(i) + 1) = 100 * k + 10 * rank + i
          in(displs(i) + 1) = -1
        end do
        if (mod(k, 4) .eq. 0) then
          call MPI_IALLTOALLV(out, counts, displs, MPI_INTEGER, in,
     &      counts, displs, MPI_INTEGER, MPI_COMM_WORLD, request,
     &      ierror)
          call MPI_WAIT(request, status, ierror)
        else
          call MPI_ALLTOALLV(out, counts, displs, MPI_INTEGER, in,
     &      counts, displs, MPI_INTEGER, MPI_COMM_WORLD, ierror)
        end if
        do i = 1, ranks
          if (in(displs(i) + 1) .ne. 100 * k + 10 * (i - 1) + rank + 1)
     &      wrong = wrong + 1
        end do
      end do
      call MPI_REDUCE(wrong, total, 1, MPI_INTEGER, MPI_SUM, 0,
     &  MPI_COMM_WORLD, ierror)
      if (rank .eq. 0) print *, 'mpif.h:', total, ' wrong'
      call MPI_FINALIZE(ierror)
      end
