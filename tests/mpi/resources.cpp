// What init takes, free gives back: memory, descriptors, and the contexts of which MPI has few (MPICH about 2,000).

#include <unistd.h>

#include <filesystem>
#include <fstream>

#include "tests/mpi/comparison.hpp"

namespace rondo {
namespace {

// The memory of this process that is not shared with others.
long resident_bytes() {
  long pages = 0;
  long resident = 0;
  long shared = 0;
  std::ifstream("/proc/self/statm") >> pages >> resident >> shared;
  return (resident - shared) * sysconf(_SC_PAGESIZE);
}

// Descriptors of this process, and the regions of other processes that it has mapped.
std::ptrdiff_t descriptors() {
  return std::distance(std::filesystem::directory_iterator("/proc/self/fd"), {});
}
std::ptrdiff_t mapped_regions() {
  std::ifstream maps("/proc/self/maps");
  std::ptrdiff_t regions = 0;
  for (std::string line; std::getline(maps, line);) regions += line.find("memfd:") != std::string::npos ? 1 : 0;
  return regions;
}

// Does it often enough to run out of contexts; the first times may grow what is kept for later.
template <class Work>
void expect_no_leak(int times, Work &&work) {
  for (int i = 0; i < times / 5; ++i) work();
  const long before = resident_bytes();
  const std::ptrdiff_t descriptors_before = descriptors();
  const std::ptrdiff_t regions_before = mapped_regions();

  for (int i = times / 5; i < times; ++i) work();

  EXPECT_LT(resident_bytes() - before, 1 << 20);
  EXPECT_EQ(descriptors(), descriptors_before);
  EXPECT_EQ(mapped_regions(), regions_before);
}

class ResourcesBy : public testing::TestWithParam<Way> {};
INSTANTIATE_TEST_SUITE_P(, ResourcesBy,
                         testing::ValuesIn(std::vector<Way>{
                             {"linear", "packed"}, {"linear", "shared"}, {"tuna", "packed"}, {"native"}}),
                         way_name);

TEST_P(ResourcesBy, PlansOnOneCommunicator) {
  Comparison comparison = Comparison::of(three);
  const Hints hints = by(GetParam());

  // Open MPI 4.1 keeps some 200 bytes of every persistent collective of its own.
  const int times = std::string_view(GetParam().algorithm) == "native" ? 2500 : 10'000;
  expect_no_leak(times, [&] { Request plan = comparison.plan(hints); });
}

TEST(Resources, NonBlockingNativePlansWithTheirDuplicates) {
  Comparison comparison = Comparison::of(three);
  const Hints hints{{"rondo_algorithm", "native"}, {"rondo_native", "nonblocking"}};

  expect_no_leak(2500, [&] { Request plan = comparison.plan(hints); });
}

TEST(Resources, PlansWithDatatypes) {
  MPI_Datatype every_other = MPI_DATATYPE_NULL;
  MPI_Type_vector(2, 1, 2, MPI_INT, &every_other);
  MPI_Type_commit(&every_other);
  Comparison comparison(sends(three, {}, every_other), receives(three, {}, every_other));

  expect_no_leak(1000, [&] { Request plan = comparison.plan(); });

  MPI_Type_free(&every_other);
}

TEST(Resources, RefusedInits) {
  Comparison comparison = Comparison::of(three);
  comparison.send.counts[0] = -1;
  RONDO_Request request = RONDO_REQUEST_NULL;

  expect_no_leak(1000, [&] { EXPECT_EQ(comparison.init(&request), RONDO_ERR_COUNT); });
}

// The duplicate goes with its communicator.
TEST(Resources, CommunicatorsFreedAfterTheirPlans) {
  expect_no_leak(1500, [] {
    MPI_Comm comm = MPI_COMM_NULL;
    MPI_Comm_dup(MPI_COMM_WORLD, &comm);
    Comparison comparison(sends(three), receives(three), comm);
    comparison.plan();
    MPI_Comm_free(&comm);
  });
}

// Or with the last of its plans.
TEST(Resources, CommunicatorsFreedBeforeTheirPlans) {
  expect_no_leak(1500, [] {
    MPI_Comm comm = MPI_COMM_NULL;
    MPI_Comm_dup(MPI_COMM_WORLD, &comm);
    Comparison comparison(sends(three), receives(three), comm);
    const Request plan = comparison.plan();
    MPI_Comm_free(&comm);
  });
}

}  // namespace
}  // namespace rondo
