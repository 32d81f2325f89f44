#include "wire/device_memory.hpp"

#include <gtest/gtest.h>
#include <sys/mman.h>
#include <unistd.h>

#include <cstddef>

#include "wire/page.hpp"

namespace rondo::internal {
namespace {

TEST(Heap, IsWhatBrkHasGiven) {
  constexpr std::intptr_t more = 4 * page;
  auto *const begin = static_cast<std::byte *>(sbrk(more));

  EXPECT_TRUE(is_on_heap(begin));
  EXPECT_TRUE(is_on_heap(begin + more - 1));
  EXPECT_FALSE(is_on_heap(begin + more));

  sbrk(-more);
  EXPECT_FALSE(is_on_heap(begin));
}

TEST(Heap, IsNothingElse) {
  static int of_program = 0;
  const int on_stack = 0;
  void *const mapped = mmap(nullptr, page, PROT_READ, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);

  EXPECT_FALSE(is_on_heap(&of_program));
  EXPECT_FALSE(is_on_heap(&on_stack));
  EXPECT_FALSE(is_on_heap(mapped));
  EXPECT_FALSE(is_on_heap(nullptr));

  munmap(mapped, page);
}

}  // namespace
}  // namespace rondo::internal
