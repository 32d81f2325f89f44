// Reads sparse matrices in the Matrix Market exchange format (Boisvert, Pozo, Remington, NISTIR 5935, 1996).
//
// Taken: coordinate files of real, integer or pattern entries (a pattern's values are 1), general or
// symmetric. Blank lines, comments after the banner, CRLF line ends and any case in the banner are fine. A
// symmetric file may give either triangle. A position that is given twice is an error: the format does not
// say what it would mean, and the usual cause is a symmetric file with both triangles in it.
//
// SPDX-License-Identifier: BSD-3-Clause
#ifndef EXAMPLE_MATRIX_MARKET_HPP
#define EXAMPLE_MATRIX_MARKET_HPP

#include <istream>
#include <string>

#include "shared/coordinate_matrix.hpp"

namespace example {

// Throws FileError, which names the line and what was expected there, or that the file cannot be opened.
[[nodiscard]] CoordinateMatrix read_matrix_market(const std::string &path);

// The same from a stream; file is its name in messages.
[[nodiscard]] CoordinateMatrix read_matrix_market(std::istream &stream, const std::string &file);

}  // namespace example

#endif
