// The exchange as MPI programs have it: the counts by MPI_Alltoall, then the tuples by MPI_Alltoallv.
//
// SPDX-License-Identifier: BSD-3-Clause
#ifndef RELATIONS_MPI_EXCHANGE_HPP
#define RELATIONS_MPI_EXCHANGE_HPP

#include <mpi.h>

#include <limits>
#include <numeric>
#include <rondo/rondo.hpp>
#include <stdexcept>
#include <vector>

#include "relations/exchange.hpp"
#include "relations/huge_pages.hpp"
#include "shared/on_root.hpp"

namespace relations {

template <class Tuple>
class MpiExchange : public Exchange<Tuple> {
 public:
  explicit MpiExchange(MPI_Comm comm) : comm_(comm), send_(example::ranks_of(comm)), receive_(send_) {}

  std::span<const Tuple> run(const Outbox<Tuple> &outbox) override {
    send_.counts.assign(outbox.counts().begin(), outbox.counts().end());
    MPI_Alltoall(send_.counts.data(), 1, MPI_INT, receive_.counts.data(), 1, MPI_INT, comm_);
    send_.place();
    const std::size_t arriving = receive_.place();
    if (arriving > incoming_.size()) incoming_.resize(arriving + arriving / 2);
    MPI_Alltoallv(outbox.elements().data(), send_.counts.data(), send_.displacements.data(),
                  rondo::Datatype<Tuple>::type(), incoming_.data(), receive_.counts.data(),
                  receive_.displacements.data(), rondo::Datatype<Tuple>::type(), comm_);
    return std::span(incoming_).first(arriving);
  }

 private:
  struct Side {
    explicit Side(int ranks) : counts(ranks), displacements(ranks) {}
    // Puts the blocks one after the other; returns how many tuples they have.
    std::size_t place() {
      const auto all = std::accumulate(counts.begin(), counts.end(), std::int64_t{0});
      if (all > std::numeric_limits<int>::max()) throw std::runtime_error("more tuples than MPI_Alltoallv can take");
      std::exclusive_scan(counts.begin(), counts.end(), displacements.begin(), 0);
      return static_cast<std::size_t>(all);
    }
    std::vector<int> counts;
    std::vector<int> displacements;
  };

  MPI_Comm comm_;
  Side send_;
  Side receive_;
  LargeVector<Tuple> incoming_;
};

}  // namespace relations

#endif
