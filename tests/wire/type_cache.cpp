#include "wire/type_cache.hpp"

#include <gtest/gtest.h>

#include <array>
#include <atomic>
#include <thread>
#include <vector>

#include "wire/calls_beneath.hpp"
#include "with_mpi.hpp"

namespace rondo::internal {
namespace {

// Lets all through at once when the last has come; nobody sleeps before it, so that they leave together.
class Gate {
 public:
  explicit Gate(std::size_t threads) : threads_(threads) {}
  void pass() {
    const std::size_t round = come_.fetch_add(1) / threads_;
    while (come_.load() < (round + 1) * threads_) std::this_thread::yield();
  }

 private:
  std::size_t threads_;
  std::atomic<std::size_t> come_{0};
};

class TypeCache : public test::WithMpi {
 protected:
  static MPI_Datatype new_type(int ints) {
    MPI_Datatype type = MPI_DATATYPE_NULL;
    MPI_Type_contiguous(ints, MPI_INT, &type);
    MPI_Type_commit(&type);
    return type;
  }
};

TEST_F(TypeCache, IsKeptOnceUntilTheTypeIsFreed) {
  MPI_Datatype type = new_type(3);
  const std::uint64_t freed_before = types_freed();

  const DatatypeShape first = cached_type(type, "send").shape;
  const DatatypeShape second = cached_type(type, "send").shape;

  EXPECT_EQ(first, second);
  EXPECT_EQ(first.size, 3 * static_cast<std::int64_t>(sizeof(int)));
  EXPECT_EQ(types_freed(), freed_before);
  EXPECT_TRUE(is_cached_type(type));
  MPI_Type_free(&type);
  EXPECT_EQ(types_freed(), freed_before + 1);
}

TEST_F(TypeCache, KeepsNothingAnewWhileACallFreesTypes) {
  MPI_Datatype type = new_type(3);
  const std::uint64_t passing_before = passing_types_used();
  {
    const TypesBeingFreed being_freed;
    EXPECT_EQ(cached_type(type, "send").shape.size, 3 * static_cast<std::int64_t>(sizeof(int)));
  }

  EXPECT_FALSE(is_cached_type(type));
  EXPECT_NE(passing_types_used(), passing_before);  // what is made of it is not to be kept
  MPI_Type_free(&type);
}

TEST_F(TypeCache, KeepsNothingAnewInACallbackOfACallBeneath) {
  MPI_Datatype type = new_type(3);
  const std::uint64_t passing_before = passing_types_used();
  ++calls_beneath;
  cached_type(type, "send");
  --calls_beneath;

  EXPECT_FALSE(is_cached_type(type));
  EXPECT_NE(passing_types_used(), passing_before);
  MPI_Type_free(&type);
}

TEST_F(TypeCache, IsKeptOnceWhenThreadsAskForItAtOnce) {
  constexpr int rounds = 5000;
  constexpr std::size_t askers = 2;
  constexpr std::size_t at_once = 64;
  std::array<MPI_Datatype, at_once> types{};
  std::array<std::array<DatatypeShape, at_once>, askers> found{};
  int wrong = 0;
  Gate gate(askers + 1);

  {
    std::vector<std::jthread> threads;
    for (std::size_t asker = 0; asker < askers; ++asker) {
      threads.emplace_back([&, asker] {
        for (int round = 0; round < rounds; ++round) {
          gate.pass();
          for (std::size_t i = 0; i < at_once; ++i) found[asker][i] = cached_type(types[i], "send").shape;
          gate.pass();
        }
      });
    }
    for (int round = 0; round < rounds; ++round) {
      for (std::size_t i = 0; i < at_once; ++i) types[i] = new_type(static_cast<int>(i) + 1);
      const std::uint64_t freed_before = types_freed();
      gate.pass();
      gate.pass();
      for (std::size_t i = 0; i < at_once; ++i) {
        for (const auto &seen : found)
          wrong += seen[i].size != static_cast<std::int64_t>((i + 1) * sizeof(int)) ? 1 : 0;
        MPI_Type_free(&types[i]);
      }
      wrong += types_freed() != freed_before + at_once ? 1 : 0;  // one was kept with each
    }
  }

  EXPECT_EQ(wrong, 0);
}

}  // namespace
}  // namespace rondo::internal
