#include <gtest/gtest.h>

#include "exchange/error.hpp"
#include "exchange/exchange.hpp"

namespace rondo::internal {
namespace {

Exchange receiving(std::vector<Extent> extents) {
  Exchange exchange;
  exchange.send.resize(extents.size());
  exchange.receive = std::move(extents);
  return exchange;
}

Error overlap_of(const Exchange &exchange) {
  try {
    check_overlap(exchange);
  } catch (const Error &error) {
    return error;
  }
  return {Fault::none, "no error"};
}

TEST(CheckOverlap, NamesRanksAndBytes) {
  const Exchange exchange = receiving({{0, 8}, {100, 4}, {6, 10}});

  const Error error = overlap_of(exchange);

  EXPECT_EQ(error.fault, Fault::overlap);
  EXPECT_EQ(error.message(), "receive ranges overlap: bytes 0..8 from rank 0 and bytes 6..16 from rank 2");
  EXPECT_EQ(error.peer, 0);
  EXPECT_EQ(error.value, 6);
  EXPECT_EQ(error.other, 2);
}

TEST(CheckApart, NamesRanksAndBytes) {
  Error error(Fault::none, "no error");
  try {
    check_apart({{{40, 0}, 0}, {{24, 8}, 1}}, {{{28, 10}, 0}, {{0, 8}, 1}, {{8, 16}, 2}});
  } catch (const Error &thrown) {
    error = thrown;
  }

  EXPECT_EQ(error.fault, Fault::overlap);
  EXPECT_EQ(
      error.message(),
      "what is sent is overwritten: bytes 24..32 for rank 1 are bytes 28..38 from rank 0, counted from the receive "
      "buffer");
  EXPECT_EQ(error.peer, 1);
  EXPECT_EQ(error.value, 28);
  EXPECT_EQ(error.other, 0);
}

TEST(CheckApart, InterleavedRangesAreApart) {
  EXPECT_NO_THROW(check_apart({{{0, 8}, 0}, {{16, 8}, 1}}, {{{24, 8}, 0}, {{8, 8}, 1}, {{16, 0}, 2}}));
}

TEST(CheckApart, WhatIsSentMayOverlapItself) {
  EXPECT_NO_THROW(check_apart({{{0, 8}, 0}, {{4, 8}, 1}}, {{{12, 8}, 0}}));
}

TEST(CheckApart, BytesOfTheOwnBlockMayStayHoweverTheyAreCut) {
  EXPECT_NO_THROW(check_apart({{{0, 10}, 0, 0}, {{20, 6}, 0, 10}}, {{{0, 4}, 0, 0}, {{4, 6}, 0, 0}, {{20, 6}, 0, 10}}));
  EXPECT_THROW(check_apart({{{0, 10}, 0, 0}}, {{{0, 4}, 0, 0}, {{4, 6}, 0, 1}}), Error);
  EXPECT_THROW(check_apart({{{0, 10}, 0, 0}}, {{{0, 4}, 0, 0}, {{4, 6}, 1}}), Error);
}

TEST(CheckOverlap, OneRangeInsideAnother) {
  const Exchange exchange = receiving({{0, 100}, {200, 8}, {50, 1}});

  const Error error = overlap_of(exchange);

  EXPECT_EQ(error.message(), "receive ranges overlap: bytes 0..100 from rank 0 and bytes 50..51 from rank 2");
}

TEST(CheckOverlap, SameRangeTwice) {
  const Exchange exchange = receiving({{-8, 8}, {-8, 8}});

  const Error error = overlap_of(exchange);

  EXPECT_EQ(error.fault, Fault::overlap);
  EXPECT_EQ(error.value, -8);
}

TEST(CheckOverlap, TouchingRangesOutOfOrder) {
  const Exchange exchange = receiving({{16, 8}, {-8, 8}, {0, 16}});

  EXPECT_NO_THROW(check_overlap(exchange));
}

TEST(CheckOverlap, EmptyExtentNamesNothing) {
  const Exchange exchange = receiving({{0, 16}, {8, 0}, {8, 0}});

  EXPECT_NO_THROW(check_overlap(exchange));
}

TEST(CheckOverlap, SendRangesMayOverlap) {
  Exchange exchange = receiving({{0, 8}, {8, 8}});
  exchange.send = {{0, 8}, {0, 8}};

  EXPECT_NO_THROW(check_overlap(exchange));
}

TEST(CheckOverlap, BeyondFourGigabytes) {
  const std::int64_t far = std::int64_t{1} << 33;
  const Exchange exchange = receiving({{far, far}, {0, far + 1}});

  const Error error = overlap_of(exchange);

  EXPECT_EQ(error.message(),
            "receive ranges overlap: bytes 0..8589934593 from rank 1 and bytes 8589934592..17179869184 from rank 0");
}

TEST(ExchangePrint, OneLineAPeer) {
  Exchange exchange = receiving({{0, 8}, {-4, 2}});
  exchange.send = {{0, 8}, {8, 3}};

  const std::string text = to_string(exchange);

  EXPECT_EQ(text,
            "rank 0 of 2\n"
            "  rank    0: sends 8 bytes at 0, receives 8 bytes at 0\n"
            "  rank    1: sends 3 bytes at 8, receives 2 bytes at -4\n");
}

}  // namespace
}  // namespace rondo::internal
