// The tuples that one rank has for the others.
//
// SPDX-License-Identifier: BSD-3-Clause
#ifndef RELATIONS_OUTBOX_HPP
#define RELATIONS_OUTBOX_HPP

#include <mpi.h>

#include <cstddef>
#include <span>
#include <vector>

#include "relations/huge_pages.hpp"

namespace relations {

template <class Tuple>
class Outbox {
 public:
  explicit Outbox(int ranks) : blocks_(ranks), counts_(ranks) {}

  void push(int rank, const Tuple &tuple) { blocks_[rank].push_back(tuple); }

  // Puts the blocks one after the other, in rank order, for elements() and counts(), and begins new ones.
  void close() {
    elements_.clear();
    for (std::size_t rank = 0; rank < blocks_.size(); ++rank) {
      counts_[rank] = static_cast<MPI_Count>(blocks_[rank].size());
      if (elements_.empty()) {
        elements_.swap(blocks_[rank]);
      } else {
        elements_.insert(elements_.end(), blocks_[rank].begin(), blocks_[rank].end());
      }
      blocks_[rank].clear();
    }
  }

  [[nodiscard]] std::span<const Tuple> elements() const { return elements_; }
  [[nodiscard]] std::span<const MPI_Count> counts() const { return counts_; }

 private:
  std::vector<LargeVector<Tuple> > blocks_;  // by rank
  LargeVector<Tuple> elements_;
  std::vector<MPI_Count> counts_;
};

}  // namespace relations

#endif
