#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>

namespace rondo::internal {

// Memory that is not set to zero, from a cache line on. From 4 MiB on it is of huge pages, where the system has them,
// as the first use of a page costs a fault; and it goes back to the system when it is freed: the heap would keep much
// of it, and could not use it again for another piece that begins with a huge page.
class RawMemory {
 public:
  RawMemory() = default;
  explicit RawMemory(std::int64_t bytes);  // throws std::bad_alloc
  RawMemory(RawMemory &&) noexcept = default;
  RawMemory &operator=(RawMemory &&) noexcept = default;
  RawMemory(const RawMemory &) = delete;
  RawMemory &operator=(const RawMemory &) = delete;
  ~RawMemory() = default;

  [[nodiscard]] std::byte *data() const { return bytes_.get(); }
  [[nodiscard]] std::int64_t size() const { return bytes_ ? bytes_.get_deleter().size : 0; }

 private:
  struct Free {
    std::int64_t size;
    void operator()(std::byte *bytes) const;
  };
  std::unique_ptr<std::byte, Free> bytes_{nullptr, Free{0}};
};

}  // namespace rondo::internal
