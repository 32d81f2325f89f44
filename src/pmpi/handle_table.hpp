#pragma once

#include <array>
#include <atomic>
#include <cstdint>
#include <mutex>
#include <type_traits>
#include <unordered_map>

namespace rondo::pmpi {

// MPI handles are numbers in MPICH and addresses in Open MPI.
template <class Handle>
std::uint64_t bits_of(Handle handle) {
  if constexpr (std::is_pointer_v<Handle>) {
    return reinterpret_cast<std::uintptr_t>(handle);
  } else {
    return static_cast<std::uint64_t>(handle);
  }
}

// What is kept for MPI handles. To ask for a handle of which nothing is kept costs two loads: most calls of a program
// are about such. Used by all threads.
template <class Handle, class Value>
class HandleTable {
 public:
  void insert(Handle handle, Value *value) {
    const std::lock_guard lock(mutex_);
    values_[bits_of(handle)] = value;
    ++sieve(handle);
    ++size_;
  }

  void erase(Handle handle) {
    const std::lock_guard lock(mutex_);
    if (values_.erase(bits_of(handle)) == 0) return;
    --sieve(handle);
    --size_;
  }

  [[nodiscard]] bool empty() const { return size_.load(std::memory_order_relaxed) == 0; }

  // Null where nothing is kept.
  [[nodiscard]] Value *find(Handle handle) const {
    if (empty() || sieve(handle).load(std::memory_order_relaxed) == 0) return nullptr;
    const std::lock_guard lock(mutex_);
    const auto found = values_.find(bits_of(handle));
    return found == values_.end() ? nullptr : found->second;
  }

  // Calls with(value) for all; it must not change the table.
  template <class With>
  void for_each(With &&with) const {
    const std::lock_guard lock(mutex_);
    for (const auto &[handle, value] : values_) with(*value);
  }

 private:
  static constexpr std::size_t places = 1024;

  // How many handles are kept that fall through the same hole.
  [[nodiscard]] std::atomic<int> &sieve(Handle handle) const {
    return sieve_[(bits_of(handle) * 0x9E3779B97F4A7C15U) >> 54];
  }

  mutable std::mutex mutex_;
  std::unordered_map<std::uint64_t, Value *> values_;
  std::atomic<int> size_{0};
  mutable std::array<std::atomic<int>, places> sieve_{};
};

}  // namespace rondo::pmpi
