#include "benchmarks/heap.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdlib>
#include <new>

namespace {

std::int64_t live_bytes = 0;
std::int64_t peak_bytes = 0;

// Stands before each piece, as large as the strictest alignment so that the piece keeps it.
struct alignas(std::max_align_t) Header {
  std::size_t size;
};

}  // namespace

namespace heap {

std::int64_t live() {
  return live_bytes;
}

std::int64_t peak() {
  return peak_bytes;
}

void forget_peak() {
  peak_bytes = live_bytes;
}

}  // namespace heap

void *operator new(std::size_t size) {
  auto *header = static_cast<Header *>(std::malloc(sizeof(Header) + size));
  if (header == nullptr) throw std::bad_alloc();
  header->size = size;
  live_bytes += static_cast<std::int64_t>(size);
  peak_bytes = std::max(peak_bytes, live_bytes);
  return header + 1;
}

void operator delete(void *piece) noexcept {
  if (piece == nullptr) return;
  Header *header = static_cast<Header *>(piece) - 1;
  live_bytes -= static_cast<std::int64_t>(header->size);
  std::free(header);
}

void operator delete(void *piece, std::size_t) noexcept {
  operator delete(piece);
}
