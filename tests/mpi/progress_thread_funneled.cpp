// rondo_progress=thread in a program that has initialised MPI at MPI_THREAD_FUNNELED: good for plans whose messages all
// go through shared memory.

#include "tests/mpi/comparison.hpp"
#include "tests/mpi/refusal.hpp"

namespace rondo {
namespace {

TEST(AtFunneled, SharedMemoryIsServed) {
  Comparison comparison = Comparison::of(long_and_short);
  Request plan = comparison.plan(by_thread({"tuna", "shared"}));

  comparison.expect_restarts(plan);
}

TEST(AtFunneled, MessagesOfMpiAreRefused) {
  for (const Way &way : {Way{"tuna", "packed"}, Way{"linear", "datatype"}, Way{"native"}}) {
    Comparison comparison = Comparison::of(three);
    RONDO_Request request = RONDO_REQUEST_NULL;

    const Refusal refusal = refused(comparison.init(&request, by_thread(way)));

    EXPECT_EQ(refusal.code, RONDO_ERR_HINT);
    EXPECT_EQ(refusal.message,
              "rank 0: rondo_progress=thread needs MPI_THREAD_MULTIPLE where messages go through MPI; the program has "
              "MPI_THREAD_FUNNELED")
        << to_string(way);
    EXPECT_EQ(request, RONDO_REQUEST_NULL);
  }
}

}  // namespace
}  // namespace rondo

int main(int argc, char **argv) {
  return rondo::run_tests(argc, argv, MPI_THREAD_FUNNELED);
}
