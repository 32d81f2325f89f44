/* A library that pretends to be the runtime of CUDA (its soname is libcuda.so.1), and an MPI library that can read and
 * write the memory of a GPU. That memory is open while MPI's functions that move data run, and whoever else touches it
 * dies. */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <mpi.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/mman.h>

enum { bytes = 1 << 20 };
static char *memory;
static int opened;
int pretended_gpu_asked = 0;

/* Of the whole of it, from the beginning; `managed` is not asked for. */
void *pretended_gpu_memory(void) {
  if (memory == NULL) memory = mmap(NULL, bytes, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  return memory;
}

void pretended_gpu_open(void) {
  if (opened++ == 0 && memory != NULL) mprotect(memory, bytes, PROT_READ | PROT_WRITE);
}

void pretended_gpu_close(void) {
  if (--opened == 0 && memory != NULL) mprotect(memory, bytes, PROT_NONE);
}

int cuPointerGetAttribute(void *value, int attribute, uintptr_t address) {
  const uintptr_t begin = (uintptr_t)memory;
  ++pretended_gpu_asked;
  if (memory == NULL || address < begin || address >= begin + bytes) return 1; /* CUDA_ERROR_INVALID_VALUE */
  *(unsigned *)value = attribute == 2 ? 2 : 0;
  return 0;
}

int PMPI_Pack(const void *in, int count, MPI_Datatype type, void *out, int size, int *position, MPI_Comm comm) {
  static int (*next)(const void *, int, MPI_Datatype, void *, int, int *, MPI_Comm);
  if (next == NULL) *(void **)&next = dlsym(RTLD_NEXT, "PMPI_Pack");
  pretended_gpu_open();
  const int code = next(in, count, type, out, size, position, comm);
  pretended_gpu_close();
  return code;
}

int PMPI_Unpack(const void *in, int size, int *position, void *out, int count, MPI_Datatype type, MPI_Comm comm) {
  static int (*next)(const void *, int, int *, void *, int, MPI_Datatype, MPI_Comm);
  if (next == NULL) *(void **)&next = dlsym(RTLD_NEXT, "PMPI_Unpack");
  pretended_gpu_open();
  const int code = next(in, size, position, out, count, type, comm);
  pretended_gpu_close();
  return code;
}
