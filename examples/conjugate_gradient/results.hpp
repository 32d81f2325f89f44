// All that one run of the example finds out, and its two written forms.
//
// SPDX-License-Identifier: BSD-3-Clause
#ifndef CONJUGATE_GRADIENT_RESULTS_HPP
#define CONJUGATE_GRADIENT_RESULTS_HPP

#include <ostream>
#include <string>
#include <vector>

#include "cost.hpp"
#include "plan_totals.hpp"

namespace cg {

struct Results {
  std::string file;
  std::string matrix;  // the file's name without folder and ending
  int ranks = 0;
  int rows = 0;
  int nonzeros = 0;             // both triangles
  long long halo_elements = 0;  // received by all ranks in one exchange
  double tolerance = 0;
  int iterations = 0;
  bool converged = false;
  double relative_residual = 0;
  double error = 0;  // the largest distance of an element of x from 1
  int repetitions = 0;
  std::vector<Cost> costs;  // MPI_Alltoallv first, Rondo last
  PlanTotals plan;
};

// The exchanges of one solve: one in each iteration, one for the right-hand side.
[[nodiscard]] inline int exchanges_of_solve(const Results &results) {
  return results.iterations + 1;
}

// For people: the lines that README.md explains.
void print_solve(std::ostream &out, const Results &results);
void print_costs(std::ostream &out, const Results &results);

// For programs.
void write_json(const std::string &path, const Results &results);

}  // namespace cg

#endif
