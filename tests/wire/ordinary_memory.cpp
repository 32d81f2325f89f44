#include "wire/ordinary_memory.hpp"

#include <gtest/gtest.h>
#include <sys/mman.h>
#include <unistd.h>

#include <cstddef>
#include <cstdint>
#include <fstream>
#include <sstream>
#include <string>
#include <thread>

extern "C" void *__curbrk;  // NOLINT(bugprone-reserved-identifier,readability-identifier-naming)

namespace rondo::internal {
namespace {

bool is_ordinary(const void *address) {
  return are_ordinary_memory(address, address);
}

int of_program = 1;
int zeros_of_program[100];

TEST(OrdinaryMemory, IsTheProgramsData) {
  EXPECT_TRUE(is_ordinary(&of_program));
  EXPECT_TRUE(is_ordinary(&zeros_of_program[99]));
}

// The 47th field of this file is where the heap begins. Emulators of processors leave it out.
bool system_tells_of_heap() {
  std::ifstream file("/proc/self/stat");
  std::string text;
  std::getline(file, text);
  std::istringstream fields(text.substr(text.rfind(')') + 1));
  std::string field;
  for (int i = 3; i <= 47; ++i) fields >> field;
  return !field.empty() && field != "0";
}

TEST(OrdinaryMemory, IsTheHeapAsFarAsItReaches) {
  if (!system_tells_of_heap()) GTEST_SKIP() << "the system does not tell where the heap begins";
  constexpr std::intptr_t bytes = 4096;
  const auto *const grown = static_cast<const std::byte *>(sbrk(bytes));
  ASSERT_NE(reinterpret_cast<std::intptr_t>(grown), -1);

  EXPECT_TRUE(is_ordinary(grown));
  EXPECT_TRUE(is_ordinary(grown + bytes - 1));
  EXPECT_FALSE(is_ordinary(grown + bytes));

  ASSERT_EQ(sbrk(-bytes), grown + bytes);
  EXPECT_FALSE(is_ordinary(grown));
}

TEST(OrdinaryMemory, IsTheStackOfTheFirstThread) {
  const int here = 1;
  EXPECT_TRUE(is_ordinary(&here));
  std::thread([] {
    const int elsewhere = 1;
    EXPECT_FALSE(is_ordinary(&elsewhere));
  }).join();
}

TEST(OrdinaryMemory, IsNoMapping) {
  constexpr std::size_t bytes = 4096;
  void *const mapped = mmap(nullptr, bytes, PROT_READ, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  ASSERT_NE(mapped, MAP_FAILED);

  EXPECT_FALSE(is_ordinary(mapped));
  EXPECT_FALSE(are_ordinary_memory(&of_program, mapped));
  EXPECT_FALSE(are_ordinary_memory(mapped, &of_program));
  munmap(mapped, bytes);
}

// As where an allocator of the program's never calls brk().
TEST(OrdinaryMemory, IsNoHeapThatHasNotGrown) {
  constexpr std::size_t bytes = 4096;
  void *const mapped = mmap(nullptr, bytes, PROT_READ, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  ASSERT_NE(mapped, MAP_FAILED);

  void *const end = __curbrk;
  __curbrk = nullptr;
  const bool mapping_is_ordinary = is_ordinary(mapped);
  __curbrk = end;

  EXPECT_FALSE(mapping_is_ordinary);
  munmap(mapped, bytes);
}

TEST(OrdinaryMemory, IsWhatStandsForNoMemory) {
  EXPECT_TRUE(is_ordinary(nullptr));
  EXPECT_TRUE(is_ordinary(reinterpret_cast<const void *>(1)));
  EXPECT_TRUE(is_ordinary(reinterpret_cast<const void *>(-1)));
}

}  // namespace
}  // namespace rondo::internal
