// The stages of a run, each collective: from a file to rows on every rank, to a solution, to times.
//
// SPDX-License-Identifier: BSD-3-Clause
#ifndef CONJUGATE_GRADIENT_STAGES_HPP
#define CONJUGATE_GRADIENT_STAGES_HPP

#include <mpi.h>

#include "halo.hpp"
#include "options.hpp"
#include "partition.hpp"
#include "results.hpp"
#include "shared/progress.hpp"

namespace cg {

// What all stages share.
struct Run {
  const Options &options;
  MPI_Comm comm;
  example::Progress &progress;
  Results results;  // grows from stage to stage; complete on rank 0 only
};

// Rank 0 reads and checks the matrix; every rank gets its rows. Throws CollectiveError when the file is
// broken or the matrix is not one for conjugate gradients.
[[nodiscard]] LocalBlock read_matrix(Run &run);

// Solves for the right-hand side A * ones.
void solve_for_ones(Run &run, const LocalBlock &block, Halo &halo);

// Times the halo exchange by MPI's calls and by Rondo's plan.
void measure_exchange(Run &run, const LocalBlock &block, Halo &halo);

// Writes the files that the options name, on rank 0, and says where. A chart that cannot be drawn is said
// and no fault; JSON that cannot be written throws CollectiveError.
void write_files(const Run &run);

}  // namespace cg

#endif
