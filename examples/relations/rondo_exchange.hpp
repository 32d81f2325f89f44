// The exchange by Rondo: one plan, which takes new counts at each start. Tuples are built in its memory, and ranks that
// share memory read them where they have been built.
//
// SPDX-License-Identifier: BSD-3-Clause
#ifndef RELATIONS_RONDO_EXCHANGE_HPP
#define RELATIONS_RONDO_EXCHANGE_HPP

#include <mpi.h>

#include <cstddef>
#include <rondo/rondo.hpp>
#include <rondo/varying.hpp>
#include <vector>

#include "relations/exchange.hpp"

namespace relations {

template <class Tuple>
class RondoExchange : public Exchange<Tuple> {
 public:
  using typename Exchange<Tuple>::Incoming;

  RondoExchange(MPI_Comm comm, const rondo::Hints &hints) : plan_(comm, hints) {}

  std::span<Tuple> room(int rank, std::size_t tuples) override { return plan_.send_memory(rank, tuples); }
  void prepare(const Outbox<Tuple> &outbox) override {
    blocks_.clear();
    for (int rank = 0; rank < outbox.ranks(); ++rank) blocks_.push_back(outbox.block(rank));
  }
  Incoming run() override {
    const rondo::ReceivedBlocks<Tuple> received = plan_.exchange_blocks(blocks_);
    incoming_.assign(received.begin(), received.end());
    return incoming_;
  }

 private:
  rondo::VaryingAlltoallv<Tuple> plan_;
  std::vector<std::span<const Tuple> > blocks_;
  std::vector<std::span<const Tuple> > incoming_;
};

}  // namespace relations

#endif
