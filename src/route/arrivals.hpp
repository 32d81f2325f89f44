#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "route/route.hpp"

namespace rondo::internal {

struct Arrival {
  Block block;
  int step;
  std::uint32_t entry;  // in Route::receives
};

// What one rank receives, by block.
class Arrivals {
 public:
  explicit Arrivals(const Route &route);

  // Sorted by block, and by entry where a block comes again.
  [[nodiscard]] std::span<const Arrival> all() const { return arrivals_; }
  // The first of the block; null where it never comes.
  [[nodiscard]] const Arrival *find(const Block &block) const;

 private:
  std::vector<Arrival> arrivals_;
};

}  // namespace rondo::internal
