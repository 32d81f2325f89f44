// Vectors on huge pages, where the system has some: a table that is larger than what the processor knows the pages of
// takes twice as long on small ones.
//
// SPDX-License-Identifier: BSD-3-Clause
#ifndef RELATIONS_HUGE_PAGES_HPP
#define RELATIONS_HUGE_PAGES_HPP

#include <sys/mman.h>

#include <cstddef>
#include <new>
#include <vector>

namespace relations {

template <class T>
struct HugePages {
  using value_type = T;

  HugePages() = default;
  template <class Other>
  HugePages(const HugePages<Other> & /*other*/) {}  // NOLINT(google-explicit-constructor): allocators convert

  T *allocate(std::size_t count) {
    const std::size_t bytes = count * sizeof(T);
    if (bytes < kLeast) return static_cast<T *>(::operator new(bytes));
    void *const place = ::operator new(bytes, std::align_val_t{kPage});
    madvise(place, bytes, MADV_HUGEPAGE);  // where there are none, small ones do
    return static_cast<T *>(place);
  }
  void deallocate(T *place, std::size_t count) {
    if (count * sizeof(T) < kLeast)
      ::operator delete(place);
    else
      ::operator delete(place, std::align_val_t{kPage});
  }

  // What has no initial value is left as it is.
  template <class U>
  void construct(U *place) {
    ::new (static_cast<void *>(place)) U;
  }

  bool operator==(const HugePages &) const = default;

 private:
  static constexpr std::size_t kPage = std::size_t{2} << 20;
  static constexpr std::size_t kLeast = 2 * kPage;
};

template <class T>
using LargeVector = std::vector<T, HugePages<T> >;

}  // namespace relations

#endif
