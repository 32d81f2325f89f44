/* Buffers in the memory of a GPU, of both sides, of one, and of one rank alone: calls that Rondo does, and plans. */
#define _GNU_SOURCE
#include <dlfcn.h>

#include "persistent_calls.h"
#include "printed.h"

enum { most_ranks = 8, length = 100 };

static int rank, ranks, host_out[most_ranks * length], host_in[most_ranks * length];
static void (*open_memory)(void), (*close_memory)(void);
static int (*errors_are_the_programs)(void);

static void exchange(const char *name, int *out, int *in, int persistent) {
  int counts[most_ranks], displs[most_ranks], wrong = 0;
  MPI_Request request;
  for (int i = 0; i < ranks; ++i) {
    counts[i] = length;
    displs[i] = i * length;
  }
  open_memory();
  for (int i = 0; i < ranks * length; ++i) {
    out[i] = rank * 100000 + i;
    in[i] = -1;
  }
  close_memory();
  if (persistent) {
    open_memory(); /* the MPI library's, which does this */
    MPI_Alltoallv_init(out, counts, displs, MPI_INT, in, counts, displs, MPI_INT, MPI_COMM_WORLD, MPI_INFO_NULL,
                       &request);
    MPI_Start(&request);
    MPI_Wait(&request, MPI_STATUS_IGNORE);
    MPI_Request_free(&request);
    close_memory();
  } else {
    MPI_Alltoallv(out, counts, displs, MPI_INT, in, counts, displs, MPI_INT, MPI_COMM_WORLD);
  }
  open_memory();
  for (int i = 0; i < ranks * length; ++i) wrong += in[i] != i / length * 100000 + rank * length + i % length;
  close_memory();
  print("%s: %d wrong\n", name, wrong);
}

int main(int argc, char **argv) {
  void *(*memory_of)(void);
  *(void **)&memory_of = dlsym(RTLD_DEFAULT, "pretended_gpu_memory");
  *(void **)&open_memory = dlsym(RTLD_DEFAULT, "pretended_gpu_open");
  *(void **)&close_memory = dlsym(RTLD_DEFAULT, "pretended_gpu_close");
  *(void **)&errors_are_the_programs = dlsym(RTLD_DEFAULT, "pretended_gpu_errors_are_the_programs");
  if (memory_of == NULL || errors_are_the_programs == NULL) return 1;
  int *const gpu_out = memory_of();
  int *const gpu_in = gpu_out + most_ranks * length;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &ranks);
  for (int persistent = 0; persistent < 2; ++persistent) {
    print("%s\n", persistent ? "plans" : "calls");
    exchange("none", host_out, host_in, persistent);
    exchange("what is sent", gpu_out, host_in, persistent);
    exchange("what is received", host_out, gpu_in, persistent);
    exchange("both", gpu_out, gpu_in, persistent);
    exchange("of one rank", rank == 0 ? gpu_out : host_out, rank == 0 ? gpu_in : host_in, persistent);
    print("errors of the runtime: %s\n", errors_are_the_programs() ? "the program's" : "not the program's");
  }
  print_all();
  MPI_Finalize();
  return 0;
}
