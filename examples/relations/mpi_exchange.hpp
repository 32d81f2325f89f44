// The exchange as MPI programs have it: the counts by MPI_Alltoall, then the tuples by MPI_Alltoallv.
//
// SPDX-License-Identifier: BSD-3-Clause
#ifndef RELATIONS_MPI_EXCHANGE_HPP
#define RELATIONS_MPI_EXCHANGE_HPP

#include <mpi.h>

#include <algorithm>
#include <cstddef>
#include <limits>
#include <numeric>
#include <rondo/rondo.hpp>
#include <span>
#include <stdexcept>
#include <vector>

#include "relations/exchange.hpp"
#include "relations/huge_pages.hpp"
#include "shared/on_root.hpp"

namespace relations {

template <class Tuple>
class MpiExchange : public Exchange<Tuple> {
 public:
  using typename Exchange<Tuple>::Incoming;

  explicit MpiExchange(MPI_Comm comm)
      : comm_(comm), blocks_(example::ranks_of(comm)), send_(example::ranks_of(comm)), receive_(send_) {}

  // Blocks keep their memory from round to round.
  std::span<Tuple> room(int rank, std::size_t tuples) override {
    if (blocks_[rank].size() < tuples) blocks_[rank].resize(tuples);
    return blocks_[rank];
  }
  // Puts the blocks one after the other; the first one is there already.
  void prepare(const Outbox<Tuple> &outbox) override {
    int first = 0;
    while (first + 1 < outbox.ranks() && outbox.block(first).empty()) ++first;
    outgoing_.swap(blocks_[first]);
    std::size_t all = outbox.block(first).size();
    for (int rank = 0; rank < outbox.ranks(); ++rank) {
      const auto block = outbox.block(rank);
      if (block.size() > std::numeric_limits<int>::max()) refuse();
      send_.counts[rank] = static_cast<int>(block.size());
      if (rank <= first) continue;
      if (all + block.size() > outgoing_.size()) outgoing_.resize(all + block.size() + all / 2);
      std::copy(block.begin(), block.end(), outgoing_.begin() + static_cast<std::ptrdiff_t>(all));
      all += block.size();
    }
  }
  Incoming run() override {
    MPI_Alltoall(send_.counts.data(), 1, MPI_INT, receive_.counts.data(), 1, MPI_INT, comm_);
    send_.place();
    const std::size_t arriving = receive_.place();
    if (arriving > incoming_.size()) incoming_.resize(arriving + arriving / 2);
    MPI_Alltoallv(outgoing_.data(), send_.counts.data(), send_.displacements.data(), rondo::Datatype<Tuple>::type(),
                  incoming_.data(), receive_.counts.data(), receive_.displacements.data(),
                  rondo::Datatype<Tuple>::type(), comm_);
    all_ = std::span(incoming_).first(arriving);
    return {&all_, 1};
  }

 private:
  [[noreturn]] static void refuse() { throw std::runtime_error("more tuples than MPI_Alltoallv can take"); }

  struct Side {
    explicit Side(int ranks) : counts(ranks), displacements(ranks) {}
    // Puts the blocks one after the other; returns how many tuples they have.
    std::size_t place() {
      const auto all = std::accumulate(counts.begin(), counts.end(), std::int64_t{0});
      if (all > std::numeric_limits<int>::max()) refuse();
      std::exclusive_scan(counts.begin(), counts.end(), displacements.begin(), 0);
      return static_cast<std::size_t>(all);
    }
    std::vector<int> counts;
    std::vector<int> displacements;
  };

  MPI_Comm comm_;
  std::vector<LargeVector<Tuple> > blocks_;  // by rank
  LargeVector<Tuple> outgoing_;
  Side send_;
  Side receive_;
  LargeVector<Tuple> incoming_;
  std::span<const Tuple> all_;
};

}  // namespace relations

#endif
