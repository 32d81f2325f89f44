// The MPI datatype of a tuple of several words.
//
// SPDX-License-Identifier: BSD-3-Clause
#ifndef RELATIONS_TUPLE_TYPE_HPP
#define RELATIONS_TUPLE_TYPE_HPP

#include <mpi.h>

#include <cstdint>
#include <vector>

namespace relations {

namespace internal {

inline std::vector<MPI_Datatype> made_types;

}  // namespace internal

// To be called before MPI_Finalize, by who has called tuple_type.
inline void free_tuple_types() {
  for (auto &type : internal::made_types) MPI_Type_free(&type);
}

// Of a tuple of words of 32 bits: so many of them. For a specialisation of rondo::Datatype.
template <class Tuple>
[[nodiscard]] MPI_Datatype tuple_type() {
  static_assert(sizeof(Tuple) % sizeof(std::uint32_t) == 0);
  static const MPI_Datatype type = [] {
    MPI_Datatype made = MPI_DATATYPE_NULL;
    MPI_Type_contiguous(sizeof(Tuple) / sizeof(std::uint32_t), MPI_UINT32_T, &made);
    MPI_Type_commit(&made);
    internal::made_types.push_back(made);
    return made;
  }();
  return type;
}

}  // namespace relations

#endif
