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

  // Where a block lies that the other has told of. At the first the file has to be there; from then on it is mapped.
  // Null at the first where it cannot be, as this process may open no more files, or has no room for more.
  const std::byte *find(const SharedBlock &block) {
    if (begin_ == nullptr && !map(block)) [[unlikely]]
      return nullptr;
    return begin_ + block.offset;
  }

 private:
  bool map(const SharedBlock &block);

  std::byte *begin_ = nullptr;
  std::int64_t bytes_ = 0;
};

}  // namespace rondo::internal
