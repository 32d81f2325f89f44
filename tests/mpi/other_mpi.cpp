// A program that runs on another MPI than Rondo was built on, or was started by another's launcher.

#include <cstdlib>
#include <cstring>

#include "tests/mpi/comparison.hpp"
#include "tests/mpi/refusal.hpp"

namespace {

constinit const char *pretended = nullptr;  // what the MPI library calls itself

}  // namespace

#pragma GCC visibility push(default)
extern "C" int MPI_Get_library_version(char *text, int *length) {
  if (pretended == nullptr) return PMPI_Get_library_version(text, length);
  std::strcpy(text, pretended);
  *length = static_cast<int>(std::strlen(text));
  return MPI_SUCCESS;
}
#pragma GCC visibility pop

namespace rondo {
namespace {

#if defined(OPEN_MPI)
constexpr const char *own = "Open MPI";
constexpr const char *other = "MPICH Version:\t4.0.2\nMPICH Release date:\tThu Apr  7";
constexpr const char *shown = "MPICH Version:\t4.0.2";
constexpr const char *own_ranks = "OMPI_COMM_WORLD_SIZE";
constexpr const char *other_ranks = "PMI_SIZE";
constexpr const char *other_rank = "PMI_RANK";
#else
constexpr const char *own = "MPICH";
constexpr const char *other = "Open MPI v4.1.4, package: Debian OpenMPI";
constexpr const char *shown = "Open MPI v4.1.4";
constexpr const char *own_ranks = "PMI_SIZE";
constexpr const char *other_ranks = "OMPI_COMM_WORLD_SIZE";
constexpr const char *other_rank = "OMPI_COMM_WORLD_RANK";
#endif

TEST(OtherMpi, IsRefusedByName) {
  Comparison comparison = Comparison::of(varied);
  RONDO_Request request = RONDO_REQUEST_NULL;

  pretended = other;
  const Refusal refusal = refused(comparison.init(&request, {}));
  pretended = nullptr;

  EXPECT_EQ(refusal.code, RONDO_ERR_COMM);
  EXPECT_EQ(request, RONDO_REQUEST_NULL);
  EXPECT_EQ(
      refusal.message.find(std::string("Rondo was built on ") + own + ", but this program runs on " + shown + ":"), 0)
      << refusal.message;
}

TEST(OtherLauncher, IsToldOnceWhereEachProcessIsAJob) {
  if (world_ranks() > 1) GTEST_SKIP() << "this launcher is the right one";
  unsetenv(own_ranks);
  setenv(other_ranks, "2", 1);
  setenv(other_rank, "0", 1);
  Comparison comparison = Comparison::of(varied);

  testing::internal::CaptureStderr();
  Request first = comparison.plan();
  Request second = comparison.plan();
  const std::string text = testing::internal::GetCapturedStderr();

  EXPECT_EQ(text.find("has started 2 processes, but this program uses " + std::string(own)), text.rfind("has started "))
      << text;
  EXPECT_NE(text.find("start it with the mpiexec of " + std::string(own)), std::string::npos) << text;
}

}  // namespace
}  // namespace rondo
