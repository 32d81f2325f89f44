#pragma once

// The communicators of a random program, by place (script.hpp).

#include <mpi.h>

#include <array>
#include <cstdint>
#include <vector>

#include "script.hpp"

namespace rondo::random_programs {

// A communicator as an exchange needs it.
struct Group {
  MPI_Comm comm = MPI_COMM_NULL;
  int rank = 0, ranks = 0;
  std::vector<int> sources{}, destinations{};  // of a topology
  // Of an intercommunicator: the numbers in MPI_COMM_WORLD of this rank and of those on the other side.
  int number = 0;
  std::vector<int> others{};
};

using Groups = std::array<Group, places>;

constexpr int never_sent = 30000;  // a tag

// Collective over MPI_COMM_WORLD.
Groups open_groups(std::uint64_t seed, bool twice_neighbors);
void close_groups(Groups &groups);

}  // namespace rondo::random_programs
