#include "wire/ordinary_memory.hpp"

#include <link.h>

#include <algorithm>
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <span>

#include "wire/first_line.hpp"

// Where the heap ends that grows by brk(), and where the stack of the first thread begins, which grows downwards, as
// the C library keeps them; not all C libraries do. UCX puts its own functions in the place of sbrk(), which would tell
// the first, too, but in 200 ns.
extern "C" {
[[gnu::weak]] extern void *__curbrk;          // NOLINT(bugprone-reserved-identifier,readability-identifier-naming)
[[gnu::weak]] extern void *__libc_stack_end;  // NOLINT(bugprone-reserved-identifier,readability-identifier-naming)
}

namespace rondo::internal {

namespace {

struct Addresses {
  std::uintptr_t begin = 0;
  std::uintptr_t end = 0;
  [[nodiscard]] bool contain(std::uintptr_t address) const { return address >= begin && address < end; }
};

// Of the program's own file, which is the first of all that are loaded.
Addresses find_program() {
  Addresses program{.begin = UINTPTR_MAX, .end = 0};
  dl_iterate_phdr(
      [](dl_phdr_info *info, std::size_t, void *to) {
        auto &found = *static_cast<Addresses *>(to);
        for (const ElfW(Phdr) & part : std::span(info->dlpi_phdr, info->dlpi_phnum)) {
          if (part.p_type != PT_LOAD) continue;
          found.begin = std::min(found.begin, info->dlpi_addr + part.p_vaddr);
          found.end = std::max(found.end, info->dlpi_addr + part.p_vaddr + part.p_memsz);
        }
        return 1;
      },
      &program);
  return program.begin < program.end ? program : Addresses{};
}

// Linux leaves 128 MiB for the stack of the first thread at least: what is mapped lies below.
Addresses find_stack() {
  constexpr std::uintptr_t bytes = std::uintptr_t{64} << 20;
  if (&__libc_stack_end == nullptr) return {};
  const auto end = reinterpret_cast<std::uintptr_t>(__libc_stack_end);
  return {end - bytes, end};
}

// Where the heap begins, which only the system tells; 0 where it does not.
std::uintptr_t find_heap() {
  if (&__curbrk == nullptr) return 0;
  const FirstLine<2048> status("/proc/self/stat");
  // The second field is the name of the program in parentheses, with whatever is in that. The beginning of the heap is
  // the 47th.
  const char *at = std::strrchr(status.text.data(), ')');
  for (int field = 2; at != nullptr && field < 47; ++field) at = std::strchr(at + 1, ' ');
  return at == nullptr ? 0 : std::strtoull(at, nullptr, 10);
}

// What stays as it is as long as the process lives; of the heap its beginning.
struct Places {
  Addresses program;
  Addresses stack;
  std::uintptr_t heap;
};

// 0 as long as nobody has made it grow. Another thread may move it.
std::uintptr_t heap_end() {
  return reinterpret_cast<std::uintptr_t>(__atomic_load_n(&__curbrk, __ATOMIC_RELAXED));
}

}  // namespace

bool are_ordinary_memory(const void *one, const void *other) noexcept {
  static const Places places{find_program(), find_stack(), find_heap()};
  const auto is_ordinary = [](const void *address) {
    const auto given = reinterpret_cast<std::uintptr_t>(address);
    if (places.heap != 0 && Addresses{places.heap, heap_end()}.contain(given)) return true;
    return places.program.contain(given) || places.stack.contain(given) || given + 1 < 3;  // MPI_IN_PLACE is 1 or -1
  };
  return is_ordinary(one) && is_ordinary(other);
}

}  // namespace rondo::internal
