// What the conjugate gradient method asks of a matrix, as far as it can be seen before solving.
//
// SPDX-License-Identifier: BSD-3-Clause
#ifndef CONJUGATE_GRADIENT_SUITABILITY_HPP
#define CONJUGATE_GRADIENT_SUITABILITY_HPP

#include "shared/coordinate_matrix.hpp"

namespace cg {

// Throws FileError, with the line and the values, unless the matrix is square and symmetric and has a
// positive diagonal. Whether it is positive definite shows only while solving.
//
// Symmetric means: a file with the banner 'symmetric', or one in which each entry differs from its mirror
// by at most 1e-12 of the larger; an entry that is not there counts as 0.
void require_suitable(const example::CoordinateMatrix &matrix);

}  // namespace cg

#endif
