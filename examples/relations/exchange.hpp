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

template <class Tuple>
class Exchange {
 public:
  Exchange() = default;
  Exchange(const Exchange &) = delete;
  Exchange &operator=(const Exchange &) = delete;
  virtual ~Exchange() = default;

  // What all ranks, this one too, have for this one, in rank order; valid until the next. Collective.
  virtual std::span<const Tuple> run(const Outbox<Tuple> &outbox) = 0;
};

}  // namespace relations

#endif
