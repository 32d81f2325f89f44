#pragma once

#include <sys/mman.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <new>
#include <utility>
#include <vector>

#include "wire/copy.hpp"

namespace rondo::internal {

// Memory that is not set to zero, from a cache line on; much of it in huge pages, where the system has them: its first
// use costs a fault for each page.
class RawMemory {
 public:
  RawMemory() = default;
  explicit RawMemory(std::int64_t bytes) : bytes_(allocate(bytes), Free{alignment_of(bytes)}), size_(bytes) {}
  RawMemory(RawMemory &&other) noexcept : bytes_(std::move(other.bytes_)), size_(std::exchange(other.size_, 0)) {}
  RawMemory &operator=(RawMemory &&other) noexcept {
    bytes_ = std::move(other.bytes_);
    size_ = std::exchange(other.size_, 0);
    return *this;
  }
  RawMemory(const RawMemory &) = delete;
  RawMemory &operator=(const RawMemory &) = delete;
  ~RawMemory() = default;

  [[nodiscard]] std::byte *data() const { return bytes_.get(); }
  [[nodiscard]] std::int64_t size() const { return size_; }

 private:
  static constexpr std::int64_t huge_page = std::int64_t{2} << 20;
  static constexpr std::int64_t least_huge = 2 * huge_page;

  static std::align_val_t alignment_of(std::int64_t bytes) {
    return std::align_val_t{static_cast<std::size_t>(bytes >= least_huge ? huge_page : cache_line)};
  }
  static std::byte *allocate(std::int64_t bytes) {
    const auto length = static_cast<std::size_t>(bytes);
    auto *const memory = static_cast<std::byte *>(::operator new[](length, alignment_of(bytes)));
    if (bytes >= least_huge) madvise(memory, length, MADV_HUGEPAGE);
    return memory;
  }

  struct Free {
    std::align_val_t alignment;
    void operator()(std::byte *bytes) const { ::operator delete[](bytes, alignment); }
  };
  std::unique_ptr<std::byte, Free> bytes_{nullptr, Free{alignment_of(0)}};
  std::int64_t size_ = 0;
};

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
