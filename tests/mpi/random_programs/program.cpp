#include "tests/mpi/random_programs/program.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <span>

#include "tests/random_programs/draw.hpp"

namespace rondo::random_programs {

namespace {

constexpr const char *all_to_all_algorithms[] = {"native",
                                                 "linear",
                                                 "spread_out",
                                                 "scattered",
                                                 "pairwise",
                                                 "exclusive_or",
                                                 "basic_bruck",
                                                 "modified_bruck",
                                                 "zero_rotation_bruck",
                                                 "zero_copy_bruck",
                                                 "irregular_zero_copy_bruck",
                                                 "padded_bruck",
                                                 "padded_alltoall",
                                                 "two_phase_bruck",
                                                 "sloav",
                                                 "tuna",
                                                 "tuna_hierarchical",
                                                 "node_aggregated",
                                                 "tuna_explicit"};
constexpr const char *all_gather_algorithms[] = {
    "native",   "dissemination", "spread_out",     "segmented",
    "balanced", "two_stage",     "root_gathering", "pipelined_root_gathering"};
constexpr const char *ways_of_long_messages[] = {"auto", "rings", "attach"};
constexpr const char *wires[] = {"auto", "shared", "packed", "datatype"};

// Units. Small blocks mostly, as what goes wrong seldom needs long ones; and the lengths from which on messages go
// other ways: cut (64 KiB), pulled (16 KiB in plan buffers, anything long where a rank moves 1.5 MiB), rendezvous of
// MPI.
int draw_largest(Draw &draw, const Exchange &exchange) {
  constexpr int lengths[] = {0, 1, 3, 8, 40, 56, 57, 100, 512, 1500, 4096, 17'000, 40'000, 70'000, 200'000};
  int most = draw.pick(lengths);
  if (draw.one_in(12)) most = draw.pick({1 << 20, (2 << 20) + 5, 4 << 20});
  const int unit = exchange.send_element == Element::byte ? 1 : 4 * exchange.integers_of_a_unit;
  return (most + unit - 1) / unit;
}

void draw_hints(Draw &draw, Exchange &exchange, bool several_threads) {
  const auto hint = [&](const char *key, const std::string &value) { exchange.hints.emplace_back(key, value); };
  if (!draw.one_in(3)) {
    const char *algorithm = exchange.gathers() ? draw.pick(all_gather_algorithms) : draw.pick(all_to_all_algorithms);
    hint("rondo_algorithm", algorithm);
    if (draw.one_in(3)) hint("rondo_radix", std::to_string(draw.between(2, 4)));
    if (draw.one_in(4)) hint("rondo_native", draw.one_in(2) ? "persistent" : "nonblocking");
    if (draw.one_in(4)) hint("rondo_block_count", std::to_string(draw.between(1, 3)));
  }
  if (draw.one_in(2)) hint("rondo_wire", draw.pick(wires));
  if (draw.one_in(4)) hint("rondo_node_size", std::to_string(draw.between(1, 3)));
  if (draw.one_in(4)) hint("rondo_long_messages", draw.pick(ways_of_long_messages));
  if (draw.one_in(6)) hint("rondo_validate", "1");
  if (draw.one_in(8)) {
    hint("rondo_tune", "measure");
    hint("rondo_tune_budget", draw.one_in(4) ? "0" : "0.001");
  }
  if (draw.one_in(5)) hint("rondo_stall_timeout", "1000");
  if (several_threads && draw.one_in(6)) hint("rondo_progress", "thread");
}

void draw_buffers(Draw &draw, Exchange &exchange) {
  const auto side = [&] { return draw.one_in(3) ? Buffer::plans : Buffer::callers; };
  exchange.receive = side();
  const bool may_be_in_place = exchange.kind != Kind::neighbor_alltoallv && exchange.group != Group::two_groups;
  exchange.send = may_be_in_place && draw.one_in(6) ? Buffer::in_place : side();
  if (exchange.send == Buffer::in_place) exchange.send_element = exchange.receive_element;
}

// Those that a unit of so many integers consists of.
std::span<const Element> elements_of(int integers_of_a_unit) {
  static constexpr Element elements[] = {Element::integer, Element::triple, Element::gapped, Element::row};
  return std::span(elements).first(integers_of_a_unit == 8448 ? 4 : 3);
}

void draw_elements(Draw &draw, Exchange &exchange) {
  if (draw.one_in(2)) return;
  if (draw.one_in(4)) exchange.integers_of_a_unit = 8448;
  const auto elements = elements_of(exchange.integers_of_a_unit);
  exchange.send_element = elements[draw.below(static_cast<int>(elements.size()))];
  exchange.receive_element = elements[draw.below(static_cast<int>(elements.size()))];
  exchange.own_elements = draw.one_in(3);
}

Exchange draw_exchange(Draw &draw, int ranks, int phases, bool several_threads) {
  constexpr Kind kinds[] = {Kind::alltoallv, Kind::alltoallv, Kind::alltoallv,  Kind::alltoall,
                            Kind::alltoallw, Kind::allgather, Kind::allgatherv, Kind::neighbor_alltoallv};
  constexpr Group groups[] = {Group::all, Group::all, Group::all, Group::reversed, Group::half, Group::self};
  constexpr Pattern patterns[] = {Pattern::dense, Pattern::dense,     Pattern::sparse,       Pattern::one_way,
                                  Pattern::ring,  Pattern::one_sends, Pattern::one_receives, Pattern::empty};
  Exchange exchange;
  exchange.seed = draw.number();
  exchange.kind = draw.pick(kinds);
  exchange.group = exchange.kind == Kind::neighbor_alltoallv           ? Group::graph
                   : exchange.gathers() && ranks > 1 && draw.one_in(3) ? Group::two_groups
                                                                       : draw.pick(groups);
  exchange.pattern = draw.pick(patterns);
  exchange.equal_blocks = draw.one_in(3);
  exchange.backwards = draw.one_in(4);
  draw_elements(draw, exchange);
  draw_buffers(draw, exchange);
  exchange.largest = draw_largest(draw, exchange);
  draw_hints(draw, exchange, several_threads);
  exchange.made_in = draw.one_in(2) ? 0 : draw.below(phases);
  for (int phase = exchange.made_in; phase < phases; ++phase) {
    if (draw.one_in(2)) exchange.started_in.push_back(phase);
    if (phase > exchange.made_in && draw.one_in(4)) exchange.rebound_in.push_back(phase);
  }
  return exchange;
}

}  // namespace

int Exchange::units(int source, int destination, int ranks) const {
  if (kind == Kind::alltoall) return largest;
  if (gathers()) {
    const int some = static_cast<int>(mixed(seed, source) % static_cast<std::uint64_t>(largest + 1));
    return kind == Kind::allgather || equal_blocks ? largest : some;
  }
  if (send == Buffer::in_place && source > destination) std::swap(source, destination);  // the same both ways
  const auto number = mixed(seed, source, destination);
  const int one = static_cast<int>(seed % static_cast<std::uint64_t>(ranks));
  bool any = true;
  switch (pattern) {
    case Pattern::dense: break;
    case Pattern::sparse: any = number % 3 == 0; break;
    case Pattern::one_way: any = source < destination; break;
    case Pattern::ring: any = destination == (source + 1) % ranks; break;
    case Pattern::one_sends: any = source == one; break;
    case Pattern::one_receives: any = destination == one; break;
    case Pattern::empty: any = false; break;
  }
  if (!any) return 0;
  return equal_blocks ? largest : static_cast<int>((number >> 8) % static_cast<std::uint64_t>(largest + 1));
}

Element Exchange::element(bool sends, int source, int destination) const {
  const Element given = sends ? send_element : receive_element;
  const auto elements = elements_of(integers_of_a_unit);
  const bool each = kind == Kind::alltoallw && send != Buffer::in_place;
  if (given == Element::byte || (!each && !own_elements)) return given;
  if (each) return elements[mixed(seed, source, destination, sends ? 1 : 2) % elements.size()];
  const bool is_sender = sends && send != Buffer::in_place;
  return elements[mixed(seed, sends ? source : destination, is_sender ? 3 : 4) % elements.size()];
}

std::string Exchange::text() const {
  constexpr const char *kinds[] = {"alltoall",           "alltoallv", "alltoallw",
                                   "neighbor_alltoallv", "allgather", "allgatherv"};
  constexpr const char *patterns[] = {"dense", "sparse", "one way", "ring", "one sends", "one receives", "empty"};
  constexpr const char *groups[] = {"all", "all in reverse", "half", "self", "graph", "two groups"};
  constexpr const char *buffers[] = {"caller's", "plan's", "in place"};
  constexpr const char *elements[] = {"byte", "integer", "triple", "gapped", "row"};
  std::string given;
  for (const auto &[key, value] : hints) given += fmt::format(" {}={}", key, value);
  if (own_elements) given += ", elements of each rank's own";
  return fmt::format("{} on {}, {}, up to {} units of {}/{}, {} to {}{}", kinds[static_cast<int>(kind)],
                     groups[static_cast<int>(group)], patterns[static_cast<int>(pattern)], largest,
                     elements[static_cast<int>(send_element)], elements[static_cast<int>(receive_element)],
                     buffers[static_cast<int>(send)], buffers[static_cast<int>(receive)], given);
}

Program draw_program(std::uint64_t seed, int ranks, bool several_threads) {
  Draw draw(seed);
  Program program{.seed = seed, .phases = draw.between(1, 8)};
  const int exchanges = draw.between(1, 5);
  for (int i = 0; i < exchanges; ++i) {
    program.exchanges.push_back(draw_exchange(draw, ranks, program.phases, several_threads));
  }
  for (int messages = draw.below(most_messages + 1); messages > 0; --messages) {
    program.messages.push_back(
        {draw.below(program.phases), draw.below(ranks), draw.below(ranks), draw.pick({0, 4, 1000, 70'000, 300'000})});
  }
  for (int phase = 0; phase < program.phases; ++phase) {
    if (draw.one_in(5)) program.reductions.push_back(phase);
  }
  return program;
}

}  // namespace rondo::random_programs
