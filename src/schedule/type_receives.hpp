#pragma once

#include <cstdint>

#include "schedule/schedule.hpp"

namespace rondo::internal {

// Which messages of MPI are received where their blocks stay, by a datatype, although they are sent as bytes in a row.
// What MPI libraries send at once they copy out of a buffer of their own when it has come: a datatype lets this copy be
// the only one. Short pieces cost more by a datatype than the copy that they save. What is sent when the receiver has
// answered may come straight to staging, without a copy of the library's.
struct TypedReceives {
  std::int64_t longest = 0;        // bytes of a message; 0: none is received so
  std::int64_t least_piece = 512;  // bytes, in the mean of a message

  [[nodiscard]] bool has(const Transfer &receive) const {
    return receive.scattered() && receive.bytes <= longest && receive.bytes >= receive.count * least_piece;
  }
};

// Puts these messages on the datatype wire at this end: each rank's affair alone. For a schedule whose messages have no
// place in staging yet. Does nothing where steps are not disjoint: the messages would have to be staged all the same.
void type_receives(Schedule &schedule, const TypedReceives &typed);

}  // namespace rondo::internal
