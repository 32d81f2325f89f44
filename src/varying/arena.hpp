#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "varying/raw_memory.hpp"

namespace rondo::internal {

// Memory for the blocks that rest on this rank in one start, as large as the largest start so far has needed. What has
// been taken stays where it is until all is given back at once.
class Arena {
 public:
  std::byte *take(std::int64_t bytes) {
    bytes = (bytes + granule - 1) / granule * granule;
    if (chunks_.empty() || used_ + bytes > chunks_.back().size()) grow(bytes);
    std::byte *const taken = chunks_.back().data() + used_;
    used_ += bytes;
    return taken;
  }
  void give_all_back() {
    if (chunks_.size() > 1) chunks_.erase(chunks_.begin(), chunks_.end() - 1);
    used_ = 0;
  }
  [[nodiscard]] std::int64_t bytes() const {
    std::int64_t sum = 0;
    for (const RawMemory &chunk : chunks_) sum += chunk.size();
    return sum;
  }

 private:
  static constexpr std::int64_t granule = 64;
  static constexpr std::int64_t least = 4096;

  // The new chunk alone can hold all that has been taken so far and as much again, so that it alone is kept.
  void grow(std::int64_t bytes) {
    chunks_.emplace_back(std::max(least, 2 * (this->bytes() + bytes)));
    used_ = 0;
  }

  std::vector<RawMemory> chunks_;
  std::int64_t used_ = 0;  // of the last one
};

}  // namespace rondo::internal
