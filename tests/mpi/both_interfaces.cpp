// The public header and the internal ones in one program, as in one that links the library statically: names that both
// have are different types, and the public ones are what the program meets.

#include <memory>
#include <type_traits>

#include "api/hints.hpp"
#include "api/request_table.hpp"
#include "exchange/error.hpp"
#include "tests/mpi/comparison.hpp"
#include "wire/side.hpp"

namespace rondo {
namespace {

static_assert(!std::is_same_v<Error, internal::Error>);
static_assert(!std::is_same_v<Hints, internal::Hints>);
static_assert(!std::is_same_v<Side<int>, internal::Side>);

TEST(BothInterfaces, ErrorsAreThoseOfThePublicHeader) {
  Comparison comparison = Comparison::of(three);
  comparison.send.counts[0] = -1;

  EXPECT_THROW(static_cast<void>(comparison.plan()), CountError);
  EXPECT_THROW(internal::parse_hints(Hints{{"rondo_radix", "x"}}.info()), internal::Error);
}

TEST(BothInterfaces, APlanMovesData) {
  Comparison comparison = Comparison::of(varied);
  Request plan = comparison.plan(Hints{{"rondo_algorithm", "tuna"}});

  comparison.expect_restarts(plan);

  EXPECT_NE(internal::RequestTable::find(plan.native()), nullptr);
}

}  // namespace
}  // namespace rondo
