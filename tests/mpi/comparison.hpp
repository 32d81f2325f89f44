// The generator and the oracle that the tests with ranks share: an alltoallv whose counts, displacements and data
// follow from a few rules, done by MPI_Alltoallv and by Rondo, and compared byte by byte, surroundings included.
#pragma once

#include <gtest/gtest.h>
#include <mpi.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <numeric>
#include <ostream>
#include <rondo/rondo.hpp>
#include <string>
#include <string_view>
#include <vector>

#include "tests/mpi/session.hpp"

namespace rondo {

// ---- The generator -----------------------------------------------------------------------------------------

// How many elements the source sends to the destination.
using CountRule = int (*)(int source, int destination);

inline int varied(int source, int destination) {
  return (5 * source + 3 * destination + source * destination) % 7;
}
inline int symmetric(int source, int destination) {
  return (source + destination) % 4 + source * destination % 3;
}
inline int three(int, int) {
  return 3;
}
inline int none(int, int) {
  return 0;
}
// Long enough for the wires' ways with long messages, and short ones among them.
inline int long_and_short(int source, int destination) {
  return (source + 2 * destination) % 3 == 1 ? 7 : 9000 + 100 * source + destination;
}
// The same on a rank that sends more than inboxes hold.
inline int very_long_and_short(int source, int destination) {
  return source == 0 && destination == 1 ? 430'000 : long_and_short(source, destination);
}
inline int rank_0_sends_all(int source, int) {
  return source == 0 ? 50 : 0;
}

// Where the blocks of one side lie, in elements.
struct Placement {
  int first = 0;           // displacement of the lowest block
  int gap = 0;             // between two blocks
  bool backwards = false;  // the block of the highest rank lies lowest
};

struct ArgumentSide {
  std::vector<int> counts;
  std::vector<int> displacements;
  MPI_Datatype type = MPI_INT;
};

inline ArgumentSide place(std::vector<int> counts, const Placement &placement, MPI_Datatype type) {
  ArgumentSide side{std::move(counts), {}, type};
  const std::size_t ranks = side.counts.size();
  side.displacements.resize(ranks);
  int next = placement.first;
  for (std::size_t i = 0; i < ranks; ++i) {
    const std::size_t peer = placement.backwards ? ranks - 1 - i : i;
    side.displacements[peer] = next;
    next += side.counts[peer] + placement.gap;
  }
  return side;
}

// The two sides of this rank of MPI_COMM_WORLD.
inline ArgumentSide sends(CountRule rule, const Placement &placement = {}, MPI_Datatype type = MPI_INT) {
  std::vector<int> counts;
  for (int peer = 0; peer < world_ranks(); ++peer) counts.push_back(rule(world_rank(), peer));
  return place(std::move(counts), placement, type);
}
inline ArgumentSide receives(CountRule rule, const Placement &placement = {}, MPI_Datatype type = MPI_INT) {
  std::vector<int> counts;
  for (int peer = 0; peer < world_ranks(); ++peer) counts.push_back(rule(peer, world_rank()));
  return place(std::move(counts), placement, type);
}

// ---- The oracle --------------------------------------------------------------------------------------------

// Room for all that a side names, with guard bytes before and after.
class GuardedBuffer {
 public:
  GuardedBuffer() = default;
  explicit GuardedBuffer(const ArgumentSide &side) {
    MPI_Aint lower_bound = 0;
    MPI_Aint extent = 0;
    MPI_Aint first = 0;
    MPI_Aint length = 0;
    MPI_Type_get_extent(side.type, &lower_bound, &extent);
    MPI_Type_get_true_extent(side.type, &first, &length);
    MPI_Aint low = 0;
    MPI_Aint high = 0;
    for (std::size_t peer = 0; peer < side.counts.size(); ++peer) {
      if (side.counts[peer] == 0) continue;
      for (const MPI_Aint element : {0, side.counts[peer] - 1}) {
        const MPI_Aint begin = (side.displacements[peer] + element) * extent + first;
        low = std::min(low, begin);
        high = std::max(high, begin + length);
      }
    }
    origin_ = guard - low;
    bytes_.resize(static_cast<std::size_t>(origin_ + high + guard));
  }

  // Bytes that are others for every seed.
  void fill(std::uint32_t seed) {
    std::uint32_t state = seed * 2654435761U + 1;
    for (std::byte &byte : bytes_) {
      state = state * 1664525U + 1013904223U;
      byte = static_cast<std::byte>(state >> 24);
    }
  }

  // The address that MPI gets.
  [[nodiscard]] void *base() { return bytes_.data() + origin_; }

  // The bytes around what the side names.
  [[nodiscard]] bool guards_are_as_in(const GuardedBuffer &other) const {
    return std::equal(bytes_.begin(), bytes_.begin() + guard, other.bytes_.begin()) &&
           std::equal(bytes_.end() - guard, bytes_.end(), other.bytes_.end() - guard);
  }

  [[nodiscard]] void *end() { return bytes_.data() + bytes_.size(); }

  // Where the first byte lies, counted from base(), that is not as in the other; empty when all are alike.
  [[nodiscard]] std::string difference(const GuardedBuffer &other) const {
    const auto [mine, its] = std::mismatch(bytes_.begin(), bytes_.end(), other.bytes_.begin(), other.bytes_.end());
    if (mine == bytes_.end()) return "";
    return "byte " + std::to_string(mine - bytes_.begin() - origin_) + " is " +
           std::to_string(std::to_integer<int>(*mine)) + ", not " + std::to_string(std::to_integer<int>(*its));
  }

 private:
  static constexpr std::ptrdiff_t guard = 64;

  std::vector<std::byte> bytes_;
  std::ptrdiff_t origin_ = 0;
};

// An exchange by Rondo on a communicator, whose ranks are those of MPI_COMM_WORLD, beside one by MPI_Alltoallv.
class Comparison {
 public:
  Comparison(ArgumentSide send_side, ArgumentSide receive_side, MPI_Comm comm = MPI_COMM_WORLD)
      : send(std::move(send_side)),
        receive(std::move(receive_side)),
        send_buffer(send),
        receive_buffer(receive),
        comm_(comm),
        expected_(receive) {}

  static Comparison of(CountRule rule, const Placement &send = {}, const Placement &receive = {}) {
    return {sends(rule, send), receives(rule, receive)};
  }
  // With MPI_IN_PLACE for the send buffer.
  static Comparison in_place(ArgumentSide receive_side) {
    Comparison comparison({}, std::move(receive_side));
    comparison.in_place_ = true;
    return comparison;
  }

  [[nodiscard]] const void *send_base() { return in_place_ ? MPI_IN_PLACE : send_buffer.base(); }

  int init(RONDO_Request *request, const Hints &hints = {}) {
    return RONDO_Alltoallv_init(send_base(), send.counts.data(), send.displacements.data(), send.type,
                                receive_buffer.base(), receive.counts.data(), receive.displacements.data(),
                                receive.type, comm_, hints.info(), request);
  }
  // The same; throws what init refuses.
  Request plan(const Hints &hints = {}) {
    RONDO_Request request = RONDO_REQUEST_NULL;
    detail::check(init(&request, hints));
    return Request(request);
  }
  // As an alltoall, which it must be.
  Request plan_alltoall(const Hints &hints = {}) {
    RONDO_Request request = RONDO_REQUEST_NULL;
    detail::check(RONDO_Alltoall_init(send_base(), in_place_ ? 0 : send.counts[0], send.type, receive_buffer.base(),
                                      receive.counts[0], receive.type, comm_, hints.info(), &request));
    return Request(request);
  }

  // New data on all ranks; collective, as it asks MPI_Alltoallv for the result.
  void prepare(int round) {
    const auto seed = static_cast<std::uint32_t>(1000 * round + world_rank());
    send_buffer.fill(seed);
    receive_buffer.fill(seed + 500);
    expected_ = receive_buffer;
    sent_ = send_buffer;
    MPI_Alltoallv(send_base(), send.counts.data(), send.displacements.data(), send.type, expected_.base(),
                  receive.counts.data(), receive.displacements.data(), receive.type, MPI_COMM_WORLD);
  }

  // After a wait: every byte of the receive buffer is as MPI_Alltoallv has it, and the send buffer is untouched.
  void expect_equal(const std::string &what = "") const {
    EXPECT_EQ(receive_buffer.difference(expected_), "") << "receive buffer " << what;
    EXPECT_EQ(send_buffer.difference(sent_), "") << "send buffer " << what;
  }

  void expect_restarts(Request &plan, int rounds = 3) {
    for (int round = 0; round < rounds; ++round) {
      prepare(round);
      plan.run();
      expect_equal("in round " + std::to_string(round));
    }
  }

  ArgumentSide send;
  ArgumentSide receive;
  GuardedBuffer send_buffer;
  GuardedBuffer receive_buffer;

 private:
  MPI_Comm comm_;
  GuardedBuffer expected_;
  GuardedBuffer sent_;
  bool in_place_ = false;
};

// ---- Ways to do it -----------------------------------------------------------------------------------------

// Hints for what a test is repeated over.
struct Way {
  const char *algorithm;  // empty: whatever is chosen
  // "mixed": shared memory in pretended nodes of two ranks, packed messages between them; "attached": shared memory, of
  // which long messages are read through the kernel.
  const char *wire = "auto";
};

inline Hints by(const Way &way) {
  const std::string_view wire = way.wire;
  Hints hints{{"rondo_wire", wire == "mixed" || wire == "attached" ? "shared" : wire}};
  if (*way.algorithm != '\0') hints.set("rondo_algorithm", way.algorithm);
  if (wire == "mixed") hints.set("rondo_node_size", "2");
  if (wire == "attached") hints.set("rondo_long_messages", "attach");
  return hints;
}
inline Hints by(const char *algorithm) {
  return by(Way{algorithm});
}

// The same, driven by the progress thread.
inline Hints by_thread(const Way &way) {
  Hints hints = by(way);
  hints.set("rondo_progress", "thread");
  return hints;
}

// In messages, and in the names of tests.
inline std::string to_string(const Way &way) {
  return std::string(*way.algorithm == '\0' ? "chosen" : way.algorithm) + "_" + way.wire;
}
inline void PrintTo(const Way &way, std::ostream *out) {
  *out << to_string(way);
}
inline std::string way_name(const testing::TestParamInfo<Way> &info) {
  return to_string(info.param);
}

}  // namespace rondo
