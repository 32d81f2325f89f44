#pragma once

// The SendMemory of another process of the node, as this one sees it.

#include <cstddef>
#include <cstdint>

#include "varying/send_memory.hpp"

namespace rondo::internal {

class PeerMemory {
 public:
  PeerMemory() = default;
  ~PeerMemory();
  PeerMemory(const PeerMemory &) = delete;
  PeerMemory &operator=(const PeerMemory &) = delete;

  // Where a block lies that the other has told of. The file has to be there for the first; from then on it is mapped.
  // Throws Error (no_memory) where it cannot be, as this process has no room for more, or the other is gone.
  const std::byte *find(const SharedBlock &block) {
    if (begin_ == nullptr) [[unlikely]]
      map(block);
    return begin_ + block.offset;
  }

 private:
  void map(const SharedBlock &block);

  std::byte *begin_ = nullptr;
  std::int64_t bytes_ = 0;
};

}  // namespace rondo::internal
