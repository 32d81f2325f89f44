// The ends of datatypes, which may be among the arguments that are kept of earlier calls.

#include <mpi.h>

#include "pmpi/calls/caches.hpp"
#include "pmpi/pass/next_definition.hpp"
#include "rondo/rondo.h"
#include "wire/held_type.hpp"
#include "wire/type_cache.hpp"

RONDO_API int MPI_Type_free(MPI_Datatype *type) {
  static constinit const rondo::internal::pmpi::Next next{"MPI_Type_free", PMPI_Type_free};
  const rondo::internal::TypesFreedAtEnd types_freed_at_end;
  if (type != nullptr) rondo::internal::pmpi::Caches::forget(*type);
  const rondo::internal::TypesBeingFreed types_being_freed;
  return next(type);
}
