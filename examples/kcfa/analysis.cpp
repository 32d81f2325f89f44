// SPDX-License-Identifier: BSD-3-Clause
#include "analysis.hpp"

#include <utility>

#include "relations/hash.hpp"
#include "relations/pair.hpp"
#include "rules.hpp"
#include "shared/on_root.hpp"

namespace kcfa {

Analysis::Analysis(const Program &program, int k, MPI_Comm comm)
    : program_(program), k_(k), ranks_(example::ranks_of(comm)), begins_(example::rank_in(comm) == 0) {}

void Analysis::derive(relations::Outbox<Fact> &outbox) {
  const auto emit = [&](const Fact &fact) { outbox.push(relations::owner(hash(fact.subject), ranks_), fact); };
  if (begins_) evaluate(program_, program_.root, Context{}, emit);
  begins_ = false;
  for (; joined_ < facts_.size(); ++joined_) join_with_earlier(facts_[joined_], emit);
}

// So every value meets every use of its subject once: when the later of the two has its turn.
template <class Emit>
void Analysis::join_with_earlier(Numbered &fact, const Emit &emit) {
  const auto place = static_cast<std::uint32_t>(joined_ + 1);
  Chains &chains = chains_[fact.subject];
  if (fact.relation == Relation::value) {
    for (auto use = chains.uses; use != 0; use = facts_[use - 1].before) join(facts_[use - 1], fact.object, emit);
    fact.before = std::exchange(chains.values, place);
    return;
  }
  // A lambda is its own value.
  if (program_[points_[fact.subject].label].kind == Kind::lambda) join(fact, fact.subject, emit);
  for (auto value = chains.values; value != 0; value = facts_[value - 1].before)
    join(fact, facts_[value - 1].object, emit);
  fact.before = std::exchange(chains.uses, place);
}

template <class Emit>
void Analysis::join(const Numbered &use, std::uint32_t closure, const Emit &emit) const {
  if (use.relation == Relation::flow)
    emit(Fact{Relation::value, points_[use.object], points_[closure]});
  else
    apply(program_, points_[use.object], points_[closure], k_, emit);
}

void Analysis::add(std::span<const Fact> incoming) {
  for (const Fact &fact : incoming) {
    const auto subject = points_.number_of(fact.subject);
    const auto object = points_.number_of(fact.object);
    const auto relation = static_cast<std::uint32_t>(fact.relation);
    if (known_.add(relations::pair(subject * 4 + relation, object)).added)
      facts_.push_back({fact.relation, subject, object, 0});
  }
}

std::size_t Analysis::absorb(std::span<const std::span<const Fact> > blocks) {
  const std::size_t before = facts_.size();
  for (const auto block : blocks) add(block);
  chains_.resize(points_.size());
  return facts_.size() - before;
}

relations::Answer Analysis::answer() const {
  relations::Answer answer;
  for (const Numbered &fact : facts_) {
    if (fact.relation == Relation::value) answer.add(hash(points_[fact.subject]) ^ 3 * hash(points_[fact.object]));
    if (fact.relation == Relation::call) answer.add(hash(points_[fact.object]));
  }
  return answer;
}

}  // namespace kcfa
