#pragma once

#include <cstdint>
#include <vector>

#include "cli/block_sizes.hpp"

namespace rondo::internal::cli {

// What one rank of a problem sends, in rank order.
inline std::vector<std::int64_t> sizes_of_source(const Problem &problem, int source) {
  const BlockSizes sizes(problem);
  std::vector<std::int64_t> row;
  for (int destination = 0; destination < problem.ranks; ++destination) row.push_back(sizes(source, destination));
  return row;
}

// What all ranks send, in rank order.
inline std::vector<std::int64_t> all_sizes(const Problem &problem) {
  std::vector<std::int64_t> all;
  for (int source = 0; source < problem.ranks; ++source) {
    const auto row = sizes_of_source(problem, source);
    all.insert(all.end(), row.begin(), row.end());
  }
  return all;
}

}  // namespace rondo::internal::cli
