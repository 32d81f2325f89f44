#pragma once

#include <memory>
#include <vector>

#include "cli/block_sizes.hpp"
#include "exchange/exchange.hpp"

namespace rondo::internal::cli {

// What one rank of a problem sends and receives. Blocks lie one after the other with the problem's gap before
// each; in shuffled problems not in the order of ranks. The cut is the algorithm's, where blocks are segments.
Exchange exchange_of(const Problem &problem, const BlockSizes &sizes, int rank,
                     const std::shared_ptr<const Cut> &cut = nullptr);

// The same for all ranks.
std::vector<Exchange> exchanges(const Problem &problem, const std::shared_ptr<const Cut> &cut = nullptr);

}  // namespace rondo::internal::cli
