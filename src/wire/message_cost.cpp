#include "wire/message_cost.hpp"

#include <algorithm>
#include <array>
#include <chrono>

#include "wire/await.hpp"
#include "wire/mpi_call.hpp"

namespace rondo::internal {

namespace {

constexpr int burst = 8;

// The first rank of the node after this one's, and of the one before; the nodes are numbered by their first ranks.
struct Neighbors {
  bool speaks = true;  // this rank is the first of its node
  int after = -1;
  int before = -1;
};

Neighbors neighbors_of(int rank, std::span<const int> node_of) {
  const auto first_of = [&](int node) {
    return static_cast<int>(std::find(node_of.begin(), node_of.end(), node) - node_of.begin());
  };
  const int nodes = 1 + *std::max_element(node_of.begin(), node_of.end());
  const int own = node_of[rank];
  return {first_of(own) == rank, first_of((own + 1) % nodes), first_of((own + nodes - 1) % nodes)};
}

constexpr int kibibyte = 1024;

// Messages that are sent at once, so many of so many bytes.
struct Kind {
  int messages;
  int bytes;
};
constexpr int few = 8;
constexpr int longer = 48 * kibibyte;  // which all libraries send at once
constexpr std::array<Kind, MessageTimes::kinds> all_kinds{
    {{1, few}, {burst, few}, {1, longer}, {1, MessageData::most}}};

// Until so many messages have gone, and as many have come.
void shift(MPI_Comm comm, int tag, const Neighbors &neighbors, const Kind &kind, MessageData &data) {
  std::array<MPI_Request, 2 * burst> requests{};
  for (int i = 0; i < kind.messages; ++i) {
    check_mpi(
        MPI_Irecv(&data.come[i * kind.bytes], kind.bytes, MPI_BYTE, neighbors.before, tag, comm, &requests[2 * i]),
        "MPI_Irecv");
    check_mpi(MPI_Isend(data.gone.data(), kind.bytes, MPI_BYTE, neighbors.after, tag, comm, &requests[2 * i + 1]),
              "MPI_Isend");
  }
  for (int i = 0; i < 2 * kind.messages; ++i) await(&requests[i], nullptr);
}

}  // namespace

// A rank that comes late to a shift finds its message there, and its time says nothing; the others have waited for it.
// Of several shifts in a row the slowest rank's time does: on few nodes no rank can be far ahead, and on many the one
// after a late rank has waited for it.
MessageTimes measure_messages(MPI_Comm comm, int rank, int tag, std::span<const int> node_of, MessageData &data) {
  using std::chrono::steady_clock;
  constexpr int in_a_row = 8;
  MessageTimes times;
  const Neighbors neighbors = neighbors_of(rank, node_of);
  if (!neighbors.speaks) return times;
  auto time = times.nanoseconds.begin();
  for (std::size_t round = 0; round < MessageTimes::rounds; ++round) {
    for (const Kind &kind : all_kinds) {
      const auto begin = steady_clock::now();
      for (int i = 0; i < in_a_row; ++i) shift(comm, tag, neighbors, kind, data);
      *time++ = std::chrono::nanoseconds(steady_clock::now() - begin).count() / in_a_row;
    }
  }
  return times;
}

MessageCost MessageTimes::cost() const {
  std::array<std::int64_t, kinds> least{};
  for (std::size_t kind = 0; kind < kinds; ++kind) {
    least[kind] = nanoseconds[kind];
    for (std::size_t round = 1; round < rounds; ++round) {
      least[kind] = std::min(least[kind], nanoseconds[round * kinds + kind]);
    }
  }
  const auto &[any, many, one_longer, one_longest] = least;
  const std::int64_t one = std::min(any, many);
  const std::int64_t further = std::max(one / burst, (many - one) / (burst - 1));
  const std::int64_t of_kibibyte = std::max<std::int64_t>(0, one_longer - one) * kibibyte / longer;
  const std::int64_t at_once = one + of_kibibyte * MessageData::most / kibibyte;
  return {one, further, of_kibibyte, std::max<std::int64_t>(0, one_longest - at_once)};
}

}  // namespace rondo::internal
