/* A library that pretends to be the runtime of CUDA (its soname is libcuda.so.1) or, of the version PRETENDED_HIP, that
 * of HIP (libamdhip64.so.5 or .6), and an MPI library that can read and write the memory of a GPU. That memory is open
 * while MPI's functions that move data run, and whoever else touches it dies. */
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

static int in_memory(const void *pointer) {
  const uintptr_t begin = (uintptr_t)memory, address = (uintptr_t)pointer;
  return memory != NULL && address >= begin && address < begin + bytes;
}

#ifndef PRETENDED_HIP

int cuPointerGetAttribute(void *value, int attribute, uintptr_t address) {
  ++pretended_gpu_asked;
  if (!in_memory((const void *)address)) return 1; /* CUDA_ERROR_INVALID_VALUE */
  *(unsigned *)value = attribute == 2 ? 2 : 0;
  return 0;
}

/* What a program could see that we have asked about what the runtime does not know. */
int pretended_gpu_errors_are_the_programs(void) {
  return 1;
}

#else

/* hipMemoryTypeDevice: the types were numbered anew in HIP 6, which also has one for memory that is not its own. */
enum { of_device = PRETENDED_HIP < 6 ? 1 : 2, of_nobody = 0 };

struct hip_attributes { /* hipPointerAttribute_t */
  int type;
  int device;
  void *device_pointer;
  void *host_pointer;
  int is_managed;
  unsigned flags;
};
static int last_error = 0;

int hipRuntimeGetVersion(int *version) {
  *version = PRETENDED_HIP * 10000000 + 731921;
  return 0;
}

int hipPeekAtLastError(void) {
  return last_error;
}

int hipGetLastError(void) {
  const int error = last_error;
  last_error = 0;
  return error;
}

int hipPointerGetAttributes(struct hip_attributes *attributes, const void *pointer) {
  ++pretended_gpu_asked;
  if (PRETENDED_HIP < 6 && !in_memory(pointer)) return last_error = 1; /* hipErrorInvalidValue */
  attributes->type = in_memory(pointer) ? of_device : of_nobody;
  attributes->device = 0;
  attributes->device_pointer = (void *)pointer;
  attributes->host_pointer = NULL;
  attributes->is_managed = 0;
  attributes->flags = 0;
  return 0;
}

/* An error that the program has made is there until it asks, and no other is. */
int pretended_gpu_errors_are_the_programs(void) {
  static int program_has_failed = 0;
  const int expected = program_has_failed ? 1 : 0;
  const int right = last_error == expected;
  program_has_failed = 1;
  last_error = 1;
  return right;
}

#endif

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
