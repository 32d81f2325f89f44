#pragma once

// Where the bytes of an element of a datatype lie.

#include <mpi.h>

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "exchange/exchange.hpp"

namespace rondo::internal {

// The runs of bytes of one element, in the order in which MPI sends them, from the element's address. Null where they
// are not known.
using TypeRuns = std::shared_ptr<const std::vector<Extent>>;

// None where they are not known.
inline std::span<const Extent> runs_in(const TypeRuns &runs) {
  return runs ? std::span<const Extent>(*runs) : std::span<const Extent>();
}

// Whether data of so many bytes in so many runs takes less time if it is copied run by run than if it is packed and
// copied as a whole: where runs are long on the average, or few (docs/performance.md).
constexpr bool worth_copying(std::int64_t runs, std::int64_t bytes) {
  constexpr std::int64_t least_mean_run = 64;
  constexpr std::int64_t few = 8;
  return runs <= few || bytes >= runs * least_mean_run;
}

constexpr std::size_t most_type_runs = 1'000'000;

// Null where there are more than `most`, and where they cannot be found: of a constructor that is not known here, if
// its elements span more than 16 MiB. `packing` is any communicator whose errors are returned: such constructors are
// asked for their bytes by MPI_Pack.
TypeRuns byte_runs(MPI_Datatype type, MPI_Comm packing, std::size_t most = most_type_runs);

}  // namespace rondo::internal
