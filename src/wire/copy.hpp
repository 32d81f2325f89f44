#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstring>

namespace rondo::internal {

// Bytes that two cores should not write at once. Compilers know it of the processor that they compile for: 64 on x86;
// on arm64 up to 256 (A64FX), which they take where no processor is named.
#if defined(__GCC_DESTRUCTIVE_SIZE)
constexpr std::int64_t cache_line = __GCC_DESTRUCTIVE_SIZE;
#elif defined(__aarch64__)
constexpr std::int64_t cache_line = 256;
#else
constexpr std::int64_t cache_line = 64;
#endif

// Begins to fetch the cache line for a store, without waiting for it.
inline void fetch_for_writing(const void *line) {
#if defined(__x86_64__)
  asm volatile("prefetchw %0" : : "m"(*static_cast<const char *>(line)));
#else
  __builtin_prefetch(line, 1);
#endif
}

// Copies with vector registers, on x86 those of 32 bytes where there are such: with those of 16 it takes a third more
// time from 256 KiB on.
void copy_by_vectors(std::byte *to, const std::byte *from, std::size_t bytes);

// memcpy, but for two cases. Where GCC knows that there are few bytes, but not how many, it would copy with `rep movsq`
// instead of a call, which takes 10 ns longer. And from about 2 KiB on, glibc copies with `rep movsb`, which AMD's Zen
// 3 and 4 do up to 27 times slower when the target's place in its 4 KiB page is less than a cache line after the
// source's (docs/performance.md has the figures). Two malloc'ed buffers often lie like that.
inline void copy_bytes(std::byte *to, const std::byte *from, std::size_t bytes) {
#if defined(__x86_64__)
  const auto ahead = (reinterpret_cast<std::uintptr_t>(to) - reinterpret_cast<std::uintptr_t>(from)) & 4095U;
  if (bytes >= 2048 && ahead - 1 < 63) return copy_by_vectors(to, from, bytes);
#endif
  if (__builtin_constant_p(bytes) == 0) asm("" : "+r"(bytes));  // nothing is known of it from here on
  std::memcpy(to, from, bytes);
}

// From so many bytes on, to take the lines saves more than it costs.
constexpr std::size_t least_taken = 384;

// Copies, and takes the cache lines of the source, by writing a byte of each back. For what another rank
// has written and will write again, in memory that both share. A line that has only been read stays in both caches, and
// the writer's next store must first have the other copy thrown away: no prefetcher does that ahead, since the line is
// there, and between cores without a common cache it costs about 20 ns a line. A line that only the reader has is
// fetched ahead like any other: 6 ns (docs/performance.md). Nobody else may write or take the source meanwhile.
// Lines are fetched for writing, so many ahead: one that is fetched for reading first is fetched twice. Less than
// `least_taken` is only copied, and all where there is no AVX2.
constexpr std::size_t lines_fetched_ahead = 32;
void copy_taking_lines(std::byte *to, std::byte *from, std::size_t bytes);
inline void copy_and_take(std::byte *to, std::byte *from, std::size_t bytes) {
  bytes < least_taken ? copy_bytes(to, from, bytes) : copy_taking_lines(to, from, bytes);
}

// What is shorter is fetched for reading, which cores with a common cache do faster.
constexpr std::size_t least_fetched_for_writing = 2048;

// Begins to fetch the first lines of what will be copied so, as soon as it is known of, and maybe before it is known
// where to: a processor finds out by itself only after the first lines that more are wanted.
inline void fetch_ahead(const std::byte *from, std::size_t bytes) {
  const std::size_t end = std::min<std::size_t>(bytes, lines_fetched_ahead * cache_line);
  if (bytes < least_fetched_for_writing) {
    for (std::size_t at = 0; at < end; at += cache_line) __builtin_prefetch(from + at);
  } else {
    for (std::size_t at = 0; at < end; at += cache_line) fetch_for_writing(from + at);
  }
}

}  // namespace rondo::internal
