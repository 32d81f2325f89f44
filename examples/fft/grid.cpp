// SPDX-License-Identifier: BSD-3-Clause
#include "grid.hpp"

#include <algorithm>
#include <charconv>
#include <limits>
#include <stdexcept>

namespace fft {
namespace {

// "4,5,6" as so many positive numbers.
std::vector<int> numbers(const std::string &option, const std::string &text, std::size_t count,
                         const std::string &form) {
  std::vector<int> values;
  const char *at = text.data();
  const char *const end = at + text.size();
  while (values.size() < count) {
    int value = 0;
    const auto [stop, fault] = std::from_chars(at, end, value);
    if (fault != std::errc() || value < 1) break;
    values.push_back(value);
    at = stop;
    if (at == end || *at != ',') break;
    ++at;
  }
  if (values.size() != count || at != end || text.back() == ',')
    throw std::invalid_argument(option + ": expected " + form + ", found '" + text + "'");
  return values;
}

// The settings of TuNA, section VI.A, for so many ranks. Of N1 some ranks have no planes, and others receive nothing;
// of N2 the last rank receives a quarter of what each of the others does.
Grid first_setting(int ranks) {
  return {std::max(1, ranks * 5 / 8), std::max(1, ranks * 25 / 32), 4};
}
Grid second_setting(int ranks) {
  return {ranks, (ranks - 1) * 32 + 8, 1};
}

Grid parse_grid(const std::string &size, int ranks) {
  if (size == "N1") return first_setting(ranks);
  if (size == "N2") return second_setting(ranks);
  const auto sizes = numbers("--size", size, 3, "NX,NY,NZ of at least 1, N1 or N2");
  const Grid grid{sizes[0], sizes[1], sizes[2]};
  // Before the product of three, which 64 bits may not hold.
  constexpr long long most = std::numeric_limits<int>::max();
  if (static_cast<long long>(grid.x) * grid.y > most || elements(grid) > most)
    throw std::invalid_argument("--size: " + size + " is more than " + std::to_string(most) + " elements");
  return grid;
}

int ceiling(int planes, int ranks) {
  return (planes - 1) / ranks + 1;
}

Slabs slabs(const char *direction, int planes, int ranks, int block) {
  if (block == 0) return even_slabs(planes, ranks);
  const long long held = static_cast<long long>(block) * ranks;
  if (held < planes)
    throw std::invalid_argument("--decomposition: blocks of " + std::to_string(block) + " planes on " +
                                std::to_string(ranks) + (ranks == 1 ? " rank" : " ranks") + " hold " +
                                std::to_string(held) + " of the " + std::to_string(planes) + " planes of " + direction);
  return block_slabs(planes, ranks, block);
}

}  // namespace

Slabs even_slabs(int planes, int ranks) {
  Slabs slabs;
  for (int rank = 0, first = 0; rank < ranks; ++rank) {
    slabs.firsts.push_back(first);
    slabs.sizes.push_back(planes / ranks + (rank < planes % ranks ? 1 : 0));
    first += slabs.sizes.back();
  }
  return slabs;
}

Slabs block_slabs(int planes, int ranks, int block) {
  Slabs slabs;
  for (int rank = 0, first = 0; rank < ranks; ++rank) {
    slabs.firsts.push_back(first);
    slabs.sizes.push_back(std::min(block, planes - first));
    first += slabs.sizes.back();
  }
  return slabs;
}

std::size_t slab_of_x(const Problem &problem, int rank) {
  return static_cast<std::size_t>(elements({problem.x.sizes[rank], problem.grid.y, problem.grid.z}));
}

std::size_t slab_of_y(const Problem &problem, int rank) {
  return static_cast<std::size_t>(elements({problem.grid.x, problem.y.sizes[rank], problem.grid.z}));
}

Problem make_problem(const std::string &size, const std::string &decomposition, int ranks) {
  Problem problem;
  problem.grid = parse_grid(size, ranks);
  if (decomposition == "blocks") {
    problem.x_block = ceiling(problem.grid.x, ranks);
    problem.y_block = ceiling(problem.grid.y, ranks);
  } else if (decomposition.empty() && size == "N2") {
    problem.x_block = 1;
    problem.y_block = 32;
  } else if (!decomposition.empty() && decomposition != "even") {
    const auto blocks = numbers("--decomposition", decomposition, 2, "even, blocks, or BX,BY of at least 1");
    problem.x_block = blocks[0];
    problem.y_block = blocks[1];
  }
  problem.x = slabs("x", problem.grid.x, ranks, problem.x_block);
  problem.y = slabs("y", problem.grid.y, ranks, problem.y_block);
  return problem;
}

}  // namespace fft
