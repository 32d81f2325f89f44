/* What programs have in common in which something fails beneath the interposer (failing.cpp) on rank 1: buffers with
 * guards before and behind, and elements with gaps. */
#ifndef RONDO_TESTS_PMPI_FAULTS_H
#define RONDO_TESTS_PMPI_FAULTS_H

#ifndef _GNU_SOURCE
#define _GNU_SOURCE
#endif
#include <dlfcn.h>
#include <unistd.h>

#include "printed.h"

enum { length = 64, guard = 16, most = 2 * guard + 4 * length * 2 };
enum { no_fault, memory, calls, making };
static const char *const kinds[] = {"", "memory", "calls", "calls of an init"};

static int rank, out[most], in[most], seen[most];
/* From now on the allocation or call after so many fails; gives how many have failed since it was last asked. */
static long (*fail)(int kind, long after);

static void fill(void) {
  for (int i = 0; i < most; ++i) {
    out[i] = rank * 1000000 + i;
    in[i] = -1;
  }
}

/* Every step-th integer is received, as so many that `from` has sent. */
static int right(int step, int from) {
  for (int i = 0; i < most; ++i) {
    const int k = i - guard, data = k >= 0 && k < step * length && k % step == 0;
    if (in[i] != (data ? from * 1000000 + guard + k / step : -1)) return 0;
  }
  return 1;
}

static int guarded(int step) {
  for (int i = 0; i < most; ++i) {
    if ((i < guard || i >= guard + step * length) && in[i] != -1) return 0;
  }
  return 1;
}

/* Two integers, with a gap after each. */
static MPI_Datatype make_gapped(void) {
  MPI_Datatype two, gapped;
  MPI_Type_vector(2, 1, 2, MPI_INT, &two);
  MPI_Type_create_resized(two, 0, 4 * sizeof(int), &gapped);
  MPI_Type_commit(&gapped);
  MPI_Type_free(&two);
  return gapped;
}

static void *address_in_failing(const char *name) {
  void *const found = dlsym(RTLD_DEFAULT, name);
  if (found == NULL) {
    fprintf(stderr, "%s: failing.cpp is not preloaded\n", name);
    exit(1);
  }
  return found;
}

static void begin_with_faults(int *argc, char ***argv) {
  *(void **)&fail = address_in_failing("rondo_test_fail");
  MPI_Init(argc, argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
  alarm(110);
}

/* Of a program that has left messages. */
static void end_with_faults(void) {
  print_all();
  fflush(stdout);
#ifdef OPEN_MPI
  MPI_Finalize(); /* or mpiexec fails */
#else
  MPI_Barrier(MPI_COMM_WORLD);
  _exit(0); /* MPICH's MPI_Finalize fails where messages are left */
#endif
}

#endif
