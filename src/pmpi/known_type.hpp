#pragma once

#include <mpi.h>

#include <atomic>
#include <cstdint>

#include "wire/datatype.hpp"

namespace rondo::internal::pmpi {

// What is known of a datatype; the same object for as long as the program has the type. Throws Error (type) for a null,
// freed or uncommitted one. Local.
const DatatypeShape &known_type(MPI_Datatype type);

// Changes when a type that was known is freed: until then a handle means the type that it meant before.
std::uint64_t types_freed();

}  // namespace rondo::internal::pmpi
