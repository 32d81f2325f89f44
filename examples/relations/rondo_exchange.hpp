// The exchange by Rondo: one plan, which takes new counts at each start.
//
// SPDX-License-Identifier: BSD-3-Clause
#ifndef RELATIONS_RONDO_EXCHANGE_HPP
#define RELATIONS_RONDO_EXCHANGE_HPP

#include <mpi.h>

#include <rondo/rondo.hpp>
#include <rondo/varying.hpp>

#include "relations/exchange.hpp"

namespace relations {

template <class Tuple>
class RondoExchange : public Exchange<Tuple> {
 public:
  RondoExchange(MPI_Comm comm, const rondo::Hints &hints) : plan_(comm, hints) {}

  std::span<const Tuple> run(const Outbox<Tuple> &outbox) override {
    return plan_.exchange(outbox.elements(), outbox.counts()).all();
  }

 private:
  rondo::VaryingAlltoallv<Tuple> plan_;
};

}  // namespace relations

#endif
