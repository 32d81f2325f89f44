#include "tests/mpi/failing_memory.hpp"

#include <fcntl.h>
#include <mpi_functions.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <cerrno>
#include <cstdarg>
#include <cstdio>
#include <cstdlib>
#include <new>
#include <string_view>

namespace rondo::failing_memory {

long live = 0;
long mpi_objects = 0;
long refused = 0;

namespace {

constinit long left = never;  // allocations that succeed before one fails
constinit Lasting lasting = Lasting::no;
constinit bool shared_memory_fails = false;

bool refuses() {
  if (left == never || left-- > 0) return false;
  left = lasting == Lasting::yes ? 0 : never;
  ++refused;
  return true;
}

void *taken(void *memory) {
  if (memory == nullptr) throw std::bad_alloc();
  ++live;
  return memory;
}

void give_back(void *memory) {
  if (memory != nullptr) --live;
  std::free(memory);
}

int counted(int code, int change) {
  if (code == MPI_SUCCESS) mpi_objects += change;
  return code;
}

}  // namespace

Shortage::Shortage(long succeeding, Lasting how) {
  refused = 0;
  lasting = how;
  left = succeeding;
}

Shortage::~Shortage() {
  left = never;
}

NoSharedMemory::NoSharedMemory(bool fails) {
  shared_memory_fails = fails;
}

NoSharedMemory::~NoSharedMemory() {
  shared_memory_fails = false;
}

int pretended_node() {
  const char *const size = std::getenv("RONDO_NODE_SIZE");
  return size == nullptr ? 0 : std::atoi(size);
}

}  // namespace rondo::failing_memory

using rondo::failing_memory::counted;
using rondo::failing_memory::give_back;
using rondo::failing_memory::refuses;
using rondo::failing_memory::shared_memory_fails;
using rondo::failing_memory::taken;

#pragma GCC visibility push(default)

void *operator new(std::size_t bytes) {
  if (refuses()) throw std::bad_alloc();
  return taken(std::malloc(bytes == 0 ? 1 : bytes));
}
void *operator new(std::size_t bytes, std::align_val_t alignment) {
  if (refuses()) throw std::bad_alloc();
  const auto line = static_cast<std::size_t>(alignment);
  return taken(std::aligned_alloc(line, (bytes + line) / line * line));
}
// Who asks for memory so can do without, as the standard library's sorting does.
void *operator new(std::size_t bytes, const std::nothrow_t &) noexcept {
  return taken(std::malloc(bytes == 0 ? 1 : bytes));
}
void operator delete(void *memory) noexcept {
  give_back(memory);
}
void operator delete(void *memory, std::size_t) noexcept {
  give_back(memory);
}
void operator delete(void *memory, std::align_val_t) noexcept {
  give_back(memory);
}
void operator delete(void *memory, std::size_t, std::align_val_t) noexcept {
  give_back(memory);
}

extern "C" {

// Of the rank that makes the shared memory.
int memfd_create(const char *name, unsigned flags) noexcept {
  if (shared_memory_fails) {
    errno = ENFILE;
    return -1;
  }
  return static_cast<int>(syscall(SYS_memfd_create, name, flags));
}

// Of the others, which open what it has made. (MPICH's UCX puts itself in the place of mmap.)
int open(const char *path, int flags, ...) {
  va_list rest;
  va_start(rest, flags);
  const mode_t mode = (flags & O_CREAT) != 0 ? va_arg(rest, mode_t) : 0;
  va_end(rest);
  if (shared_memory_fails && std::string_view(path).starts_with("/proc/")) {
    errno = EACCES;
    return -1;
  }
  return static_cast<int>(syscall(SYS_openat, AT_FDCWD, path, flags, mode));
}

// What Rondo makes of MPI's, and frees. A library's own calls do not pass here.
int MPI_Comm_dup(MPI_Comm comm, MPI_Comm *made) {
  return counted(PMPI_Comm_dup(comm, made), 1);
}
int MPI_Intercomm_merge(MPI_Comm comm, int high, MPI_Comm *made) {
  return counted(PMPI_Intercomm_merge(comm, high, made), 1);
}
int MPI_Comm_split(MPI_Comm comm, int color, int key, MPI_Comm *made) {
  const int code = PMPI_Comm_split(comm, color, key, made);
  return counted(code, *made == MPI_COMM_NULL ? 0 : 1);
}
// The nodes that a test pretends have different names. (MPI libraries ask, too, Open MPI 5 even in MPI_Finalize.)
int gethostname(char *name, std::size_t room) noexcept {
  int begun = 0;
  int ended = 0;
  PMPI_Initialized(&begun);
  PMPI_Finalized(&ended);
  const int pretended = begun != 0 && ended == 0 ? rondo::failing_memory::pretended_node() : 0;
  int rank = 0;
  if (pretended > 0) PMPI_Comm_rank(MPI_COMM_WORLD, &rank);
  std::snprintf(name, room, "node%d", pretended > 0 ? rank / pretended : 0);
  return 0;
}
int MPI_Comm_free(MPI_Comm *comm) {
  return counted(PMPI_Comm_free(comm), -1);
}
int MPI_Type_dup(MPI_Datatype type, MPI_Datatype *made) {
  return counted(PMPI_Type_dup(type, made), 1);
}
int MPI_Type_contiguous(int count, MPI_Datatype type, MPI_Datatype *made) {
  return counted(PMPI_Type_contiguous(count, type, made), 1);
}
int MPI_Type_create_hvector(int count, int length, MPI_Aint stride, MPI_Datatype type, MPI_Datatype *made) {
  return counted(PMPI_Type_create_hvector(count, length, stride, type, made), 1);
}
int MPI_Type_create_hindexed(int count, const int lengths[], const MPI_Aint offsets[], MPI_Datatype type,
                             MPI_Datatype *made) {
  return counted(PMPI_Type_create_hindexed(count, lengths, offsets, type, made), 1);
}
int MPI_Type_create_hindexed_block(int count, int length, const MPI_Aint offsets[], MPI_Datatype type,
                                   MPI_Datatype *made) {
  return counted(PMPI_Type_create_hindexed_block(count, length, offsets, type, made), 1);
}
int MPI_Type_create_struct(int count, const int lengths[], const MPI_Aint offsets[], const MPI_Datatype types[],
                           MPI_Datatype *made) {
  return counted(PMPI_Type_create_struct(count, lengths, offsets, types, made), 1);
}
int MPI_Type_create_resized(MPI_Datatype type, MPI_Aint lower_bound, MPI_Aint extent, MPI_Datatype *made) {
  return counted(PMPI_Type_create_resized(type, lower_bound, extent, made), 1);
}
int MPI_Type_free(MPI_Datatype *type) {
  return counted(PMPI_Type_free(type), -1);
}
int MPI_Send_init(const void *buffer, int count, MPI_Datatype type, int to, int tag, MPI_Comm comm,
                  MPI_Request *request) {
  return counted(PMPI_Send_init(buffer, count, type, to, tag, comm, request), 1);
}
int MPI_Recv_init(void *buffer, int count, MPI_Datatype type, int from, int tag, MPI_Comm comm, MPI_Request *request) {
  return counted(PMPI_Recv_init(buffer, count, type, from, tag, comm, request), 1);
}
#if defined(RONDO_MPI_PERSISTENT)
int RONDO_MPI_PERSISTENT(Alltoallv_init)(const void *sent, const int sendcounts[], const int sdispls[],
                                         MPI_Datatype sendtype, void *got, const int recvcounts[], const int rdispls[],
                                         MPI_Datatype recvtype, MPI_Comm comm, MPI_Info info, MPI_Request *request) {
  return counted(RONDO_PMPI_PERSISTENT(Alltoallv_init)(sent, sendcounts, sdispls, sendtype, got, recvcounts, rdispls,
                                                       recvtype, comm, info, request),
                 1);
}
int RONDO_MPI_PERSISTENT(Allgatherv_init)(const void *sent, int sendcount, MPI_Datatype sendtype, void *got,
                                          const int recvcounts[], const int displs[], MPI_Datatype recvtype,
                                          MPI_Comm comm, MPI_Info info, MPI_Request *request) {
  return counted(RONDO_PMPI_PERSISTENT(Allgatherv_init)(sent, sendcount, sendtype, got, recvcounts, displs, recvtype,
                                                        comm, info, request),
                 1);
}
#endif
int MPI_Request_free(MPI_Request *request) {
  return counted(PMPI_Request_free(request), -1);
}
}

#pragma GCC visibility pop
