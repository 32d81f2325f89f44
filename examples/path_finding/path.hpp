// A path from a source to a vertex, of which only the length counts.
//
// SPDX-License-Identifier: BSD-3-Clause
#ifndef PATH_FINDING_PATH_HPP
#define PATH_FINDING_PATH_HPP

#include <cstdint>
#include <rondo/rondo.hpp>

#include "relations/answer.hpp"
#include "relations/hash.hpp"
#include "relations/pair.hpp"
#include "relations/tuple_type.hpp"

namespace paths {

struct Path {
  std::uint32_t vertex;
  std::uint32_t source;
  std::uint32_t length;
};

[[nodiscard]] inline relations::Pair ends(const Path &path) {
  return relations::pair(path.vertex, path.source);
}

inline void add(relations::Answer &answer, const Path &path) {
  answer.add(relations::hash(ends(path)) + path.length);
}

}  // namespace paths

template <>
struct rondo::Datatype<paths::Path> {
  static MPI_Datatype type() { return relations::tuple_type<paths::Path>(); }
};

#endif
