// Holds an answer to a serial program's.
//
// SPDX-License-Identifier: BSD-3-Clause
#ifndef RELATIONS_CHECK_HPP
#define RELATIONS_CHECK_HPP

#include <functional>
#include <stdexcept>

#include "relations/report.hpp"
#include "relations/session.hpp"
#include "shared/on_root.hpp"

namespace relations {

// Where the options ask for it: runs the serial program on rank 0 and notes in the report that the answers are the
// same. Throws example::CollectiveError when they are not. Collective.
inline void check(const Session &session, Report &report, const std::function<Answer()> &serial) {
  if (!session.options.check) return;
  example::on_root(session.comm, [&] {
    session.progress.stage("checking");
    const Answer expected = serial();
    const Answer &found = report.evaluations.front().answer;
    if (found != expected)
      throw std::runtime_error("the serial program finds " + std::to_string(expected.tuples) + " tuples, this one " +
                               std::to_string(found.tuples) + (found.tuples == expected.tuples ? " others" : ""));
    report.figures["check"] = "the serial program has the same answer";
  });
}

}  // namespace relations

#endif
