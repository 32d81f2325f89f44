// Copies that take the source's cache lines: as memcpy, whatever the length and the places.

#include "wire/copy.hpp"

#include <gtest/gtest.h>
#include <sys/mman.h>
#include <unistd.h>

#include <algorithm>
#include <cstdint>
#include <vector>

namespace rondo::internal::test {
namespace {

// By whichever way: the places in their pages decide, too.
class CopyOfBytes : public testing::TestWithParam<std::size_t> {};
INSTANTIATE_TEST_SUITE_P(Bytes, CopyOfBytes, testing::Values(0, 1, 64, 2047, 2048, 2049, 2111, 4096, 70'001));

TEST_P(CopyOfBytes, IsACopy) {
  const std::size_t bytes = GetParam();
  constexpr std::size_t page = 4096;
  std::vector<std::byte> source(bytes + 2 * page);
  for (std::size_t i = 0; i < source.size(); ++i) source[i] = static_cast<std::byte>(i * 7 + (i >> 8) + 1);
  for (const std::size_t from : {0, 5, 4000}) {
    for (const std::size_t behind : {0, 1, 16, 31, 63, 64, 2000}) {
      std::vector<std::byte> target(bytes + 3 * page);
      std::vector<std::byte> expected(target.size());
      // The same place in a page as the source's, but for so many bytes.
      const std::size_t distance =
          reinterpret_cast<std::uintptr_t>(source.data() + from) - reinterpret_cast<std::uintptr_t>(target.data());
      const std::size_t to = distance % page + behind;
      std::copy_n(source.begin() + static_cast<std::ptrdiff_t>(from), bytes,
                  expected.begin() + static_cast<std::ptrdiff_t>(to));

      copy_bytes(target.data() + to, source.data() + from, bytes);

      EXPECT_EQ(target, expected) << from << " " << behind;
    }
  }
}

class CopyAndTake : public testing::TestWithParam<std::size_t> {};
INSTANTIATE_TEST_SUITE_P(Bytes, CopyAndTake,
                         testing::Values(0, 1, 63, 64, least_taken - 1, least_taken, least_taken + 1, least_taken + 63,
                                         2047, 2048, 2049, 2111, 4096, 70'001));

TEST_P(CopyAndTake, IsACopyAndLeavesTheSource) {
  const std::size_t bytes = GetParam();
  constexpr std::size_t guard = 128;
  for (const std::size_t from : {0, 1, 40}) {
    for (const std::size_t to : {0, 8, 63}) {
      std::vector<std::byte> source(bytes + 2 * guard);
      for (std::size_t i = 0; i < source.size(); ++i) source[i] = static_cast<std::byte>(i * 7 + 1);
      const std::vector<std::byte> before = source;
      std::vector<std::byte> target(source.size());
      std::vector<std::byte> expected(source.size());
      std::copy_n(source.begin() + static_cast<std::ptrdiff_t>(guard - from), bytes,
                  expected.begin() + static_cast<std::ptrdiff_t>(guard - to));

      copy_and_take(target.data() + guard - to, source.data() + guard - from, bytes);

      EXPECT_EQ(target, expected) << from << " " << to;
      EXPECT_EQ(source, before) << from << " " << to;
    }
  }
}

// Between pages that cannot be written: at the begin of what can, and at its end.
TEST_P(CopyAndTake, WritesNothingBesideTheSource) {
  const auto page = static_cast<std::size_t>(sysconf(_SC_PAGESIZE));
  const std::size_t bytes = GetParam();
  const std::size_t inside = (bytes / page + 1) * page;
  void *memory = mmap(nullptr, inside + 2 * page, PROT_READ, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  ASSERT_NE(memory, MAP_FAILED);
  std::byte *begin = static_cast<std::byte *>(memory) + page;
  ASSERT_EQ(mprotect(begin, inside, PROT_READ | PROT_WRITE), 0);
  std::vector<std::byte> target(std::max<std::size_t>(bytes, 1));  // memcpy takes no null pointer

  copy_and_take(target.data(), begin, bytes);
  copy_and_take(target.data(), begin + inside - bytes, bytes);

  EXPECT_EQ(target, std::vector<std::byte>(target.size()));
  munmap(memory, inside + 2 * page);
}

}  // namespace
}  // namespace rondo::internal::test
