#include "wire/typed_copies.hpp"

#include "wire/mpi_call.hpp"

namespace rondo::internal {

void TypedCopies::add(const Copy &copy, const BoundSpaces &spaces) {
  const TypedMessage from = describe(spaces.pieces_of(copy.from), types_.list());
  const TypedMessage to = describe(spaces.pieces_of(copy.target()), types_.list());
  copies_.push_back({from, to});
}

void TypedCopies::run(const Channel &channel) const {
  for (const TypedCopy &copy : copies_) {
    check_mpi(
        MPI_Sendrecv(copy.from.buffer, copy.from.count, copy.from.type, channel.rank(), channel.tag, copy.to.buffer,
                     copy.to.count, copy.to.type, channel.rank(), channel.tag, channel.comm(), MPI_STATUS_IGNORE),
        "MPI_Sendrecv");
  }
}

}  // namespace rondo::internal
