#pragma once

#include <mpi.h>

#include <vector>

namespace rondo::internal {

// Datatypes that are freed with this, unless MPI has been finalized before.
class MadeTypes {
 public:
  MadeTypes() = default;
  MadeTypes(MadeTypes &&) noexcept = default;
  MadeTypes &operator=(MadeTypes &&) = delete;
  ~MadeTypes();

  [[nodiscard]] std::vector<MPI_Datatype> &list() { return types_; }

 private:
  std::vector<MPI_Datatype> types_;
};

}  // namespace rondo::internal
