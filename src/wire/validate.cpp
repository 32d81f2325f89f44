#include "wire/validate.hpp"

#include <vector>

#include "wire/agreement.hpp"
#include "wire/mpi_call.hpp"

namespace rondo::internal {

namespace {

void compare(const Exchange &exchange, const std::vector<std::int64_t> &announced) {
  for (int source = 0; source < exchange.ranks(); ++source) {
    const auto s = static_cast<std::size_t>(source);
    check_sizes_meet(source, announced[s], exchange.rank, exchange.receive[s].length);
  }
}

}  // namespace

void validate(const Exchange &exchange, const Channel &channel) {
  std::vector<std::int64_t> sent;
  std::vector<std::int64_t> announced;
  channel.duplicate->agreement().succeed_together([&] {
    for (const Extent &extent : exchange.send) sent.push_back(extent.length);
    announced.resize(sent.size());
  });
  channel.open_messages();
  check_mpi(MPI_Alltoall(sent.data(), 1, MPI_INT64_T, announced.data(), 1, MPI_INT64_T, channel.comm()),
            "MPI_Alltoall");
  channel.duplicate->agreement().succeed_together([&] { compare(exchange, announced); });
}

std::vector<std::int64_t> sizes_of_all(const Exchange &exchange, const Topology &topology, bool in_place,
                                       const Channel &channel) {
  std::vector<std::int64_t> bytes;
  channel.duplicate->agreement().succeed_together([&] { bytes.resize(channel.ranks()); });
  const std::int64_t own = exchange.send.front().length;
  channel.open_messages();
  check_mpi(MPI_Allgather(&own, 1, MPI_INT64_T, bytes.data(), 1, MPI_INT64_T, channel.comm()), "MPI_Allgather");
  channel.duplicate->agreement().succeed_together([&] {
    for (int source = 0; source < channel.ranks(); ++source) {
      const bool stays = in_place && source == exchange.rank;
      if (stays || !exchange.kind->receives(topology, exchange.rank, source)) continue;
      const auto s = static_cast<std::size_t>(source);
      check_sizes_meet(source, bytes[s], exchange.rank, exchange.receive[s].length);
    }
  });
  return bytes;
}

}  // namespace rondo::internal
