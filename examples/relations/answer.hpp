// What a program has found out, short enough to compare.
//
// SPDX-License-Identifier: BSD-3-Clause
#ifndef RELATIONS_ANSWER_HPP
#define RELATIONS_ANSWER_HPP

#include <mpi.h>

#include <cstdint>

#include "relations/hash.hpp"

namespace relations {

struct Answer {
  std::uint64_t tuples = 0;
  std::uint64_t checksum = 0;  // the sum of the tuples' hashes, so that their order does not matter

  void add(std::uint64_t tuple) {
    ++tuples;
    checksum += hash(tuple);
  }
  bool operator==(const Answer &) const = default;
};

// The ranks' answers as one, on all ranks. Collective.
[[nodiscard]] inline Answer over_ranks(Answer own, MPI_Comm comm) {
  MPI_Allreduce(MPI_IN_PLACE, &own.tuples, 1, MPI_UINT64_T, MPI_SUM, comm);
  MPI_Allreduce(MPI_IN_PLACE, &own.checksum, 1, MPI_UINT64_T, MPI_SUM, comm);
  return own;
}

}  // namespace relations

#endif
