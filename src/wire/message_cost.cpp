#include "wire/message_cost.hpp"

#include <algorithm>
#include <array>
#include <chrono>
#include <limits>

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
constexpr int longer = 48 * kibibyte;  // which all libraries send at once
constexpr int longest = MessageData::most;

// Seconds until so many messages have gone, and as many have come.
double shift(MPI_Comm comm, int tag, const Neighbors &neighbors, int messages, int bytes, MessageData &data) {
  std::array<MPI_Request, 2 * burst> requests{};
  const auto begin = std::chrono::steady_clock::now();
  for (int i = 0; i < messages; ++i) {
    check_mpi(MPI_Irecv(&data.come[i * bytes], bytes, MPI_BYTE, neighbors.before, tag, comm, &requests[2 * i]),
              "MPI_Irecv");
    check_mpi(MPI_Isend(data.gone.data(), bytes, MPI_BYTE, neighbors.after, tag, comm, &requests[2 * i + 1]),
              "MPI_Isend");
  }
  for (int i = 0; i < 2 * messages; ++i) await(&requests[i], nullptr);
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
}

}  // namespace

MessageCost measure_messages(MPI_Comm comm, int rank, int tag, std::span<const int> node_of, MessageData &data) {
  const Neighbors neighbors = neighbors_of(rank, node_of);
  if (!neighbors.speaks) return {};
  constexpr int few = 8;
  constexpr double never = std::numeric_limits<double>::max();
  double one = never;
  double many = never;
  double one_longer = never;
  double one_longest = never;
  constexpr int repetitions = 20;
  for (int repetition = 0; repetition < repetitions; ++repetition) {
    one = std::min(one, shift(comm, tag, neighbors, 1, few, data));
    many = std::min(many, shift(comm, tag, neighbors, burst, few, data));
    one_longer = std::min(one_longer, shift(comm, tag, neighbors, 1, longer, data));
    one_longest = std::min(one_longest, shift(comm, tag, neighbors, 1, longest, data));
  }
  one = std::min(one, many);
  const auto nanoseconds = [](double seconds) { return static_cast<std::int64_t>(std::max(0.0, seconds) * 1e9); };
  const double further = std::max(one / burst, (many - one) / (burst - 1));
  const double of_kibibyte = std::max(0.0, one_longer - one) * kibibyte / longer;
  const double at_once = one + of_kibibyte * longest / kibibyte;
  return {nanoseconds(one), nanoseconds(further), nanoseconds(of_kibibyte), nanoseconds(one_longest - at_once)};
}

}  // namespace rondo::internal
