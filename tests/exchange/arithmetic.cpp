#include <gtest/gtest.h>

#include <cstdint>
#include <limits>

#include "exchange/error.hpp"
#include "exchange/exchange.hpp"

namespace rondo::internal {
namespace {

constexpr std::int64_t largest = std::numeric_limits<std::int64_t>::max();
constexpr std::int64_t smallest = std::numeric_limits<std::int64_t>::min();

template <class Compute>
Error error_of(Compute &&compute) {
  try {
    compute();
  } catch (const Error &error) {
    return error;
  }
  return {Fault::none, "no error"};
}

TEST(CheckedAdd, UpToTheLimits) {
  EXPECT_EQ(checked_add(largest - 1, 1, "a sum"), largest);
  EXPECT_EQ(checked_add(smallest + 1, -1, "a sum"), smallest);
  EXPECT_EQ(checked_add(largest, smallest, "a sum"), -1);
}

TEST(CheckedAdd, OverflowNamesBothValues) {
  const Error error = error_of([] { checked_add(largest, 1, "scratch"); });

  EXPECT_EQ(error.fault, Fault::count);
  EXPECT_EQ(error.message(), "scratch does not fit in 64 bits: 9223372036854775807 + 1");
  EXPECT_EQ(error.value, largest);
  EXPECT_EQ(error.other, 1);
}

TEST(CheckedAdd, UnderflowNamesBothValues) {
  const Error error = error_of([] { checked_add(smallest, -2, "an offset"); });

  EXPECT_EQ(error.message(), "an offset does not fit in 64 bits: -9223372036854775808 + -2");
}

TEST(CheckedMultiply, UpToTheLimits) {
  EXPECT_EQ(checked_multiply(std::int64_t{1} << 31, std::int64_t{1} << 31, "a product"), std::int64_t{1} << 62);
  EXPECT_EQ(checked_multiply(smallest, 1, "a product"), smallest);
  EXPECT_EQ(checked_multiply(largest, 0, "a product"), 0);
}

TEST(CheckedMultiply, OverflowNamesBothValues) {
  const Error error = error_of([] { checked_multiply(std::int64_t{1} << 32, std::int64_t{1} << 31, "scratch"); });

  EXPECT_EQ(error.fault, Fault::count);
  EXPECT_EQ(error.message(), "scratch does not fit in 64 bits: 4294967296 * 2147483648");
  EXPECT_EQ(error.value, std::int64_t{1} << 32);
  EXPECT_EQ(error.other, std::int64_t{1} << 31);
}

TEST(CheckedMultiply, NegativeOfTheSmallestOverflows) {
  const Error error = error_of([] { checked_multiply(smallest, -1, "a displacement"); });

  EXPECT_EQ(error.message(), "a displacement does not fit in 64 bits: -9223372036854775808 * -1");
}

TEST(ErrorMessage, IsWhatWhatSays) {
  const Error error = Error(Fault::count, "three is not two").with_peer(5).with_values(3, 2);

  EXPECT_STREQ(error.what(), "three is not two");
  EXPECT_EQ(error.rank, -1);
  EXPECT_EQ(error.peer, 5);
  EXPECT_EQ(error.value, 3);
  EXPECT_EQ(error.other, 2);
}

}  // namespace
}  // namespace rondo::internal
