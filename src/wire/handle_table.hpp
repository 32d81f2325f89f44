#pragma once

#include <array>
#include <atomic>
#include <cstdint>
#include <mutex>
#include <type_traits>
#include <unordered_map>

namespace rondo::internal {

// MPI handles are numbers in MPICH and addresses in Open MPI.
template <class Handle>
std::uint64_t bits_of(Handle handle) {
  if constexpr (std::is_pointer_v<Handle>) {
    return reinterpret_cast<std::uintptr_t>(handle);
  } else {
    return static_cast<std::uint64_t>(handle);
  }
}

// What a thread has found last for a handle, as long as no value has ended since: `ends` is how many had.
template <class Value>
struct LastFound {
  std::uint64_t handle = 0;  // its bits
  Value *found = nullptr;
  std::uint64_t ends = 0;

  template <class Handle>
  [[nodiscard]] bool serves(Handle asked, std::uint64_t ended) const {
    return handle == bits_of(asked) && ends == ended;
  }
};

// A table from MPI handles to values that Rondo keeps for them; the process has one for each type of handle and value.
// Most handles that a program uses have no value here, and to find that out costs two loads: `sieve` counts the kept
// handles by a hash. All threads use the table.
template <class Handle, class Value>
class HandleTable {
 public:
  static void insert(Handle handle, Value *value) {
    Kept &kept = all();
    const std::lock_guard lock(kept.mutex);
    kept.values[bits_of(handle)] = value;
    ++sieve(handle);
    ++size;
  }

  static void erase(Handle handle) {
    Kept &kept = all();
    const std::lock_guard lock(kept.mutex);
    if (kept.values.erase(bits_of(handle)) == 0) return;
    --sieve(handle);
    --size;
  }

  [[nodiscard]] static bool empty() { return size.load(std::memory_order_relaxed) == 0; }

  // Null where nothing is kept.
  [[nodiscard]] static Value *find(Handle handle) {
    if (empty() || sieve(handle).load(std::memory_order_relaxed) == 0) return nullptr;
    return look_up(handle);
  }

  // The value of a handle. Where there is none, make() inserts one and returns it, or returns null. Threads that ask at
  // the same time get the same value.
  template <class Make>
  [[nodiscard]] static Value *find_or_make(Handle handle, Make &&make) {
    if (Value *const found = find(handle)) return found;
    const std::lock_guard lock(all().making);
    Value *const found = find(handle);
    return found != nullptr ? found : make();
  }

  // Calls with(value) for all; it must not change the table.
  template <class With>
  static void for_each(With &&with) {
    Kept &kept = all();
    const std::lock_guard lock(kept.mutex);
    for (const auto &[handle, value] : kept.values) with(*value);
  }

 private:
  struct Kept {
    std::mutex mutex;
    std::mutex making;  // locked before `mutex`, which is not locked while make() calls MPI
    std::unordered_map<std::uint64_t, Value *> values;
  };

  [[gnu::noinline]] static Value *look_up(Handle handle) {
    Kept &kept = all();
    const std::lock_guard lock(kept.mutex);
    const auto found = kept.values.find(bits_of(handle));
    return found == kept.values.end() ? nullptr : found->second;
  }

  // Never destroyed: handles may be freed after main().
  static Kept &all() {
    static auto *const kept = new Kept;
    return *kept;
  }

  // How many of the handles that have a value share this handle's hash. 0: this handle has no value.
  [[nodiscard]] static std::atomic<int> &sieve(Handle handle) {
    return holes[(bits_of(handle) * 0x9E3779B97F4A7C15U) >> 54];
  }

  static inline constinit std::array<std::atomic<int>, 1024> holes{};
  static inline constinit std::atomic<int> size{0};
};

}  // namespace rondo::internal
