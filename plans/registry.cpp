#include <algorithm>
#include <array>

#include "plans/algorithm.hpp"

namespace rondo {

extern const Algorithm native, linear, spread_out, scattered, pairwise, exclusive_or;
extern const Algorithm basic_bruck, modified_bruck, zero_rotation_bruck, zero_copy_bruck;
extern const Algorithm padded_bruck, padded_alltoall, two_phase_bruck, sloav, tuna;

std::span<const Algorithm *const> algorithms() {
  // Where an estimate calls two equal, the earlier one is taken.
  static constexpr std::array table = {
      &native,          &spread_out,     &scattered,
      &linear,          &pairwise,       &exclusive_or,
      &basic_bruck,     &modified_bruck, &zero_rotation_bruck,
      &zero_copy_bruck, &padded_bruck,   &padded_alltoall,
      &two_phase_bruck, &sloav,          &tuna,
  };
  return table;
}

const Algorithm *find_algorithm(std::string_view name) {
  const auto table = algorithms();
  const auto found = std::find_if(table.begin(), table.end(), [&](const Algorithm *a) { return a->name == name; });
  return found == table.end() ? nullptr : *found;
}

Parameters effective(const Algorithm &algorithm, const Parameters &wished, int ranks) {
  // 32 is the batch that MPICH's own scattered all-to-all uses (MPIR_CVAR_ALLTOALL_THROTTLE).
  constexpr int default_block_count = 32;
  const int block_count = wished.block_count > 0 ? wished.block_count : default_block_count;
  const int radix = wished.radix > 0 ? wished.radix : 2;
  return {.radix = algorithm.takes_radix ? std::min(radix, std::max(2, ranks)) : 0,
          .block_count = algorithm.takes_block_count ? std::clamp(block_count, 1, std::max(1, ranks - 1)) : 0};
}

}  // namespace rondo
