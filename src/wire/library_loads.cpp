#include "wire/library_loads.hpp"

#include <dlfcn.h>
#include <link.h>

#include <array>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <span>
#include <utility>

namespace rondo::internal {

namespace {

using Count = unsigned long long;

struct Told {
  Count loads = 0;
  Count unloads = 0;
};

Told ask_linker() noexcept {
  Told told;
  dl_iterate_phdr(
      [](dl_phdr_info *info, std::size_t, void *to) {
        *static_cast<Told *>(to) = {info->dlpi_adds, info->dlpi_subs};
        return 1;
      },
      &told);
  return told;
}

// The data of glibc's dynamic linker. Others have none of this name.
std::span<const Count> data_of_linker() noexcept {
  void *const found = dlsym(RTLD_DEFAULT, "_rtld_global");
  Dl_info where{};
  void *symbol = nullptr;
  if (found == nullptr || dladdr1(found, &where, &symbol, RTLD_DL_SYMENT) == 0 || symbol == nullptr) return {};
  if (reinterpret_cast<std::uintptr_t>(found) % alignof(Count) != 0) return {};
  return {static_cast<const Count *>(found), static_cast<const ElfW(Sym) *>(symbol)->st_size / sizeof(Count)};
}

Count value_of(const Count &word) noexcept {
  return __atomic_load_n(&word, __ATOMIC_RELAXED);
}

// Words that may be the one.
class Candidates {
 public:
  [[nodiscard]] bool none_yet() const { return count_ == 0; }
  [[nodiscard]] const Count *only() const { return count_ == 1 ? words_.front() : nullptr; }
  void note(const Count &word) {
    if (count_ < words_.size()) words_[count_++] = &word;
  }
  void keep_those_with(Count value) {
    const std::size_t before = std::exchange(count_, 0);
    for (std::size_t i = 0; i < before; ++i) {
      if (value_of(*words_[i]) == value) note(*words_[i]);
    }
  }

 private:
  std::array<const Count *, 64> words_{};
  std::size_t count_ = 0;
};

constinit std::atomic<const Count *> count_of_loads{nullptr};

}  // namespace

unsigned long long libraries_loaded() noexcept {
  const Count *const word = count_of_loads.load(std::memory_order_relaxed);
  return word != nullptr ? value_of(*word) : ask_linker().loads;
}

// How many are loaded now is a word, too, which is the same number until the first is unloaded.
bool look_for_count_of_loads() noexcept {
  static constinit Candidates candidates;
  static constinit Count before = 0;
  const Told told = ask_linker();
  if (candidates.none_yet()) {
    for (const Count &word : data_of_linker()) {
      if (value_of(word) == told.loads) candidates.note(word);
    }
    before = told.loads;
    return false;
  }
  if (told.loads == before || told.unloads == 0) return false;
  candidates.keep_those_with(told.loads);
  if (ask_linker().loads != told.loads) return false;  // another thread has loaded one between the two looks
  count_of_loads.store(candidates.only(), std::memory_order_relaxed);
  return candidates.only() != nullptr;
}

}  // namespace rondo::internal
