#include "model/scratch.hpp"

namespace rondo::internal {

std::int64_t most_scratch(const Algorithm &algorithm, const Parameters &parameters, const Features &features) {
  // Leaders hold the blocks of whole nodes; others never more blocks at once than there are ranks.
  const Topology &topology = features.situation.topology;
  const bool leaders = algorithm.takes_leaders || algorithm.takes_pattern;
  const std::int64_t blocks = leaders ? algorithm.outline(topology, parameters).block_moves : topology.ranks;
  const std::int64_t row = blocks * features.situation.largest_block;
  switch (algorithm.layout) {
    case Layout::native:
    case Layout::direct: return 0;
    case Layout::padded_direct:
    case Layout::rotated_first:  // staging, both ways
    case Layout::unrotated: return 2 * row;
    case Layout::alternating_slots: return 4 * row;
    case Layout::compact:
    case Layout::slots:
    case Layout::padded:
    case Layout::gathered:
    case Layout::rotated:
    case Layout::alternating: break;
  }
  return 3 * row;
}

std::int64_t most_scratch_by_segments(const Algorithm &algorithm, const Estimate &estimate) {
  // Where every segment goes straight from its source, no scratch or staging is needed. Else a step may stage what it
  // sends and what it receives, and a root keeps the data of its own group: three times the bytes at most.
  return algorithm.layout == Layout::compact ? static_cast<std::int64_t>(3 * estimate.bytes) : 0;
}

}  // namespace rondo::internal
