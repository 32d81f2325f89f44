#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <new>

#include "wire/copy.hpp"

namespace rondo::internal {

// Bytes that a plan owns, from a cache line on, zero at first (padding is sent too).
class Storage {
 public:
  Storage() = default;
  explicit Storage(std::int64_t bytes) : bytes_(bytes == 0 ? nullptr : new(alignment) std::byte[bytes]()) {}

  [[nodiscard]] std::byte *data() const { return bytes_.get(); }

 private:
  static constexpr std::align_val_t alignment{cache_line};
  struct Free {
    void operator()(std::byte *bytes) const { ::operator delete[](bytes, alignment); }
  };
  std::unique_ptr<std::byte[], Free> bytes_;
};

}  // namespace rondo::internal
