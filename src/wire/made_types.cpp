#include "wire/made_types.hpp"

#include "wire/mpi_call.hpp"

namespace rondo::internal {

MadeTypes::~MadeTypes() {
  if (types_.empty() || !mpi_is_up()) return;
  for (MPI_Datatype &type : types_) {
    if (type != MPI_DATATYPE_NULL) MPI_Type_free(&type);
  }
}

}  // namespace rondo::internal
