// SPDX-License-Identifier: BSD-3-Clause
#include "relations/rounds.hpp"

#include "shared/on_root.hpp"

namespace relations {
namespace {

template <class Number>
void reduce(const std::vector<Round> &own, Number Round::*member, MPI_Datatype type, MPI_Op op,
            std::vector<Round> &result, MPI_Comm comm) {
  std::vector<Number> values;
  for (const Round &round : own) values.push_back(round.*member);
  const bool root = example::rank_in(comm) == 0;
  MPI_Reduce(root ? MPI_IN_PLACE : values.data(), root ? values.data() : nullptr, static_cast<int>(values.size()), type,
             op, 0, comm);
  for (std::size_t i = 0; i < values.size(); ++i) result[i].*member = values[i];
}

}  // namespace

std::vector<Round> over_ranks(const std::vector<Round> &own, MPI_Comm comm) {
  std::vector<Round> result(own.size());
  reduce(own, &Round::tuples, MPI_LONG_LONG, MPI_SUM, result, comm);
  reduce(own, &Round::bytes, MPI_LONG_LONG, MPI_SUM, result, comm);
  reduce(own, &Round::exchange_seconds, MPI_DOUBLE, MPI_MAX, result, comm);
  reduce(own, &Round::least_seconds, MPI_DOUBLE, MPI_MIN, result, comm);
  return result;
}

Round total(const std::vector<Round> &rounds) {
  Round sum;
  for (const Round &round : rounds) {
    sum.tuples += round.tuples;
    sum.bytes += round.bytes;
    sum.exchange_seconds += round.exchange_seconds;
    sum.least_seconds += round.least_seconds;
  }
  return sum;
}

}  // namespace relations
