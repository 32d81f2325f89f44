#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <span>

#include "exchange/exchange.hpp"
#include "wire/copy.hpp"

namespace rondo::internal {

// Short runs are mostly of these lengths; their copies take no call.
inline void copy_stretch(std::byte *to, const std::byte *from, std::int64_t bytes) {
  switch (bytes) {
    case 4: std::memcpy(to, from, 4); return;
    case 8: std::memcpy(to, from, 8); return;
    case 16: std::memcpy(to, from, 16); return;
    default: copy_bytes(to, from, static_cast<std::size_t>(bytes));
  }
}

// Walks the runs of elements in the order of their data. Not to be moved on behind the last element.
class RunWalk {
 public:
  // `first` is where MPI expects the first element; the runs of one, at least one, stay where they are.
  RunWalk(std::byte *first, std::span<const Extent> runs, std::int64_t extent)
      : runs_(runs), extent_(extent), element_(first) {}

  [[nodiscard]] std::byte *address() const { return element_ + runs_[run_].offset + used_; }
  [[nodiscard]] std::int64_t left() const { return runs_[run_].length - used_; }  // of the run
  // So many bytes, no more than are left of the run.
  void pass(std::int64_t bytes) {
    used_ += bytes;
    if (used_ < runs_[run_].length) return;
    used_ = 0;
    if (++run_ < runs_.size()) return;
    run_ = 0;
    element_ += extent_;
  }
  // Copies the next so many bytes from there.
  void fill(const std::byte *from, std::int64_t bytes) {
    while (bytes > 0) {
      const std::int64_t stretch = std::min(bytes, left());
      copy_stretch(address(), from, stretch);
      pass(stretch);
      from += stretch;
      bytes -= stretch;
    }
  }

 private:
  std::span<const Extent> runs_;
  std::int64_t extent_;
  std::byte *element_;
  std::size_t run_ = 0;
  std::int64_t used_ = 0;  // bytes of the run
};

}  // namespace rondo::internal
