#pragma once

// For tests of one process that call MPI: it is there from the first of them to the end of the program.

#include <gtest/gtest.h>
#include <mpi.h>

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

class WithMpi : public testing::Test {
 protected:
  static void SetUpTestSuite() {
    int initialized = 0;
    MPI_Initialized(&initialized);
    if (initialized != 0) return;
    int provided = MPI_THREAD_SINGLE;
    MPI_Init_thread(nullptr, nullptr, MPI_THREAD_MULTIPLE, &provided);
    ASSERT_EQ(provided, MPI_THREAD_MULTIPLE);
  }
};

}  // namespace rondo::internal::test
