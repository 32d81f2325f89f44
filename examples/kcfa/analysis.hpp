// The analysis as relations over all ranks. A rank holds the facts about its subjects, so that it joins them alone:
//
//   value(b, closure)          <- value(a, closure), flow(a, b).
//   what apply() makes of them <- value(a, closure), call(a, site).
//
// SPDX-License-Identifier: BSD-3-Clause
#ifndef KCFA_ANALYSIS_HPP
#define KCFA_ANALYSIS_HPP

#include <mpi.h>

#include <cstdint>
#include <span>
#include <vector>

#include "numbering.hpp"
#include "point.hpp"
#include "relations/answer.hpp"
#include "relations/outbox.hpp"
#include "relations/table.hpp"

namespace kcfa {

// One rank's facts.
class Analysis {
 public:
  // Contexts are k calls long. The program outlives this object.
  Analysis(const Program &program, int k, MPI_Comm comm);

  // What follows from the new facts and those before them.
  void derive(relations::Outbox<Fact> &outbox);
  // Takes facts whose subjects are here; returns how many of them are new.
  std::size_t absorb(std::span<const std::span<const Fact> > blocks);

  // The values and the calls.
  [[nodiscard]] relations::Answer answer() const;

 private:
  // A fact in this rank's numbers of points.
  struct Numbered {
    Relation relation;
    std::uint32_t subject;
    std::uint32_t object;
    std::uint32_t before;  // the fact before this one in its chain, counted from 1; 0: none
  };
  // The latest facts about a subject, counted from 1: its values, and what is done with them.
  struct Chains {
    std::uint32_t values = 0;
    std::uint32_t uses = 0;
  };

  template <class Emit>
  void join(const Numbered &use, std::uint32_t closure, const Emit &emit) const;
  template <class Emit>
  void join_with_earlier(Numbered &fact, const Emit &emit);
  void add(std::span<const Fact> incoming);

  const Program &program_;
  int k_;
  int ranks_;
  bool begins_;  // on rank 0: the program has yet to be evaluated
  Numbering<Point> points_;
  relations::Table<> known_;
  std::vector<Numbered> facts_;
  std::size_t joined_ = 0;  // of facts_
  std::vector<Chains> chains_;
};

}  // namespace kcfa

#endif
