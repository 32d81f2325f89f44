#include "wire/constructor.hpp"

#include <algorithm>
#include <cstddef>

#include "wire/mpi_call.hpp"

namespace rondo::internal {

namespace {

// MPI-4 has calls that tell of all types, with large counts or without; before it no type has large counts.
#if MPI_VERSION >= 4
using Number = MPI_Count;
#else
using Number = int;
#endif

struct Envelope {
  Number integers = 0, addresses = 0, counts = 0, types = 0;
  int combiner = MPI_COMBINER_NAMED;

  int ask(MPI_Datatype type) noexcept {
#if MPI_VERSION >= 4
    return MPI_Type_get_envelope_c(type, &integers, &addresses, &counts, &types, &combiner);
#else
    return MPI_Type_get_envelope(type, &integers, &addresses, &types, &combiner);
#endif
  }
  [[nodiscard]] bool is_of_mpi() const {
    return combiner == MPI_COMBINER_NAMED || combiner == MPI_COMBINER_F90_REAL ||
           combiner == MPI_COMBINER_F90_COMPLEX || combiner == MPI_COMBINER_F90_INTEGER;
  }
};

}  // namespace

bool is_predefined(MPI_Datatype type) {
  Envelope made;
  check_mpi(made.ask(type), "MPI_Type_get_envelope");
  return made.is_of_mpi();
}

Constructor::Constructor(MPI_Datatype type) {
  Envelope made;
  check_mpi(made.ask(type), "MPI_Type_get_envelope");
  combiner_ = made.combiner;
  is_predefined_ = made.is_of_mpi();
  if (is_predefined_) return;
  std::vector<int> integers(static_cast<std::size_t>(made.integers));
  std::vector<MPI_Aint> addresses(static_cast<std::size_t>(made.addresses));
  std::vector<MPI_Count> counts(static_cast<std::size_t>(made.counts));
  // Once the types are there, nothing is to fail before it is known which of them are to be freed.
  numbers_.reserve(integers.size() + addresses.size() + counts.size());
  types_.resize(static_cast<std::size_t>(made.types), MPI_DATATYPE_NULL);
  derived_.reserve(types_.size());
#if MPI_VERSION >= 4
  check_mpi(MPI_Type_get_contents_c(type, made.integers, made.addresses, made.counts, made.types, integers.data(),
                                    addresses.data(), counts.data(), types_.data()),
            "MPI_Type_get_contents");
#else
  check_mpi(MPI_Type_get_contents(type, made.integers, made.addresses, made.types, integers.data(), addresses.data(),
                                  types_.data()),
            "MPI_Type_get_contents");
#endif
  find_derived();
  numbers_.insert(numbers_.end(), integers.begin(), integers.end());
  numbers_.insert(numbers_.end(), addresses.begin(), addresses.end());
  numbers_.insert(numbers_.end(), counts.begin(), counts.end());
  // Where sizes are large counts, integers come before them that are behind them in the order of the arguments.
  if (counts.empty()) return;
  const auto first_count = numbers_.end() - static_cast<std::ptrdiff_t>(counts.size());
  if (combiner_ == MPI_COMBINER_SUBARRAY) std::rotate(numbers_.begin() + 1, first_count, numbers_.end());
  if (combiner_ == MPI_COMBINER_DARRAY) std::rotate(numbers_.begin() + 3, first_count, numbers_.end());
}

// All that are MPI's own are known before any is to be freed: in a destructor nothing may fail.
void Constructor::find_derived() {
  int failed = MPI_SUCCESS;
  for (const MPI_Datatype type : types_) {
    Envelope made;
    if (const int code = made.ask(type); code != MPI_SUCCESS) {
      failed = code;
    } else if (!made.is_of_mpi()) {
      derived_.push_back(type);
    }
  }
  if (failed == MPI_SUCCESS) return;
  free_derived();
  check_mpi(failed, "MPI_Type_get_envelope");
}

void Constructor::free_derived() noexcept {
  for (MPI_Datatype &type : derived_) MPI_Type_free(&type);
}

Constructor::~Constructor() {
  free_derived();
}

}  // namespace rondo::internal
