#include "pmpi/pass/both_names.hpp"

#include <link.h>

#include <algorithm>

namespace rondo::internal::pmpi {

namespace {

struct Range {
  std::uintptr_t begin = 0;
  std::uintptr_t end = 0;

  [[nodiscard]] bool has(const void *address) const {
    const auto at = reinterpret_cast<std::uintptr_t>(address);
    return begin <= at && at < end;
  }
};

Range range_of(const dl_phdr_info &object) {
  Range range{UINTPTR_MAX, 0};
  for (int i = 0; i < object.dlpi_phnum; ++i) {
    const auto &segment = object.dlpi_phdr[i];
    if (segment.p_type != PT_LOAD) continue;
    const std::uintptr_t begin = object.dlpi_addr + segment.p_vaddr;
    range = {std::min(range.begin, begin), std::max(range.end, begin + segment.p_memsz)};
  }
  return range;
}

// Of the object that has PMPI_Init after this one.
Range find_library() {
  struct Search {
    const void *inside;
    Range found;
  } search{dlsym(RTLD_NEXT, "PMPI_Init"), {}};
  dl_iterate_phdr(
      [](dl_phdr_info *object, std::size_t, void *data) {
        auto &looked_for = *static_cast<Search *>(data);
        const Range range = range_of(*object);
        if (!range.has(looked_for.inside)) return 0;
        looked_for.found = range;
        return 1;
      },
      &search);
  return search.found;
}

const Range &library() {
  static const Range range = find_library();
  return range;
}

}  // namespace

bool is_programs(const void *site) {
  return calls_beneath == 0 && !library().has(site);
}

}  // namespace rondo::internal::pmpi
