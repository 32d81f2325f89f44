#include "wire/copy.hpp"

#include <algorithm>
#include <cstring>

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
__attribute__((target("avx2"))) inline void copy_line(std::byte *to, const std::byte *from) {
  const auto *source = reinterpret_cast<const __m256i *>(from);
  auto *target = reinterpret_cast<__m256i *>(to);
  const __m256i first = _mm256_loadu_si256(source);
  const __m256i second = _mm256_loadu_si256(source + 1);
  _mm256_storeu_si256(target, first);
  _mm256_storeu_si256(target + 1, second);
}

__attribute__((target("avx2"))) inline void take_line(std::byte *to, std::byte *from) {
  copy_line(to, from);
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

// Whole lines of the target but for the first and the last.
__attribute__((target("avx2"))) void copy_by_wide_vectors(std::byte *to, const std::byte *from, std::size_t bytes) {
  std::size_t done = std::min<std::size_t>(-reinterpret_cast<std::uintptr_t>(to) % line, bytes);
  std::memcpy(to, from, done);
  for (; done + line <= bytes; done += line) copy_line(to + done, from + done);
  std::memcpy(to + done, from + done, bytes - done);
}

// (GCC would make a call of memcpy of a plain loop.)
void copy_by_narrow_vectors(std::byte *to, const std::byte *from, std::size_t bytes) {
  std::size_t done = 0;
  for (; done + line <= bytes; done += line) {
    __m128i chunk[4];
    for (int i = 0; i < 4; ++i) chunk[i] = _mm_loadu_si128(reinterpret_cast<const __m128i *>(from + done) + i);
    for (int i = 0; i < 4; ++i) _mm_storeu_si128(reinterpret_cast<__m128i *>(to + done) + i, chunk[i]);
  }
  std::memcpy(to + done, from + done, bytes - done);
}

bool has_wide_vectors() {
  static const bool found = __builtin_cpu_supports("avx2") != 0;
  return found;
}

}  // namespace
#endif

void copy_by_vectors(std::byte *to, const std::byte *from, std::size_t bytes) {
#if defined(__x86_64__)
  has_wide_vectors() ? copy_by_wide_vectors(to, from, bytes) : copy_by_narrow_vectors(to, from, bytes);
#else
  std::memcpy(to, from, bytes);
#endif
}

void copy_taking_lines(std::byte *to, std::byte *from, std::size_t bytes) {
  std::size_t done = 0;
#if defined(__x86_64__)
  if (has_wide_vectors()) done = take_lines(to, from, bytes);
#endif
  copy_bytes(to + done, from + done, bytes - done);
}

}  // namespace rondo::internal
