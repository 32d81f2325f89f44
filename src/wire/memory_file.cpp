#include "wire/memory_file.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/mman.h>
#include <sys/random.h>
#include <sys/resource.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <chrono>

#include "wire/signals_blocked.hpp"

namespace rondo::internal {

namespace {

// A signal makes older kernels give up, and give back what they have taken so far: with a timer of the program's that
// is faster than the pages are made they would never come to the end. That the process was stopped is a signal, too.
int fill_file(int file, std::int64_t bytes) {
  const SignalsBlocked blocked;
  int fault = EINTR;
  while (fault == EINTR) fault = posix_fallocate(file, 0, bytes);
  return fault;
}

// A process that makes a file longer than it may (ulimit -f) is ended by a signal. A limit that is less than the memory
// of the machine is one that the user has thought of.
bool may_be_long(std::int64_t bytes) {
  struct rlimit limit{};
  if (getrlimit(RLIMIT_FSIZE, &limit) != 0) return false;
  if (limit.rlim_cur == RLIM_INFINITY) return true;
  return limit.rlim_cur >= static_cast<rlim_t>(std::max(memory_of_machine(), bytes));
}

}  // namespace

Descriptor::~Descriptor() {
  if (number_ >= 0) close(number_);
}

std::int64_t memory_of_machine() {
  return static_cast<std::int64_t>(sysconf(_SC_PHYS_PAGES)) * sysconf(_SC_PAGESIZE);
}

std::uint64_t random_cookie() {
  std::uint64_t cookie = 0;
  if (getrandom(&cookie, sizeof(cookie), GRND_NONBLOCK) == sizeof(cookie)) return cookie;
  const auto now = std::chrono::steady_clock::now().time_since_epoch().count();
  return (static_cast<std::uint64_t>(getpid()) << 40) ^ static_cast<std::uint64_t>(now);
}

int make_memory_file(std::int64_t bytes, std::int64_t made) {
  if (!may_be_long(bytes)) return -1;
  const int file = memfd_create("rondo", MFD_CLOEXEC);
  if (file < 0) return file;
  if (fill_file(file, made) == 0 && (made == bytes || ftruncate(file, bytes) == 0)) return file;
  close(file);
  return -1;
}

// Takes no memory.
int open_memory_file(const Invitation &invitation) {
  if (invitation.descriptor < 0) return -1;
  std::array<char, 64> path{};
  fmt::format_to_n(path.data(), path.size() - 1, "/proc/{}/fd/{}", invitation.process, invitation.descriptor);
  int file = -1;
  do file = open(path.data(), O_RDWR | O_CLOEXEC);
  while (file < 0 && errno == EINTR);
  return file;
}

void *map_sparse_file(int file, std::int64_t at, std::int64_t bytes, int access) {
  const auto length = static_cast<std::size_t>(bytes);
  void *const begin = mmap(nullptr, length, PROT_NONE, MAP_SHARED, file, static_cast<off_t>(at));
  if (begin == MAP_FAILED) return nullptr;
  munlock(begin, length);
  madvise(begin, length, MADV_DONTDUMP);
  if (mprotect(begin, length, access) == 0) return begin;
  munmap(begin, length);
  return nullptr;
}

}  // namespace rondo::internal
