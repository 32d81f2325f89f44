#pragma once

#include <mpi.h>

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>

namespace rondo::internal {

// What messages of the MPI library's cost between nodes, in nanoseconds. 0 where it has not been measured.
struct MessageCost {
  std::int64_t step = 0;      // for one message to arrive, once both ranks are there
  std::int64_t message = 0;   // for each further one under way at the same time
  std::int64_t kibibyte = 0;  // for each KiB of a longer one
  std::int64_t asking = 0;    // for one of 64 KiB, beyond that: libraries ask the receiver before they send it
};

// What goes and comes while it is measured.
struct MessageData {
  static constexpr int most = 64 * 1024;

  std::array<std::byte, most> gone{};
  std::array<std::byte, most> come{};
};

// How long a rank was at what is measured, in nanoseconds by round and kind of messages; 0 on ranks that do not send.
struct MessageTimes {
  static constexpr std::size_t rounds = 4;
  static constexpr std::size_t kinds = 4;

  // Where each time is that of the slowest rank. The quickest round counts, as others may have been interrupted.
  [[nodiscard]] MessageCost cost() const;

  std::array<std::int64_t, rounds * kinds> nanoseconds{};
};

// Measures it: the first rank of each node sends to that of the next, and receives from that of the one before, again
// and again. Collective over the ranks of the communicator, of which node_of is the map; needs a tag that nothing else
// is under way with. Takes no memory; throws where MPI fails.
MessageTimes measure_messages(MPI_Comm comm, int rank, int tag, std::span<const int> node_of, MessageData &data);

}  // namespace rondo::internal
