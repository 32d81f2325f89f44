// A start, and the test or wait that completes it, allocate nothing: not in one step, not in many, on no wire.
//
// The program's own malloc counts the calls that are made while it is told to. MPI may allocate inside its calls,
// which is its own affair: what is counted is calls whose return address lies in Rondo, or in a library that only
// Rondo uses there (operator new calls malloc from libstdc++).

#include <dlfcn.h>

#include <array>
#include <cerrno>
#include <cstdlib>

#include "tests/mpi/comparison.hpp"

namespace {

constinit thread_local bool counting = false;
std::array<void *, 1000> callers;
std::size_t allocations = 0;

void count(void *caller) {
  if (!counting) return;
  if (allocations < callers.size()) callers[allocations] = caller;
  ++allocations;
}

}  // namespace

#pragma GCC visibility push(default)
extern "C" {
// glibc's own, under the names by which a program that replaces malloc may call them.
void *__libc_malloc(std::size_t bytes);
void *__libc_calloc(std::size_t number, std::size_t bytes);
void *__libc_realloc(void *old, std::size_t bytes);
void *__libc_memalign(std::size_t alignment, std::size_t bytes);

void *malloc(std::size_t bytes) {
  count(__builtin_return_address(0));
  return __libc_malloc(bytes);
}
void *calloc(std::size_t number, std::size_t bytes) {
  count(__builtin_return_address(0));
  return __libc_calloc(number, bytes);
}
void *realloc(void *old, std::size_t bytes) {
  count(__builtin_return_address(0));
  return __libc_realloc(old, bytes);
}
int posix_memalign(void **memory, std::size_t alignment, std::size_t bytes) {
  count(__builtin_return_address(0));
  *memory = __libc_memalign(alignment, bytes);
  return *memory == nullptr ? ENOMEM : 0;
}
void *aligned_alloc(std::size_t alignment, std::size_t bytes) {
  count(__builtin_return_address(0));
  return __libc_memalign(alignment, bytes);
}
}
#pragma GCC visibility pop

namespace rondo {
namespace {

std::string_view library_of(const void *address) {
  Dl_info info{};
  if (dladdr(address, &info) == 0 || info.dli_fname == nullptr) return "";
  const std::string_view path = info.dli_fname;
  return path.substr(path.rfind('/') + 1);
}

// Runs the work and says who allocated in it; MPI and the system apart.
template <class Work>
std::vector<std::string> allocating_libraries(Work &&work) {
  allocations = 0;
  counting = true;
  work();
  counting = false;
  std::vector<std::string> libraries;
  for (std::size_t i = 0; i < std::min(allocations, callers.size()); ++i) {
    const std::string_view library = library_of(callers[i]);
    for (const char *ours : {"librondo", "libstdc++", "libfmt", "mpi_start_does_nothing_else"}) {
      if (library.starts_with(ours)) libraries.emplace_back(library);
    }
  }
  return libraries;
}

using Nobody = std::vector<std::string>;

// ---- The counter counts --------------------------------------------------------------------------------------

TEST(AllocationCounter, SeesAStartThatAllocates) {
  Comparison comparison = Comparison::of(three);
  RONDO_Request request = RONDO_REQUEST_NULL;
  ASSERT_EQ(comparison.init(&request), MPI_SUCCESS);
  RONDO_Start(&request);

  const auto libraries = allocating_libraries([&] { RONDO_Start(&request); });  // is refused, which takes a message

  EXPECT_NE(libraries, Nobody());
  RONDO_Wait(&request, MPI_STATUS_IGNORE);
  RONDO_Request_free(&request);
}

TEST(AllocationCounter, SeesEveryWayToAllocate) {
  void *volatile kept = nullptr;

  EXPECT_EQ(allocating_libraries([&] { kept = std::malloc(1); }).size(), 1U);
  EXPECT_EQ(allocating_libraries([&] { kept = std::realloc(kept, 100); }).size(), 1U);
  std::free(kept);
  EXPECT_EQ(allocating_libraries([&] { kept = std::calloc(1, 1); }).size(), 1U);
  std::free(kept);
  EXPECT_EQ(allocating_libraries([&] { kept = ::operator new(1); }).size(), 1U);
  ::operator delete(kept);
  EXPECT_EQ(allocating_libraries([&] { kept = ::operator new(64, std::align_val_t{64}); }).size(), 1U);
  ::operator delete(kept, std::align_val_t{64});
}

// ---- Starts --------------------------------------------------------------------------------------------------

class StartBy : public testing::TestWithParam<Way> {
 protected:
  static void expect_no_allocation(Comparison comparison, const Hints &hints = by(GetParam())) {
    Request plan = comparison.plan(hints);
    RONDO_Request request = plan.native();
    for (int round = 0; round < 6; ++round) {
      comparison.prepare(round);

      const auto libraries = allocating_libraries([&] {
        RONDO_Start(&request);
        for (int flag = round % 2; flag == 0;) RONDO_Test(&request, &flag, MPI_STATUS_IGNORE);
        RONDO_Wait(&request, MPI_STATUS_IGNORE);
      });

      EXPECT_EQ(libraries, Nobody());
      comparison.expect_equal();
    }
  }
};
// After a start that was larger than all others.
class VaryingStartBy : public testing::TestWithParam<Way> {};
INSTANTIATE_TEST_SUITE_P(, VaryingStartBy,
                         testing::ValuesIn(std::vector<Way>{{"spread_out", "shared"},
                                                            {"spread_out", "packed"},
                                                            {"spread_out", "mixed"},
                                                            {"tuna", "shared"},
                                                            {"tuna", "packed"},
                                                            {"tuna", "mixed"}}),
                         way_name);

TEST_P(VaryingStartBy, TakesNoMemoryIfItIsNoLarger) {
  const auto ranks = static_cast<std::size_t>(world_ranks());
  VaryingAlltoallv<int> plan(MPI_COMM_WORLD, by(GetParam()));
  const std::vector<int> elements(ranks * 20000);
  std::vector<MPI_Count> counts(ranks);
  std::vector<MPI_Aint> displacements(ranks);
  void *received = nullptr;
  RONDO_Request request = plan.request().native();
  int started = 0;
  for (const MPI_Count count : {20000, 3, 20000, 900, 0, 7000, 12}) {
    counts.assign(ranks, count);

    const auto libraries = allocating_libraries([&] {
      RONDO_Start_counts(&request, elements.data(), counts.data(), nullptr);
      RONDO_Wait_counts(&request, &received, counts.data(), displacements.data());
    });

    if (started++ > 0) {
      EXPECT_EQ(libraries, Nobody()) << count;
    }
    EXPECT_EQ(counts.back(), count);
  }
}

INSTANTIATE_TEST_SUITE_P(, StartBy,
                         testing::ValuesIn(std::vector<Way>{{"linear", "shared"},
                                                            {"linear", "attached"},
                                                            {"linear", "packed"},
                                                            {"tuna", "shared"},
                                                            {"tuna", "packed"},
                                                            {"tuna", "mixed"},
                                                            {"two_phase_bruck", "packed"},
                                                            {"padded_bruck", "shared"},
                                                            {"native"}}),
                         way_name);

TEST_P(StartBy, ShortBlocks) {
  expect_no_allocation(Comparison::of(varied));
}

TEST_P(StartBy, LongBlocks) {
  expect_no_allocation(Comparison::of(very_long_and_short));
}

// Of the caller's own: waking the thread makes nothing either.
TEST_P(StartBy, BesideTheProgressThread) {
  expect_no_allocation(Comparison::of(long_and_short), by_thread(GetParam()));
}

TEST_P(StartBy, InPlace) {
  expect_no_allocation(Comparison::in_place(receives(symmetric)));
}

TEST_P(StartBy, TypesWithGaps) {
  MPI_Datatype every_other = MPI_DATATYPE_NULL;
  MPI_Type_vector(2, 1, 2, MPI_INT, &every_other);
  MPI_Type_commit(&every_other);

  expect_no_allocation({sends(varied, {}, every_other), receives(varied, {}, every_other)});

  MPI_Type_free(&every_other);
}

TEST(Start, WhileOtherPlansRun) {
  std::vector<Comparison> comparisons(3, Comparison::of(varied));
  std::vector<Request> plans;
  for (Comparison &comparison : comparisons) plans.push_back(comparison.plan(by({"tuna", "packed"})));
  for (Comparison &comparison : comparisons) comparison.prepare(1);

  const auto libraries = allocating_libraries([&] {
    for (Request &plan : plans) plan.start();
    for (Request &plan : plans) plan.wait();
  });

  EXPECT_EQ(libraries, Nobody());
  for (const Comparison &comparison : comparisons) comparison.expect_equal();
}

}  // namespace
}  // namespace rondo

int main(int argc, char **argv) {
  return rondo::run_tests(argc, argv, MPI_THREAD_MULTIPLE);
}
