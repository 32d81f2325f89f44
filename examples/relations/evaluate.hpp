// Evaluates a program's relations with each exchange that the options name.
//
// SPDX-License-Identifier: BSD-3-Clause
#ifndef RELATIONS_EVALUATE_HPP
#define RELATIONS_EVALUATE_HPP

#include <algorithm>
#include <memory>
#include <optional>
#include <utility>

#include "relations/fixed_point.hpp"
#include "relations/mpi_exchange.hpp"
#include "relations/report.hpp"
#include "relations/rondo_exchange.hpp"
#include "relations/session.hpp"
#include "shared/slowest_rank.hpp"

namespace relations {

template <class Tuple>
std::unique_ptr<Exchange<Tuple> > make_exchange(ExchangeKind kind, const Session &session) {
  if (kind == ExchangeKind::mpi) return std::make_unique<MpiExchange<Tuple> >(session.comm);
  rondo::Hints hints;
  if (!session.options.algorithm.empty()) hints.set("rondo_algorithm", session.options.algorithm);
  return std::make_unique<RondoExchange<Tuple> >(session.comm, hints);
}

// make_part makes this rank's part of the relations from the input. The part's answer() is what it holds in the end.
template <class Tuple, class MakePart>
Evaluation evaluate(ExchangeKind kind, const Session &session, MakePart &make_part) {
  const RoundWatcher watch = [&](int round, long long tuples) {
    if (session.progress.shown())
      session.progress.update(name_of(kind) + ": round " + std::to_string(round) + ", " + std::to_string(tuples) +
                              " new tuples");
  };
  std::optional<decltype(make_part())> part;
  std::vector<Round> rounds;
  const double seconds = example::slowest_rank_seconds(session.comm, [&] {
    part.emplace(make_part());
    const auto exchange = make_exchange<Tuple>(kind, session);
    rounds = run_to_fixed_point(*part, *exchange, session.comm, watch);
  });
  return {kind, seconds, over_ranks(part->answer(), session.comm), over_ranks(rounds, session.comm)};
}

// Every kind in turn, in alternating order, so often as the options say. Throws example::CollectiveError when two
// answers differ. Collective.
template <class Tuple, class MakePart>
std::vector<Evaluation> evaluate_all(const Session &session, MakePart &&make_part) {
  std::vector<Evaluation> evaluations;
  auto kinds = session.options.kinds;
  // The first in a process gets its memory from the system, which the later ones find there: not to be compared.
  if (kinds.size() > 1) static_cast<void>(evaluate<Tuple>(kinds.front(), session, make_part));
  for (int repetition = 0; repetition < session.options.repetitions; ++repetition) {
    for (const auto kind : kinds) {
      evaluations.push_back(evaluate<Tuple>(kind, session, make_part));
      if (evaluations.back().answer != evaluations.front().answer)
        throw example::CollectiveError("two evaluations have different answers");
    }
    std::reverse(kinds.begin(), kinds.end());
  }
  return evaluations;
}

}  // namespace relations

#endif
