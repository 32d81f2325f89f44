#pragma once

// How a datatype was made, as MPI tells it (MPI-4, section 5.1.13, "Decoding a Datatype").

#include <mpi.h>

#include <cstdint>
#include <vector>

namespace rondo::internal {

// Whether the type is one of MPI's own, which is never freed. Throws Error (mpi).
bool is_predefined(MPI_Datatype type);

class Constructor {
 public:
  // Throws Error (mpi).
  explicit Constructor(MPI_Datatype type);
  ~Constructor();
  Constructor(const Constructor &) = delete;
  Constructor &operator=(const Constructor &) = delete;

  [[nodiscard]] int combiner() const { return combiner_; }
  [[nodiscard]] bool is_predefined() const { return is_predefined_; }
  // Its integers, addresses and large counts, in the order of its arguments; none of a predefined type.
  [[nodiscard]] const std::vector<std::int64_t> &numbers() const { return numbers_; }
  // The datatypes among its arguments, for as long as this lives. They need not have been committed.
  [[nodiscard]] const std::vector<MPI_Datatype> &types() const { return types_; }

 private:
  void find_derived();
  void free_derived() noexcept;

  int combiner_ = MPI_COMBINER_NAMED;
  bool is_predefined_ = true;
  std::vector<std::int64_t> numbers_;
  std::vector<MPI_Datatype> types_;
  std::vector<MPI_Datatype> derived_;  // of these, to be freed
};

}  // namespace rondo::internal
