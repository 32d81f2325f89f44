#include "schedule/layout.hpp"

#include <algorithm>
#include <utility>

#include "exchange/error.hpp"
#include "schedule/compact.hpp"

namespace rondo::internal {

namespace {

// A number of ranks' distance, taken round the ring into 0..P-1.
int around(int distance, int ranks) {
  return ((distance % ranks) + ranks) % ranks;
}

// Everything straight from the send space to the receive space. The other policies change what differs.
LayoutResult lay_out_direct(const LayoutInput &p) {
  LayoutResult places;
  for (int part = 0; part < p.exchange.own_parts(); ++part) {
    places.own.push_back({p.exchange.sent({p.route.rank, part}).offset, Space::send});
  }
  places.arrived.reserve(p.route.receives.blocks().size());
  for (const Block &block : p.route.receives.blocks()) {
    places.arrived.push_back({p.exchange.received(block).offset, Space::receive});
  }
  const Extent self = p.exchange.for_itself();
  const Extent &target = p.exchange.receive[p.route.rank];
  if (self.length > 0) {
    places.meanwhile.push_back({{self.offset, self.length, Space::send}, {target.offset, Space::receive}});
  }
  return places;
}

Slice receive_slot(const LayoutInput &p, int index) {
  const Extent &extent = p.exchange.receive[index];
  return {extent.offset, extent.length, Space::receive};
}

Slice send_slot(const LayoutInput &p, int index) {
  const Extent &extent = p.exchange.send[index];
  return {extent.offset, extent.length, Space::send};
}

Place start_of(const Slice &slice) {
  return {slice.offset, slice.space};
}

void add_copy(std::vector<Copy> &copies, const Slice &from, const Place &to) {
  if (from.length > 0) copies.push_back({from, to});
}

// The ring position of a block that travels downwards, at the rank that holds it: the rank plus the block's
// distance. A block that has arrived is at its source's position (Träff 2014, section 2).
int position_down(const LayoutInput &p, const Block &block) {
  return around(p.route.rank + block.source - block.part, p.route.ranks);
}

// Upwards, the distance alone (Träff 2014, section 2: index j of R).
int position_up(const LayoutInput &p, const Block &block) {
  return around(block.part - block.source, p.route.ranks);
}

// TuNA, section III-C: only resting blocks take scratch. Where memory is shared, or with datatypes, no place is lent
// again so soon that a sender, or MPI, might write there what the receiver still has to send.
LayoutResult lay_out_compact(const LayoutInput &p) {
  LayoutResult places = lay_out_direct(p);
  places.steps_disjoint = !p.shares_memory.empty() || p.wire != Wire::packed;
  places.writers_reach_scratch = !p.shares_memory.empty();
  RestingBlocks resting = pack_resting_blocks(p, places.arrived);
  places.scratch_bytes = resting.scratch_bytes;
  places.free_from = std::move(resting.free_from);
  return places;
}

// Fan 2022, section 3.2: the monolithic working buffer W of P slots, indexed by ring position.
LayoutResult lay_out_slots(const LayoutInput &p) {
  LayoutResult places = lay_out_direct(p);
  places.scratch_bytes = checked_multiply(p.route.ranks, p.largest_block, "scratch");
  const auto blocks = p.route.receives.blocks();
  for (std::size_t e = 0; e < blocks.size(); ++e) {
    if (p.exchange.ends_here(blocks[e])) continue;
    places.arrived[e] = {position_down(p, blocks[e]) * p.largest_block, Space::scratch};
  }
  return places;
}

// Fan 2022, section 3.1: pad into slots, exchange slots, cut the data out.
LayoutResult lay_out_padded(const LayoutInput &p) {
  LayoutResult places = lay_out_direct(p);
  places.padded_to = p.largest_block;
  places.scratch_bytes = checked_multiply(p.route.ranks, p.largest_block, "scratch");
  const auto slot = [&](int position) { return Place{position * p.largest_block, Space::scratch}; };
  for (int peer = 0; peer < p.route.ranks; ++peer) {
    if (peer == p.route.rank) continue;
    places.own[peer] = slot(position_down(p, {p.route.rank, peer}));
    add_copy(places.prologue, send_slot(p, peer), places.own[peer]);
    const Slice target = receive_slot(p, peer);
    add_copy(places.epilogue, {slot(peer).offset, target.length, Space::scratch}, start_of(target));
  }
  const auto blocks = p.route.receives.blocks();
  for (std::size_t e = 0; e < blocks.size(); ++e) places.arrived[e] = slot(position_down(p, blocks[e]));
  return places;
}

// Fan 2022, section 4.1 (PaddedAlltoall): as above, with other slots for what is sent and what is received.
LayoutResult lay_out_padded_direct(const LayoutInput &p) {
  LayoutResult places = lay_out_direct(p);
  places.padded_to = p.largest_block;
  places.scratch_bytes = checked_multiply(2L * p.route.ranks, p.largest_block, "scratch");
  const auto slot = [&](int index) { return Place{index * p.largest_block, Space::scratch}; };
  for (int peer = 0; peer < p.route.ranks; ++peer) {
    if (peer == p.route.rank) continue;
    places.own[peer] = slot(peer);
    add_copy(places.prologue, send_slot(p, peer), slot(peer));
    const Slice target = receive_slot(p, peer);
    add_copy(places.epilogue, {slot(p.route.ranks + peer).offset, target.length, Space::scratch}, start_of(target));
  }
  const auto blocks = p.route.receives.blocks();
  for (std::size_t e = 0; e < blocks.size(); ++e) places.arrived[e] = slot(p.route.ranks + blocks[e].source);
  return places;
}

// Fan 2022, section 6.1 (of SLOAV): a temporary buffer, resized to what each position needs, and a final scan.
LayoutResult lay_out_gathered(const LayoutInput &p) {
  LayoutResult places = lay_out_direct(p);
  const auto blocks = p.route.receives.blocks();
  std::vector<std::int64_t> room(p.route.ranks, 0);
  for (std::size_t e = 0; e < blocks.size(); ++e) {
    std::int64_t &needed = room[position_up(p, blocks[e])];
    needed = std::max(needed, p.sizes.received[e]);
  }
  std::vector<std::int64_t> offset;
  for (const std::int64_t needed : room) {
    offset.push_back(places.scratch_bytes);
    places.scratch_bytes = checked_add(places.scratch_bytes, needed, "scratch");
  }
  for (std::size_t e = 0; e < blocks.size(); ++e) {
    const Place rest{offset[position_up(p, blocks[e])], Space::scratch};
    places.arrived[e] = rest;
    if (!p.exchange.ends_here(blocks[e])) continue;
    add_copy(places.epilogue, {rest.offset, p.sizes.received[e], Space::scratch},
             start_of(receive_slot(p, blocks[e].source)));
  }
  return places;
}

// Träff 2014, section 2 (Basic Bruck): R[j] = S[rank + j] first; at the end block j goes to R[rank - j].
LayoutResult lay_out_rotated(const LayoutInput &p) {
  LayoutResult places = lay_out_direct(p);
  const int rank = p.route.rank;
  const int ranks = p.route.ranks;
  places.rests_in_receive = true;
  places.meanwhile.clear();
  places.scratch_bytes = checked_multiply(ranks, p.largest_block, "scratch");
  for (int j = 0; j < ranks; ++j) {
    const Slice rest = receive_slot(p, j);
    const int peer = around(rank + j, ranks);
    places.own[peer] = start_of(rest);
    add_copy(places.prologue, send_slot(p, peer), start_of(rest));
    add_copy(places.epilogue, rest, {j * p.largest_block, Space::scratch});
  }
  for (int j = 0; j < ranks; ++j) {
    const Slice target = receive_slot(p, around(rank - j, ranks));
    add_copy(places.epilogue, {j * p.largest_block, target.length, Space::scratch}, start_of(target));
  }
  const auto blocks = p.route.receives.blocks();
  for (std::size_t e = 0; e < blocks.size(); ++e) {
    places.arrived[e] = start_of(receive_slot(p, position_up(p, blocks[e])));
  }
  return places;
}

// Fan 2022, section 2.1 (Zero Rotation Bruck): an index array instead of the first rotation, which is what
// `own` is; a block rests where the last one of its position will.
LayoutResult lay_out_unrotated(const LayoutInput &p) {
  LayoutResult places = lay_out_direct(p);
  places.rests_in_receive = true;
  const auto blocks = p.route.receives.blocks();
  for (std::size_t e = 0; e < blocks.size(); ++e) {
    places.arrived[e] = start_of(receive_slot(p, position_down(p, blocks[e])));
  }
  return places;
}

// Träff 2014, section 2 (Modified Bruck): R[rank + j] = S[rank - j] first.
LayoutResult lay_out_rotated_first(const LayoutInput &p) {
  LayoutResult places = lay_out_unrotated(p);
  places.meanwhile.clear();
  for (int peer = 0; peer < p.route.ranks; ++peer) {
    places.own[peer] = start_of(receive_slot(p, position_down(p, {p.route.rank, peer})));
    add_copy(places.prologue, send_slot(p, peer), places.own[peer]);
  }
  return places;
}

// Träff 2014, section 3.3 (Zero-copy Bruck): by turns in the receive buffer and in scratch, so that what comes
// in never lands on what goes out; the last one of a position lands in the receive buffer.
LayoutResult lay_out_alternating(const LayoutInput &p) {
  LayoutResult places = lay_out_unrotated(p);
  places.scratch_bytes = checked_multiply(p.route.ranks, p.largest_block, "scratch");
  const auto blocks = p.route.receives.blocks();
  std::vector<char> in_scratch(p.route.ranks, 0);  // whether the next one, going backwards, rests in scratch
  for (std::size_t e = blocks.size(); e-- > 0;) {
    const int position = position_down(p, blocks[e]);
    char &turn = in_scratch[position];
    if (turn != 0) places.arrived[e] = {position * p.largest_block, Space::scratch};
    turn = static_cast<char>(turn == 0);
  }
  return places;
}

// Träff 2014, section 3.5 (irregular Zero-copy Bruck): a resting block may be larger than the one that ends at its
// position, so both of the places that are used by turns are in buffers of their own.
LayoutResult lay_out_alternating_slots(const LayoutInput &p) {
  LayoutResult places = lay_out_direct(p);
  const std::int64_t buffer = checked_multiply(p.route.ranks, p.largest_block, "scratch");
  places.scratch_bytes = checked_multiply(2, buffer, "scratch");
  const auto blocks = p.route.receives.blocks();
  std::vector<char> in_second(p.route.ranks, 0);  // whether the next one rests in the second buffer
  for (std::size_t e = 0; e < blocks.size(); ++e) {
    if (p.exchange.ends_here(blocks[e])) continue;
    const int position = position_down(p, blocks[e]);
    char &turn = in_second[position];
    places.arrived[e] = {turn * buffer + position * p.largest_block, Space::scratch};
    turn = static_cast<char>(turn == 0);
  }
  return places;
}

// Marks the places of a policy by which no step receives where something lies that it sends.
LayoutResult with_disjoint_steps(LayoutResult places) {
  places.steps_disjoint = true;
  return places;
}

}  // namespace

LayoutResult lay_out(Layout layout, const LayoutInput &input) {
  switch (layout) {
    case Layout::direct: return with_disjoint_steps(lay_out_direct(input));
    case Layout::compact: return lay_out_compact(input);
    case Layout::slots: return lay_out_slots(input);
    case Layout::padded: return lay_out_padded(input);
    case Layout::padded_direct: return with_disjoint_steps(lay_out_padded_direct(input));
    case Layout::gathered: return lay_out_gathered(input);
    case Layout::rotated: return lay_out_rotated(input);
    case Layout::rotated_first: return lay_out_rotated_first(input);
    case Layout::unrotated: return lay_out_unrotated(input);
    case Layout::alternating: return with_disjoint_steps(lay_out_alternating(input));
    case Layout::alternating_slots: return with_disjoint_steps(lay_out_alternating_slots(input));
    case Layout::native: break;
  }
  throw Error(Fault::internal, "a native plan has no layout");
}

}  // namespace rondo::internal
