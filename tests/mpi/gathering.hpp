// An all-gather in one group or between two, by MPI_Allgatherv and by Rondo, and compared byte by byte.
#pragma once

#include <algorithm>

#include "tests/mpi/comparison.hpp"

namespace rondo {

// How many elements a rank of MPI_COMM_WORLD has for the others.
using SizeRule = int (*)(int rank);

inline int arithmetic(int rank) {
  return 3 * rank;
}
inline int equal(int) {
  return 12;
}
inline int empty(int) {
  return 0;
}
inline int one_has_all(int rank) {
  return rank == 1 ? 5000 : 0;
}
// Together more than inboxes hold.
inline int long_ones(int rank) {
  return 400'000 / std::max(1, world_ranks() - 1) + 1000 * rank;
}

// MPI_COMM_WORLD, or its first `first` ranks and the others as the groups of an intercommunicator.
class Groups {
 public:
  explicit Groups(int first = 0) : first_(first), comm_(MPI_COMM_WORLD) {
    if (first == 0) return;
    const int leader_of_others = in_first() ? first : 0;
    MPI_Comm_split(MPI_COMM_WORLD, in_first() ? 0 : 1, world_rank(), &own_);
    MPI_Intercomm_create(own_, 0, MPI_COMM_WORLD, leader_of_others, 7, &comm_);
  }
  ~Groups() {
    free();
    if (own_ != MPI_COMM_NULL) MPI_Comm_free(&own_);
  }
  Groups(const Groups &) = delete;
  Groups &operator=(const Groups &) = delete;

  void free() {
    if (first_ > 0 && comm_ != MPI_COMM_NULL) MPI_Comm_free(&comm_);
  }
  [[nodiscard]] MPI_Comm comm() const { return comm_; }
  // Ranks of MPI_COMM_WORLD from which this one receives.
  [[nodiscard]] std::vector<int> sources() const {
    const int from = first_ > 0 && in_first() ? first_ : 0;
    const int to = first_ > 0 && !in_first() ? first_ : world_ranks();
    std::vector<int> sources;
    for (int rank = from; rank < to; ++rank) sources.push_back(rank);
    return sources;
  }

 private:
  [[nodiscard]] bool in_first() const { return world_rank() < first_; }

  int first_;
  MPI_Comm comm_;
  MPI_Comm own_ = MPI_COMM_NULL;
};

inline ArgumentSide what_is_sent(SizeRule rule, MPI_Datatype type) {
  return place({rule(world_rank())}, {}, type);
}

inline ArgumentSide what_is_received(const Groups &groups, SizeRule rule, const Placement &placement,
                                     MPI_Datatype type) {
  std::vector<int> counts;
  for (const int source : groups.sources()) counts.push_back(rule(source));
  return place(std::move(counts), placement, type);
}

// One all-gather by Rondo and by MPI.
class Gathering {
 public:
  Gathering(const Groups &groups, SizeRule rule, const Placement &placement = {}, MPI_Datatype send_type = MPI_INT,
            MPI_Datatype receive_type = MPI_INT)
      : comm_(groups.comm()),
        send(what_is_sent(rule, send_type)),
        receive(what_is_received(groups, rule, placement, receive_type)),
        send_buffer(send),
        receive_buffer(receive) {}

  void send_in_place() { in_place_ = true; }

  int init(RONDO_Request *request, const Hints &hints) {
    return RONDO_Allgatherv_init(send_base(), send.counts[0], send.type, receive_buffer.base(), receive.counts.data(),
                                 receive.displacements.data(), receive.type, comm_, hints.info(), request);
  }
  Request plan(const Hints &hints) {
    RONDO_Request request = RONDO_REQUEST_NULL;
    detail::check(init(&request, hints));
    return Request(request);
  }

  void expect_restarts(Request &plan) {
    for (int round = 0; round < 3; ++round) {
      const auto seed = static_cast<std::uint32_t>(1000 * round + world_rank());
      send_buffer.fill(seed);
      receive_buffer.fill(seed + 500);
      GuardedBuffer expected = receive_buffer;
      const GuardedBuffer sent = send_buffer;
      MPI_Allgatherv(send_base(), send.counts[0], send.type, expected.base(), receive.counts.data(),
                     receive.displacements.data(), receive.type, comm_);
      plan.run();
      EXPECT_EQ(receive_buffer.difference(expected), "") << "receive buffer in round " << round;
      EXPECT_EQ(send_buffer.difference(sent), "") << "send buffer in round " << round;
    }
  }

  [[nodiscard]] const void *send_base() { return in_place_ ? MPI_IN_PLACE : send_buffer.base(); }

 private:
  MPI_Comm comm_;
  bool in_place_ = false;

 public:
  ArgumentSide send;
  ArgumentSide receive;
  GuardedBuffer send_buffer;
  GuardedBuffer receive_buffer;
};

struct GatherWay {
  const char *algorithm;
  int radix = 0;
  const char *wire = "auto";
};

inline Hints by(const GatherWay &way) {
  Hints hints = by(Way{way.algorithm, way.wire});
  if (way.radix > 0) hints.set("rondo_radix", std::to_string(way.radix));
  return hints;
}

inline void PrintTo(const GatherWay &way, std::ostream *out) {
  *out << way.algorithm << "_" << way.radix << "_" << way.wire;
}

}  // namespace rondo
