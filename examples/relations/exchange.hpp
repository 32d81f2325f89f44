// An exchange of tuples whose counts are new every time, by MPI or by Rondo.
//
// SPDX-License-Identifier: BSD-3-Clause
#ifndef RELATIONS_EXCHANGE_HPP
#define RELATIONS_EXCHANGE_HPP

#include <span>
#include <string>

#include "relations/outbox.hpp"

namespace relations {

enum class ExchangeKind { mpi, rondo };

[[nodiscard]] inline std::string name_of(ExchangeKind kind) {
  return kind == ExchangeKind::mpi ? "mpi" : "rondo";
}

// In each round an outbox is filled in its memory, and then come prepare() and run().
template <class Tuple>
class Exchange : public Outbox<Tuple>::Memory {
 public:
  using Incoming = std::span<const std::span<const Tuple> >;

  Exchange() = default;
  Exchange(const Exchange &) = delete;
  Exchange &operator=(const Exchange &) = delete;

  // Makes of an outbox what run() sends.
  virtual void prepare(const Outbox<Tuple> &outbox) = 0;
  // What all ranks, this one too, have for this one, in rank order; valid until the next. Collective.
  virtual Incoming run() = 0;
};

}  // namespace relations

#endif
