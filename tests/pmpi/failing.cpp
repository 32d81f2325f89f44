// Preloaded beneath the interposer: its allocations and its calls of MPI fail, once, when a test says so, and what it
// takes is counted. The program and the MPI libraries have malloc, which does not fail.

#include <dlfcn.h>
#include <mpi_functions.h>

#include <atomic>
#include <cstdio>
#include <cstdlib>
#include <new>

#define VISIBLE extern "C" __attribute__((visibility("default")))

namespace {

// Calls of an exchange, and of what makes one. Those by which ranks wait for each other are not to fail on one alone.
enum Kind { nothing, memory, calls, making };
Kind failing = nothing;
Kind failing_at_split = nothing;
long splits = 0;
long split_that_fails = 0;
long before = 0;  // how many more succeed
long failed = 0;
std::atomic<long> live{0};
long objects = 0;

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
  ++live;
  return taken;
}

void give_back(void *taken) {
  if (taken != nullptr) --live;
  std::free(taken);
}

int counted(int code, int change) {
  if (code == MPI_SUCCESS) objects += change;
  return code;
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

// The same from that communicator on, as they are counted, which is split off another.
VISIBLE void rondo_test_fail_at_split(int kind, long after, long which) {
  failing_at_split = static_cast<Kind>(kind);
  split_that_fails = which;
  before = after;
}
VISIBLE long rondo_test_splits() {
  return splits;
}

// What has been taken and not been given back: allocations, and requests and communicators of MPI's.
VISIBLE long rondo_test_live() {
  return live;
}
VISIBLE long rondo_test_objects() {
  return objects;
}

__attribute__((visibility("default"))) void *operator new(std::size_t bytes) {
  return take(bytes);
}
__attribute__((visibility("default"))) void *operator new[](std::size_t bytes) {
  return take(bytes);
}
// Who asks for memory so can do without, as the standard library's sorting does.
__attribute__((visibility("default"))) void *operator new(std::size_t bytes, const std::nothrow_t &) noexcept {
  void *const taken = std::malloc(bytes > 0 ? bytes : 1);
  if (taken != nullptr) ++live;
  return taken;
}
__attribute__((visibility("default"))) void operator delete(void *taken) noexcept {
  give_back(taken);
}
__attribute__((visibility("default"))) void operator delete[](void *taken) noexcept {
  give_back(taken);
}
__attribute__((visibility("default"))) void operator delete(void *taken, std::size_t) noexcept {
  give_back(taken);
}
__attribute__((visibility("default"))) void operator delete[](void *taken, std::size_t) noexcept {
  give_back(taken);
}

#define BENEATH(function, kind, parameters, arguments, change)        \
  VISIBLE int function parameters {                                   \
    if (fails(kind)) return MPI_ERR_OTHER;                            \
    static auto *const beneath = next<decltype(function)>(#function); \
    return counted(beneath arguments, change);                        \
  }
#define FAILING(function, parameters, arguments) BENEATH(function, calls, parameters, arguments, 0)
#define FAILING_IN_INIT(function, parameters, arguments) BENEATH(function, making, parameters, arguments, 0)
#define COUNTED(function, change, parameters, arguments) BENEATH(function, making, parameters, arguments, change)
#define ONLY_COUNTED(function, change, parameters, arguments)         \
  VISIBLE int function parameters {                                   \
    static auto *const beneath = next<decltype(function)>(#function); \
    return counted(beneath arguments, change);                        \
  }

FAILING(PMPI_Isend, (const void *b, int n, MPI_Datatype t, int p, int g, MPI_Comm c, MPI_Request *r),
        (b, n, t, p, g, c, r))
FAILING(PMPI_Irecv, (void *b, int n, MPI_Datatype t, int p, int g, MPI_Comm c, MPI_Request *r), (b, n, t, p, g, c, r))
FAILING(PMPI_Startall, (int n, MPI_Request r[]), (n, r))
FAILING(PMPI_Testall, (int n, MPI_Request r[], int *f, MPI_Status s[]), (n, r, f, s))
FAILING(PMPI_Waitall, (int n, MPI_Request r[], MPI_Status s[]), (n, r, s))
FAILING(PMPI_Request_get_status, (MPI_Request r, int *f, MPI_Status *s), (r, f, s))
FAILING(PMPI_Cancel, (MPI_Request * r), (r))
FAILING(PMPI_Pack, (const void *i, int n, MPI_Datatype t, void *o, int z, int *p, MPI_Comm c), (i, n, t, o, z, p, c))
FAILING(PMPI_Unpack, (const void *i, int z, int *p, void *o, int n, MPI_Datatype t, MPI_Comm c), (i, z, p, o, n, t, c))
#if defined(RONDO_MPI_HAS_BIG_COUNTS)
FAILING(PMPI_Isend_c, (const void *b, MPI_Count n, MPI_Datatype t, int p, int g, MPI_Comm c, MPI_Request *r),
        (b, n, t, p, g, c, r))
FAILING(PMPI_Irecv_c, (void *b, MPI_Count n, MPI_Datatype t, int p, int g, MPI_Comm c, MPI_Request *r),
        (b, n, t, p, g, c, r))
#endif

COUNTED(PMPI_Send_init, 1, (const void *b, int n, MPI_Datatype t, int p, int g, MPI_Comm c, MPI_Request *r),
        (b, n, t, p, g, c, r))
COUNTED(PMPI_Recv_init, 1, (void *b, int n, MPI_Datatype t, int p, int g, MPI_Comm c, MPI_Request *r),
        (b, n, t, p, g, c, r))
FAILING_IN_INIT(PMPI_Comm_set_attr, (MPI_Comm c, int k, void *v), (c, k, v))
FAILING_IN_INIT(PMPI_Type_commit, (MPI_Datatype * t), (t))
FAILING_IN_INIT(PMPI_Type_get_envelope, (MPI_Datatype t, int *i, int *a, int *d, int *c), (t, i, a, d, c))
#if MPI_VERSION >= 4
FAILING_IN_INIT(PMPI_Type_get_envelope_c,
                (MPI_Datatype t, MPI_Count *i, MPI_Count *a, MPI_Count *l, MPI_Count *d, int *c), (t, i, a, l, d, c))
#endif
FAILING_IN_INIT(PMPI_Info_get_nkeys, (MPI_Info i, int *n), (i, n))
ONLY_COUNTED(PMPI_Request_free, -1, (MPI_Request * r), (r))
ONLY_COUNTED(PMPI_Comm_dup, 1, (MPI_Comm c, MPI_Comm *m), (c, m))
ONLY_COUNTED(PMPI_Comm_free, -1, (MPI_Comm * c), (c))

VISIBLE int PMPI_Comm_split(MPI_Comm comm, int color, int key, MPI_Comm *made) {
  static auto *const beneath = next<decltype(PMPI_Comm_split)>("PMPI_Comm_split");
  const int code = beneath(comm, color, key, made);
  if (++splits == split_that_fails) failing = failing_at_split;
  return code;
}

// The nodes that a test pretends have different names. (MPI libraries ask, too, Open MPI 5 even in MPI_Finalize.)
VISIBLE int gethostname(char *name, std::size_t room) noexcept {
  static auto *const beneath = next<int(char *, std::size_t)>("gethostname");
  const char *const pretended = std::getenv("RONDO_NODE_SIZE");
  int begun = 0;
  int ended = 0;
  PMPI_Initialized(&begun);
  PMPI_Finalized(&ended);
  if (pretended == nullptr || begun == 0 || ended != 0) return beneath(name, room);
  int rank = 0;
  PMPI_Comm_rank(MPI_COMM_WORLD, &rank);
  std::snprintf(name, room, "node%d", rank / std::atoi(pretended));
  return 0;
}
