#pragma once

#include <cstdint>
#include <vector>

#include "cli/problem.hpp"
#include "plans/algorithm.hpp"

namespace rondo::internal::cli {

// How many bytes each block of a problem has, in the first start where they vary: a pure function of (problem, source,
// destination), in constant time. Where blocks are segments, what the source has for all. Every rank can compute any
// block's size, so receive counts, forwarded sizes and extremes need no communication.
class BlockSizes {
 public:
  explicit BlockSizes(const Problem &problem);

  [[nodiscard]] std::int64_t operator()(int source, int destination) const;
  // By rank, what it has for all that receive from it: where the problem's blocks are segments.
  [[nodiscard]] std::vector<std::int64_t> contributions() const;

  // The smallest and the largest over all P x P blocks. For random sizes it looks at the draws until it has met the
  // smallest and the largest that there can be: half a second at P = 16,384 where it meets none.
  [[nodiscard]] Case whole_case() const;

 private:
  [[nodiscard]] bool is_drawn() const;
  [[nodiscard]] std::int64_t drawn(double fraction) const;
  [[nodiscard]] std::int64_t drawn_for(int destination, double fraction) const;
  [[nodiscard]] Case case_of_contributions() const;
  [[nodiscard]] Case case_of_normal_ranks() const;
  [[nodiscard]] Case case_of_fixed() const;
  [[nodiscard]] std::int64_t position(int source, int destination) const;

  Problem problem_;
  std::uint64_t key_;
  std::int64_t stride_ = 1;             // coprime to P
  std::int64_t smallest_ = 0;           // of a window
  std::vector<std::int64_t> by_power_;  // powerlaw: the size at each exponent
  double peak_ = 0;                     // normal_ranks: the bytes expected for the rank in the middle
};

// What all ranks know of the problem when an algorithm is chosen: of sizes that vary, nothing.
Case case_of(const Problem &problem);

}  // namespace rondo::internal::cli
