#pragma once

// What an algorithm is: a name, the cases that it serves, its route, and how its blocks rest between hops.
//
// To add one, write one file here that defines an Algorithm, and list it in registry.cpp. Tests, the command,
// the choice and the documentation take it from the table. docs/adding-an-algorithm.md walks through one.

#include <array>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "exchange/cut.hpp"
#include "exchange/kind.hpp"
#include "exchange/topology.hpp"
#include "plans/parameters.hpp"
#include "route/nodes.hpp"
#include "route/route.hpp"

namespace rondo::internal {

// What all ranks know of a case when an algorithm is chosen: the same on every rank.
struct Case {
  Topology topology;
  std::int64_t smallest_block = 0;  // bytes, of all P x P blocks
  std::int64_t largest_block = 0;
  // Why the MPI library's own call does not do what MPI says of this one; null where it does.
  const char *native_fault = nullptr;
  // A rank may be in a call of the MPI library's from the end of its start on, in which nothing of ours can call MPI:
  // all MPI messages of an exchange must be under way by then.
  bool sends_at_start_only = false;

  [[nodiscard]] bool uniform() const { return smallest_block == largest_block; }
};

// Where blocks rest between their hops, and what is copied before and after. The policies are in
// schedule/layout.hpp; an algorithm only names its own.
enum class Layout {
  direct,             // every block goes from the send space straight to the receive space
  compact,            // resting blocks share scratch, each for as long as it rests
  slots,              // scratch has one slot of the largest block's size for each of P positions
  padded,             // blocks are padded into P slots, travel from slot to slot, and are cut out at the end
  padded_direct,      // blocks are padded into P slots and received into P others
  gathered,           // every received block rests in scratch until a last scan
  rotated,            // rotated into the receive space first, rotated back last
  rotated_first,      // rotated into the receive space first
  unrotated,          // blocks rest in the receive space, at the place of the block that comes there last
  alternating,        // blocks rest in the receive space and in scratch by turns
  alternating_slots,  // scratch has two slots of the largest block's size for each of P positions, used by turns
  native,             // nothing to lay out: the MPI library does it all
};

// Whether every block makes one hop, so that no rank needs to be told a size.
constexpr bool one_hop(Layout layout) {
  return layout == Layout::direct || layout == Layout::padded_direct;
}

// Whether blocks are padded to the size of the largest.
constexpr bool pads(Layout layout) {
  return layout == Layout::padded || layout == Layout::padded_direct;
}

// What the busiest rank does when no block is empty: the exact figures, in closed form or from the topology, without
// any rank's route. Where ranks differ each figure is that of the rank which has most of it.
struct Outline {
  std::int64_t steps = 0;
  std::int64_t messages = 0;     // sent
  std::int64_t block_moves = 0;  // blocks in them
};

// A message that a rank sends, without the blocks in it.
struct Sending {
  int step;
  int peer;
  std::int64_t blocks;
};

// Steps that belong together: no rank begins the next stage before it is through with this one.
struct Stage {
  int steps;                          // of the route
  std::array<int, 2> rings = {0, 0};  // steps of a ring that each group's ranks are in; 0: they are in none
};

// What an algorithm whose blocks are segments has in place of a route and an outline: it cuts the data, and sends the
// pieces. Its cost is counted along its routes.
struct BySegments {
  // How the data of all ranks is cut; bytes[r] is what rank r has for those that receive from it.
  Cut (*cut)(const Topology &, std::span<const std::int64_t> bytes);
  Route (*route)(int rank, const Topology &, const Parameters &, const Cut &);
  std::vector<Stage> (*stages)(const Topology &, const Parameters &);
};

struct Algorithm {
  std::string_view name;
  std::string_view summary;
  std::string_view source;  // paper, section
  Layout layout = Layout::direct;
  bool by_name_only = false;  // a form that a paper compares with: never chosen, only taken where it is named
  bool takes_radix = false;
  bool takes_block_count = false;
  bool takes_leaders = false;
  bool takes_pattern = false;
  // Where none were given. 32 messages are the batch of MPICH's own scattered all-to-all
  // (MPIR_CVAR_ALLTOALL_THROTTLE).
  Parameters defaults = {.radix = 2, .block_count = 32, .leaders = 1, .pattern = Pattern::coalesced};
  // Why the algorithm does not serve this case; empty when it does.
  std::string (*obstacle)(const Case &, const Parameters &) = nullptr;
  // The largest parameters that make a difference when these are wished; null: P, and P - 1 for the block count.
  Parameters (*limits)(const Topology &, const Parameters &) = nullptr;
  Route (*route)(int rank, const Topology &, const Parameters &) = nullptr;
  Outline (*outline)(const Topology &, const Parameters &) = nullptr;
  // The messages of a rank's route, in any order, made without the blocks: for counting where routes are long. Nothing
  // on topologies where there is no such short way; null: there is none at all.
  std::optional<std::vector<Sending>> (*sendings)(int rank, const NodeIndex &, const Parameters &) = nullptr;
  const BySegments *by_segments = nullptr;  // of an algorithm for a kind of exchange whose blocks are segments

  // The route of a rank, whatever the blocks are: the cut is null where they are no segments. Not of Layout::native.
  [[nodiscard]] Route route_of(int rank, const Topology &topology, const Parameters &parameters, const Cut *cut) const {
    return cut != nullptr ? by_segments->route(rank, topology, parameters, *cut) : route(rank, topology, parameters);
  }
};

// The kinds of exchange for which there are algorithms, and the algorithms for one, both in the order in which
// `rondo algorithms` lists them.
std::span<const Kind *const> kinds();
std::span<const Algorithm *const> algorithms(const Kind &kind = all_to_all);

// Their names, in that order.
std::vector<std::string_view> algorithm_names(const Kind &kind = all_to_all);

// Null when there is none of that name.
const Algorithm *find_algorithm(std::string_view name, const Kind &kind = all_to_all);

// The parameters with defaults where none was given, cut to what makes a difference on this topology (a radix above P
// is a radix of P), and zero where the algorithm takes none.
Parameters effective(const Algorithm &algorithm, const Parameters &wished, const Topology &topology);

// The same for ranks that are all on one node.
Parameters effective(const Algorithm &algorithm, const Parameters &wished, int ranks);

}  // namespace rondo::internal
