#include "wire/copy.hpp"

#if defined(__x86_64__)
#include <immintrin.h>
#endif

namespace rondo::internal {

#if defined(__x86_64__)
namespace {

// The store must not be optimized away.
void write_back(std::byte *at) {
  volatile std::byte &byte = *at;
  byte = byte;
}

constexpr std::size_t line = 2 * sizeof(__m256i);

// Half a line at a time, as otherwise the copy takes longer than what is saved where cores do share a cache.
__attribute__((target("avx2"))) inline void take_line(std::byte *to, std::byte *from) {
  const auto *source = reinterpret_cast<const __m256i *>(from);
  auto *target = reinterpret_cast<__m256i *>(to);
  const __m256i first = _mm256_loadu_si256(source);
  const __m256i second = _mm256_loadu_si256(source + 1);
  _mm256_storeu_si256(target, first);
  _mm256_storeu_si256(target + 1, second);
  write_back(from);
}

__attribute__((target("avx2"))) std::size_t take_lines(std::byte *to, std::byte *from, std::size_t bytes) {
  constexpr std::size_t ahead = lines_fetched_ahead * line;
  std::size_t done = 0;
  for (; done + ahead + line <= bytes; done += line) {
    fetch_for_writing(from + done + ahead);
    take_line(to + done, from + done);
  }
  for (; done + line <= bytes; done += line) take_line(to + done, from + done);
  return done;
}

}  // namespace
#endif

void copy_taking_lines(std::byte *to, std::byte *from, std::size_t bytes) {
  std::size_t done = 0;
#if defined(__x86_64__)
  static const bool wide = __builtin_cpu_supports("avx2") != 0;
  if (wide) done = take_lines(to, from, bytes);
#endif
  copy_bytes(to + done, from + done, bytes - done);
}

}  // namespace rondo::internal
