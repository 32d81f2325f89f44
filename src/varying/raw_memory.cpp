#include "varying/raw_memory.hpp"

#include <sys/mman.h>

#include <limits>
#include <new>

#include "wire/copy.hpp"
#include "wire/page.hpp"

namespace rondo::internal {

namespace {

constexpr std::int64_t huge_page = std::int64_t{2} << 20;
constexpr std::int64_t least_huge = 2 * huge_page;
constexpr std::align_val_t line{cache_line};

std::size_t mapped_bytes(std::int64_t bytes) {
  return static_cast<std::size_t>(up_to(huge_page, bytes));
}

// From a huge page on: what begins between two has none at its ends.
std::byte *map(std::int64_t bytes) {
  const std::size_t length = mapped_bytes(bytes);
  void *const all = mmap(nullptr, length + huge_page, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (all == MAP_FAILED) throw std::bad_alloc();
  auto *const begin = static_cast<std::byte *>(all);
  const std::size_t before = -reinterpret_cast<std::uintptr_t>(all) % huge_page;
  if (before > 0) munmap(begin, before);
  std::byte *const memory = begin + before;
  munmap(memory + length, huge_page - before);
  madvise(memory, length, MADV_HUGEPAGE);  // where there are none, small ones do
  return memory;
}

std::byte *allocate(std::int64_t bytes) {
  if (bytes > std::numeric_limits<std::int64_t>::max() - 2 * huge_page) throw std::bad_alloc();
  if (bytes >= least_huge) return map(bytes);
  return static_cast<std::byte *>(::operator new[](static_cast<std::size_t>(bytes), line));
}

}  // namespace

RawMemory::RawMemory(std::int64_t bytes) : bytes_(allocate(bytes), Free{bytes}) {}

void RawMemory::Free::operator()(std::byte *bytes) const {
  if (size >= least_huge) {
    munmap(bytes, mapped_bytes(size));
  } else {
    ::operator delete[](bytes, line);
  }
}

}  // namespace rondo::internal
