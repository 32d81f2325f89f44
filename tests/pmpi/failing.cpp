// Preloaded beneath the interposer: its allocations and its calls of MPI fail, once, when a test says so. The program
// and the MPI libraries have malloc, which does not.

#include <dlfcn.h>
#include <mpi_functions.h>

#include <cstdlib>
#include <new>

#define VISIBLE extern "C" __attribute__((visibility("default")))

namespace {

enum Kind { nothing, memory, calls };
Kind failing = nothing;
long before = 0;  // how many more succeed
long failed = 0;

bool fails(Kind kind) {
  if (kind != failing || before-- > 0) return false;
  failing = nothing;
  ++failed;
  return true;
}

template <class Function>
Function *next(const char *name) {
  return reinterpret_cast<Function *>(dlsym(RTLD_NEXT, name));
}

void *take(std::size_t bytes) {
  if (fails(memory)) throw std::bad_alloc();
  void *const taken = std::malloc(bytes > 0 ? bytes : 1);
  if (taken == nullptr) throw std::bad_alloc();
  return taken;
}

}  // namespace

// From now on the call or allocation after so many fails; gives how many have failed since it was last asked.
VISIBLE long rondo_test_fail(int kind, long after) {
  const long told = failed;
  failed = 0;
  before = after;
  failing = static_cast<Kind>(kind);
  return told;
}

__attribute__((visibility("default"))) void *operator new(std::size_t bytes) {
  return take(bytes);
}
__attribute__((visibility("default"))) void *operator new[](std::size_t bytes) {
  return take(bytes);
}
__attribute__((visibility("default"))) void operator delete(void *taken) noexcept {
  std::free(taken);
}
__attribute__((visibility("default"))) void operator delete[](void *taken) noexcept {
  std::free(taken);
}
__attribute__((visibility("default"))) void operator delete(void *taken, std::size_t) noexcept {
  std::free(taken);
}
__attribute__((visibility("default"))) void operator delete[](void *taken, std::size_t) noexcept {
  std::free(taken);
}

#define FAILING(function, parameters, arguments)                      \
  VISIBLE int function parameters {                                   \
    if (fails(calls)) return MPI_ERR_OTHER;                           \
    static auto *const beneath = next<decltype(function)>(#function); \
    return beneath arguments;                                         \
  }

FAILING(PMPI_Isend, (const void *b, int n, MPI_Datatype t, int p, int g, MPI_Comm c, MPI_Request *r),
        (b, n, t, p, g, c, r))
FAILING(PMPI_Irecv, (void *b, int n, MPI_Datatype t, int p, int g, MPI_Comm c, MPI_Request *r), (b, n, t, p, g, c, r))
FAILING(PMPI_Recv_init, (void *b, int n, MPI_Datatype t, int p, int g, MPI_Comm c, MPI_Request *r),
        (b, n, t, p, g, c, r))
FAILING(PMPI_Testall, (int n, MPI_Request r[], int *f, MPI_Status s[]), (n, r, f, s))
FAILING(PMPI_Waitall, (int n, MPI_Request r[], MPI_Status s[]), (n, r, s))
FAILING(PMPI_Pack, (const void *i, int n, MPI_Datatype t, void *o, int z, int *p, MPI_Comm c), (i, n, t, o, z, p, c))
FAILING(PMPI_Unpack, (const void *i, int z, int *p, void *o, int n, MPI_Datatype t, MPI_Comm c), (i, z, p, o, n, t, c))
#if defined(RONDO_MPI_HAS_BIG_COUNTS)
FAILING(PMPI_Isend_c, (const void *b, MPI_Count n, MPI_Datatype t, int p, int g, MPI_Comm c, MPI_Request *r),
        (b, n, t, p, g, c, r))
FAILING(PMPI_Irecv_c, (void *b, MPI_Count n, MPI_Datatype t, int p, int g, MPI_Comm c, MPI_Request *r),
        (b, n, t, p, g, c, r))
#endif
