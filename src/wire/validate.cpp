#include "wire/validate.hpp"

#include <fmt/format.h>

#include <array>
#include <vector>

#include "wire/agreement.hpp"
#include "wire/mpi_call.hpp"

namespace rondo {

namespace {

void compare(const Exchange &exchange, const std::vector<std::int64_t> &announced) {
  for (int source = 0; source < exchange.ranks(); ++source) {
    const std::int64_t sent = announced[static_cast<std::size_t>(source)];
    const std::int64_t expected = exchange.receive[static_cast<std::size_t>(source)].length;
    if (sent == expected) continue;
    throw Error(Fault::mismatch, fmt::format("rank {} sends {} bytes to rank {}, which receives {} bytes", source, sent,
                                             exchange.rank, expected))
        .with_peer(source)
        .with_values(sent, expected);
  }
}

}  // namespace

void validate(const Exchange &exchange, const Channel &channel) {
  std::vector<std::int64_t> sent;
  std::vector<std::int64_t> announced;
  std::array<std::int64_t, 1> nothing{};
  agree(channel.comm(), nothing, fault_of([&] {
          for (const Extent &extent : exchange.send) sent.push_back(extent.length);
          announced.resize(sent.size());
        }));
  check_mpi(MPI_Alltoall(sent.data(), 1, MPI_INT64_T, announced.data(), 1, MPI_INT64_T, channel.comm()),
            "MPI_Alltoall");
  agree(channel.comm(), nothing, fault_of([&] { compare(exchange, announced); }));
}

}  // namespace rondo
