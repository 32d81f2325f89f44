#include "wire/make_pages.hpp"

#include <sys/mman.h>
#include <unistd.h>

#include <cerrno>

#include "exchange/error.hpp"

namespace rondo::internal {

namespace {

// MADV_POPULATE_WRITE, which headers that are older than the kernel do not have.
constexpr int populate_write = 23;

std::uintptr_t system_page() {
  static const auto bytes = static_cast<std::uintptr_t>(sysconf(_SC_PAGESIZE));
  return bytes;
}

int populate(std::uintptr_t begin, std::uintptr_t end) {
  int code = 0;
  do code = madvise(reinterpret_cast<void *>(begin), end - begin, populate_write);
  while (code != 0 && (errno == EINTR || errno == EAGAIN));
  return code;
}

}  // namespace

// Of no bytes the kernel only looks whether it knows the request.
bool makes_pages_on_request() {
  return populate(system_page(), system_page()) == 0;
}

std::byte *make_pages(std::byte *begin, std::int64_t bytes) {
  const auto first = reinterpret_cast<std::uintptr_t>(begin);
  const std::uintptr_t size = system_page();
  const std::uintptr_t end = (first + static_cast<std::uintptr_t>(bytes) + size - 1) / size * size;
  const bool made = populate(first / size * size, end) == 0;
  const bool unknown = !made && errno == EINVAL;
  if (made || unknown) return begin + (end - first);
  throw Error::of(Fault::no_memory, [] { return "no memory is left for what goes through shared memory"; });
}

}  // namespace rondo::internal
