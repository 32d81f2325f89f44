#pragma once

// One case to plan, run or measure, written as one string:
//
//     alltoallv p=6 node=4 algorithm=tuna radix=3 dist=powerlaw:0.99 max=64 seed=7
//
// The string reproduces the case exactly, data included; docs/problems.md describes every word.

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "cli/distribution.hpp"
#include "cli/usage_error.hpp"
#include "exchange/kind.hpp"
#include "plans/algorithm.hpp"

namespace rondo::internal::cli {

struct Problem {
  // An alltoallw is an alltoallv whose blocks have datatypes, drawn from the seed, at both ends; on MPI. An
  // alltoallv_varying is one whose sizes are drawn anew for each start, and known to nobody before it. In an allgatherv
  // what a rank has for all is as long as its block for rank 0 would be. A neighbor_alltoallv is an alltoallv of the
  // blocks that are not empty; on MPI they are the edges of a graph.
  enum class Call : std::uint8_t { alltoallv, alltoall, alltoallw, alltoallv_varying, allgatherv, neighbor_alltoallv };

  Call call = Call::alltoallv;
  int ranks = 0;
  int node = 0;                // ranks per node; 0: all on one node
  int first_group = 0;         // ranks of the first group of an intercommunicator; 0: one group
  std::string algorithm = {};  // empty: to be chosen
  Parameters parameters = {};  // 0 where not said
  Distribution distribution = {};
  std::int64_t largest = 64;  // bytes of the largest block that the distribution allows
  std::uint64_t seed = 1;
  std::int64_t gap = 0;   // bytes between blocks, in both spaces
  bool shuffled = false;  // blocks lie in another order than that of ranks
  std::string wire = {};  // rondo_wire, on MPI; empty: not said

  friend bool operator==(const Problem &, const Problem &) = default;

  [[nodiscard]] bool varies() const { return call == Call::alltoallv_varying; }
  [[nodiscard]] const Kind &kind() const { return call == Call::allgatherv ? all_gather : all_to_all; }
  // Whether what a rank has is for all that receive from it.
  [[nodiscard]] bool by_segment() const { return kind().blocks == Numbered::by_segment; }
  // The problem as its sizes are in a start, counted from 0: where they do not vary, as they always are.
  [[nodiscard]] Problem in_start(int start) const {
    Problem drawn = *this;
    if (varies()) drawn.seed += static_cast<std::uint64_t>(start);
    return drawn;
  }
};

// What does not parse, and where.
class ProblemError : public UsageError {
 public:
  // what() has the reason, the text, and a caret under the place.
  ProblemError(std::string_view text, std::size_t at, std::string what_is_wrong);

  std::size_t position;  // of the first character that is wrong
  std::string reason;
};

// The problems among the words of a command line, where each should be one word but may have come without its quotes: a
// word that is a call begins a problem.
std::vector<std::string> join_problems(std::span<const std::string> words);

// The call that a problem's text begins with; nothing where it begins with none.
std::optional<Problem::Call> call_of(std::string_view text);

// Reads a problem; throws ProblemError. Where `ranks` is given (on MPI, the communicator's size), p may be left
// out and may not differ.
Problem parse_problem(std::string_view text, int ranks = 0);

// Parses back to the same problem.
std::string to_string(const Problem &problem);

// Ranks in order, `node` of them on each node; the last node may hold fewer.
Topology topology_of(const Problem &problem);

}  // namespace rondo::internal::cli
