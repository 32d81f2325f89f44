#pragma once

// For tests of one process that call MPI: it is there from the first of them to the end of the program.

#include <gtest/gtest.h>
#include <mpi.h>
#if defined(__SANITIZE_ADDRESS__)
#include <sanitizer/lsan_interface.h>
#endif

namespace rondo::internal::test {

class FinalizesMpi : public testing::Environment {
 public:
  void TearDown() override {
    int initialized = 0;
    MPI_Initialized(&initialized);
    if (initialized != 0) MPI_Finalize();
  }
};

inline const auto *const finalizes_mpi = testing::AddGlobalTestEnvironment(new FinalizesMpi);

// While one lives, what is never freed is no leak of ours: MPICH's libraries leave some of what they take when they
// begin.
class LeavesMemory {
 public:
#if defined(__SANITIZE_ADDRESS__)
  LeavesMemory() { __lsan_disable(); }
  ~LeavesMemory() { __lsan_enable(); }
#else
  LeavesMemory() = default;
  ~LeavesMemory() = default;
#endif
  LeavesMemory(const LeavesMemory &) = delete;
  LeavesMemory &operator=(const LeavesMemory &) = delete;
};

class WithMpi : public testing::Test {
 protected:
  static void SetUpTestSuite() {
    int initialized = 0;
    MPI_Initialized(&initialized);
    if (initialized != 0) return;
    int provided = MPI_THREAD_SINGLE;
    [[maybe_unused]] const LeavesMemory leaves_memory;
    MPI_Init_thread(nullptr, nullptr, MPI_THREAD_MULTIPLE, &provided);
    ASSERT_EQ(provided, MPI_THREAD_MULTIPLE);
  }
};

}  // namespace rondo::internal::test
