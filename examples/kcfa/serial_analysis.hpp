// The same analysis without relations: evaluates all calls that are reached, until nothing changes.
//
// SPDX-License-Identifier: BSD-3-Clause
#ifndef KCFA_SERIAL_ANALYSIS_HPP
#define KCFA_SERIAL_ANALYSIS_HPP

#include "program.hpp"
#include "relations/answer.hpp"

namespace kcfa {

[[nodiscard]] relations::Answer analyse_serially(const Program &program, int k);

}  // namespace kcfa

#endif
