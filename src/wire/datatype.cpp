#include "wire/datatype.hpp"

#include <fmt/format.h>

#include "exchange/error.hpp"
#include "wire/constructor.hpp"
#include "wire/mpi_call.hpp"
#include "wire/type_runs.hpp"

namespace rondo::internal {

namespace {

// Whether the bytes of the elements follow each other in order.
bool is_dense(MPI_Datatype type, const DatatypeShape &shape, MPI_Comm packing) {
  if (shape.size != shape.extent || shape.size != shape.true_extent) return false;
  if (shape.size == 0 || is_predefined(type)) return true;
  const TypeRuns runs = byte_runs(type, packing);
  return runs && runs->size() == 1;
}

// MPICH does not tell that a type has been freed. Its size is then mostly an address. Else it is zero, as it is of
// types without data, whose true extents are not always zero either.
bool looks_freed(const DatatypeShape &shape) {
  constexpr std::int64_t least_address = std::int64_t{1} << 46;
  return shape.size >= least_address;
}

[[noreturn]] void throw_invalid(const char *side) {
  throw Error(Fault::type, fmt::format("the {} datatype is no valid datatype (has it been freed?)", side));
}

// A type that is not committed is one that MPI does not pack.
void check_committed(MPI_Datatype type, const char *side, MPI_Comm packing) {
  char nothing = 0;
  int position = 0;
  if (MPI_Pack(&nothing, 0, type, &nothing, 0, &position, packing) != MPI_SUCCESS) {
    throw Error(Fault::type, fmt::format("the {} datatype is not committed", side));
  }
}

}  // namespace

DatatypeShape measure(MPI_Datatype type) {
  MPI_Count size = 0;
  MPI_Count lower_bound = 0;
  MPI_Count extent = 0;
  MPI_Count true_lower_bound = 0;
  MPI_Count true_extent = 0;
  check_mpi(MPI_Type_size_x(type, &size), "MPI_Type_size_x");
  check_mpi(MPI_Type_get_extent_x(type, &lower_bound, &extent), "MPI_Type_get_extent_x");
  check_mpi(MPI_Type_get_true_extent_x(type, &true_lower_bound, &true_extent), "MPI_Type_get_true_extent_x");
  return {size, extent, true_lower_bound, true_extent, false};
}

DatatypeShape shape_of(MPI_Datatype type, const char *side, MPI_Comm packing) {
  if (type == MPI_DATATYPE_NULL) throw Error(Fault::type, fmt::format("the {} datatype is MPI_DATATYPE_NULL", side));
  const ErrorsReturned returned;
  MPI_Count size = 0;
  if (MPI_Type_size_x(type, &size) != MPI_SUCCESS) throw_invalid(side);
  DatatypeShape shape = measure(type);
  if (looks_freed(shape)) throw_invalid(side);
  check_committed(type, side, packing);
  shape.dense = is_dense(type, shape, packing);
  return shape;
}

}  // namespace rondo::internal
