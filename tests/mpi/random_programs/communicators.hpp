#pragma once

// The communicators that the programs of one thread run on, one of each kind.

#include <mpi.h>

#include <array>
#include <vector>

#include "tests/mpi/random_programs/program.hpp"

namespace rondo::random_programs {

// A communicator as an exchange sees it.
struct Place {
  MPI_Comm comm = MPI_COMM_NULL;
  int rank = 0;
  int ranks = 1;                    // that blocks come from: of the other group on an intercommunicator
  std::vector<int> sources{};       // of the blocks that this rank receives, in their order; all but on a graph
  std::vector<int> destinations{};  // of those that it sends
  int own_group = 0;                // of two
};

class Communicators {
 public:
  // Collective over `base`, of which they are made; of another shape for each seed.
  Communicators(MPI_Comm base, std::uint64_t seed);
  ~Communicators();
  Communicators(const Communicators &) = delete;
  Communicators &operator=(const Communicators &) = delete;

  [[nodiscard]] const Place &place(Group group) const { return places_[static_cast<std::size_t>(group)]; }
  // Without the communicators that have been freed.
  void free_all();

 private:
  Place &at(Group group) { return places_[static_cast<std::size_t>(group)]; }
  void fill(Group group, MPI_Comm comm);
  void make_graph(MPI_Comm base, std::uint64_t seed);
  void make_two_groups(MPI_Comm base);

  std::array<Place, 6> places_{};
};

}  // namespace rondo::random_programs
