#pragma once

// What Bruck's algorithm and all that descend from it share: a block travels by the digits of its distance.

#include "plans/algorithm.hpp"

namespace rondo::internal {

// Which way blocks travel round the ring of ranks. The distance i of block (s, d) is counted that way:
// d = s + i upwards, d = s - i downwards, modulo P.
enum class Direction { up, down };

// In step (x, z), for each digit x of base r and each value 0 < z < r with z r^x < P, every rank sends the
// blocks whose distance has digit x equal to z to the rank at distance z r^x, in ascending order of distance.
// With radix 2 this is Bruck's algorithm (Träff 2014, section 2); the radix is TuNA's, section III-A.
Route digit_route(int rank, int ranks, int radix, Direction direction);

// Steps: the pairs (x, z). Block moves: the non-zero digits of all distances 1..P-1.
Outline digit_outline(int ranks, int radix);

// The same in the form in which an algorithm names its route and its outline. Radix 2 where it takes none.
Route digits_up(int rank, const Topology &topology, const Parameters &parameters);
Route digits_down(int rank, const Topology &topology, const Parameters &parameters);
Outline digits_outline(const Topology &topology, const Parameters &parameters);
std::optional<std::vector<Sending>> digits_up_sendings(int rank, const NodeIndex &nodes, const Parameters &parameters);
std::optional<std::vector<Sending>> digits_down_sendings(int rank, const NodeIndex &nodes,
                                                         const Parameters &parameters);

// The blocks that each rank sends on such a route of load.size() ranks, downwards, when every rank has load[d] of
// them for rank d instead of one. The block moves of digit_outline where all loads are 1.
std::vector<std::int64_t> digit_moves(std::span<const std::int64_t> load, int radix);

// A radix of at least 2 is needed; one above P makes no difference.
std::string radix_obstacle(const Case &situation, const Parameters &parameters);

// As above, and all blocks must have the same size.
std::string uniform_obstacle(const Case &situation, const Parameters &parameters);

}  // namespace rondo::internal
