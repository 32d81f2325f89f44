// Gives every rank its rows of a matrix that rank 0 holds.
//
// SPDX-License-Identifier: BSD-3-Clause
#ifndef CONJUGATE_GRADIENT_DISTRIBUTION_HPP
#define CONJUGATE_GRADIENT_DISTRIBUTION_HPP

#include <mpi.h>

#include "partition.hpp"

namespace cg {

// The matrix is looked at on rank 0 only. Collective.
[[nodiscard]] LocalBlock distribute(const CompressedRows &matrix, MPI_Comm comm);

}  // namespace cg

#endif
