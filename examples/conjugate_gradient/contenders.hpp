// The ways to do one halo exchange that are measured against each other.
//
// SPDX-License-Identifier: BSD-3-Clause
#ifndef CONJUGATE_GRADIENT_CONTENDERS_HPP
#define CONJUGATE_GRADIENT_CONTENDERS_HPP

#include <mpi.h>

#include <functional>
#include <span>
#include <string>
#include <vector>

#include "halo.hpp"

namespace cg {

struct Contender {
  std::string name;
  double init_seconds;             // of this one, on the slowest rank
  double later_init_seconds;       // of others like it, median of a few
  std::function<void()> exchange;  // collective
};

// MPI_Alltoallv, the MPI library's persistent calls where it has them, and last Rondo's plan; all on the halo's
// own buffers. The halo outlives them. Collective.
[[nodiscard]] std::vector<Contender> make_contenders(Halo &halo, MPI_Comm comm);

// Runs each once and compares what it delivers: every element must be the number of its row. Throws
// CollectiveError when one does not. Collective.
void require_right_results(std::span<const Contender> contenders, const LocalBlock &block, Halo &halo, MPI_Comm comm);

}  // namespace cg

#endif
