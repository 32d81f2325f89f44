#include "varying/raw_memory.hpp"

#include <gtest/gtest.h>
#include <unistd.h>

#include <algorithm>
#include <fstream>
#include <utility>
#include <vector>

namespace rondo::internal {
namespace {

constexpr std::int64_t mebibyte = 1 << 20;

std::int64_t resident_bytes() {
  std::int64_t pages = 0;
  std::int64_t resident = 0;
  std::ifstream("/proc/self/statm") >> pages >> resident;
  return resident * sysconf(_SC_PAGESIZE);
}

class RawMemoryOf : public testing::TestWithParam<std::int64_t> {};
INSTANTIATE_TEST_SUITE_P(Bytes, RawMemoryOf,
                         testing::Values(1, 100, mebibyte, 4 * mebibyte - 1, 4 * mebibyte, 4 * mebibyte + 1,
                                         7 * mebibyte + 12345));

TEST_P(RawMemoryOf, CanBeWrittenFromALineToItsEnd) {
  const std::int64_t bytes = GetParam();

  RawMemory memory(bytes);

  EXPECT_EQ(memory.size(), bytes);
  const std::int64_t aligned_to = bytes < 4 * mebibyte ? 64 : 2 * mebibyte;
  EXPECT_EQ(reinterpret_cast<std::uintptr_t>(memory.data()) % static_cast<std::uintptr_t>(aligned_to), 0U);
  std::fill_n(memory.data(), bytes, std::byte{7});
  EXPECT_EQ(std::count(memory.data(), memory.data() + bytes, std::byte{7}), bytes);
}

TEST_P(RawMemoryOf, IsHandedOn) {
  RawMemory first(GetParam());
  std::byte *const data = first.data();

  RawMemory second(std::move(first));
  RawMemory third(10);
  third = std::move(second);

  EXPECT_EQ(third.data(), data);
  EXPECT_EQ(third.size(), GetParam());
  EXPECT_EQ(second.size(), 0);  // NOLINT(bugprone-use-after-move): says what is left
  EXPECT_EQ(second.data(), nullptr);
}

// Pieces of many lengths, as the buffers of plans that come and go have them.
TEST(RawMemory, OfManyPagesGoesBackToTheSystem) {
  const std::int64_t before = resident_bytes();

  for (std::int64_t length = 4 * mebibyte; length < 12 * mebibyte; length += 700'000) {
    std::vector<RawMemory> several;
    for (int i = 0; i < 3; ++i) {
      several.emplace_back(length + i * mebibyte);
      std::fill_n(several.back().data(), several.back().size(), std::byte{1});
    }
  }

  EXPECT_LT(resident_bytes() - before, 4 * mebibyte);
}

}  // namespace
}  // namespace rondo::internal
