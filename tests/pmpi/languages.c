/* What a program's C part does, on MPI_COMM_WORLD and an int for each rank (languages.f90). */
#include "persistent_calls.h"

#include <stddef.h>

void c_initialize(void) {
  MPI_Init(NULL, NULL);
}

void c_alltoall(const int *out, int *in) {
  MPI_Alltoall(out, 1, MPI_INT, in, 1, MPI_INT, MPI_COMM_WORLD);
}

void c_begin_alltoall(const int *out, int *in, MPI_Fint *request) {
  MPI_Request made;
  MPI_Ialltoall(out, 1, MPI_INT, in, 1, MPI_INT, MPI_COMM_WORLD, &made);
  *request = MPI_Request_c2f(made);
}

void c_plan_alltoall(const int *out, int *in, MPI_Fint *request) {
  MPI_Request made;
  MPI_Alltoall_init(out, 1, MPI_INT, in, 1, MPI_INT, MPI_COMM_WORLD, MPI_INFO_NULL, &made);
  *request = MPI_Request_c2f(made);
}
