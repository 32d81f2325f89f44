// The grid that is transformed, and which of its planes each rank has.
//
// SPDX-License-Identifier: BSD-3-Clause
#ifndef FFT_GRID_HPP
#define FFT_GRID_HPP

#include <cstddef>
#include <string>
#include <vector>

namespace fft {

// Elements in each direction; z runs fastest in memory.
struct Grid {
  int x = 0;
  int y = 0;
  int z = 0;
};

[[nodiscard]] inline long long elements(const Grid &grid) {
  return static_cast<long long>(grid.x) * grid.y * grid.z;
}

// The planes of one direction: rank r has `sizes[r]` of them from `firsts[r]` on.
struct Slabs {
  std::vector<int> sizes;
  std::vector<int> firsts;
};

// A rank has the same number of planes as any other, or one more.
[[nodiscard]] Slabs even_slabs(int planes, int ranks);
// A rank has `block` planes; the last ones that have any may have fewer, those behind have none.
[[nodiscard]] Slabs block_slabs(int planes, int ranks, int block);

// Before the exchange a rank has all y of some x, behind it all x of some y.
struct Problem {
  Grid grid;
  int x_block = 0;  // planes a rank; 0: even slabs
  int y_block = 0;
  Slabs x;
  Slabs y;
};

// The elements of a rank's slab of x, and of y.
[[nodiscard]] std::size_t slab_of_x(const Problem &problem, int rank);
[[nodiscard]] std::size_t slab_of_y(const Problem &problem, int rank);

// From the options --size and --decomposition, which may be empty, as options.hpp tells them. Throws
// std::invalid_argument, with the values, where they make no sense.
[[nodiscard]] Problem make_problem(const std::string &size, const std::string &decomposition, int ranks);

}  // namespace fft

#endif
