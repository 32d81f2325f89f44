#include "plans/all_gather.hpp"

#include <algorithm>

#include "exchange/exchange.hpp"

namespace rondo::internal {

namespace {

std::size_t at(int index) {
  return static_cast<std::size_t>(index);
}

void carry_all(Traffic &traffic, std::span<const Block> blocks) {
  for (const Block &block : blocks) traffic.carry(block);
}

// A member's view of its circle.
class Seat {
 public:
  Seat(const Circle &circle, int rank)
      : circle_(circle),
        members_(static_cast<int>(circle.members.size())),
        own_(static_cast<int>(std::find(circle.members.begin(), circle.members.end(), rank) - circle.members.begin())) {
  }

  [[nodiscard]] int members() const { return members_; }
  // Places in the circle, going round from this member's own.
  [[nodiscard]] int place(int distance) const { return ((own_ + distance) % members_ + members_) % members_; }

  // `count` bundles from a place on.
  void send(Route &route, int distance, int first, int count) const {
    route.sends.begin_message(circle_.members[at(place(distance))]);
    carry(route.sends, first, count);
  }
  void receive(Route &route, int distance, int first, int count) const {
    route.receives.begin_message(circle_.members[at(place(distance))]);
    carry(route.receives, first, count);
  }
  [[nodiscard]] bool holds(int member, int bundle) const {
    const int held = circle_.held.empty() ? 1 : circle_.held[at(member)];
    return (bundle - member + members_) % members_ < held;
  }

 private:
  void carry(Traffic &traffic, int first, int count) const {
    for (int i = 0; i < count; ++i) carry_all(traffic, circle_.bundles[at((first + i) % members_)]);
  }

  const Circle &circle_;
  int members_;
  int own_;
};

void add_ring(Route &route, const Seat &seat) {
  for (int step = 0; step + 1 < seat.members(); ++step) {
    route.begin_step();
    const int onwards = seat.place(-step);
    const int coming = seat.place(-1 - step);
    if (!seat.holds(seat.place(1), onwards)) seat.send(route, 1, onwards, 1);
    if (!seat.holds(seat.place(0), coming)) seat.receive(route, -1, coming, 1);
  }
}

// Before a step each member has as many bundles as it goes far, from its own on.
void add_dissemination(Route &route, const Seat &seat, int radix) {
  for (std::int64_t far = 1; far < seat.members(); far *= radix) {
    route.begin_step();
    for (std::int64_t times = 1; times < radix && times * far < seat.members(); ++times) {
      const int distance = static_cast<int>(times * far);
      const int count = static_cast<int>(std::min<std::int64_t>(far, seat.members() - distance));
      seat.send(route, -distance, seat.place(0), count);
      seat.receive(route, distance, seat.place(distance), count);
    }
  }
}

// The segments of a source that a rank carries.
std::vector<Block> carried_by(const Cut &cut, int source, int carrier) {
  std::vector<Block> blocks;
  const auto segments = cut.of(source);
  for (std::size_t part = 0; part < segments.size(); ++part) {
    if (segments[part].carrier == carrier) blocks.push_back({source, static_cast<std::int32_t>(part)});
  }
  return blocks;
}

// The rank that sends a message of a step to this one, with its segments for it.
struct Incoming {
  int source;
  std::vector<Block> blocks;
  bool has_other_carriers;
};

// In the order in which they are received.
std::vector<Incoming> incoming(const Cut &cut, const Party &sources, int carrier) {
  std::vector<Incoming> list;
  for (int source = sources.first; source < sources.first + sources.size; ++source) {
    std::vector<Block> blocks = carried_by(cut, source, carrier);
    if (blocks.empty()) continue;
    const bool others = blocks.size() < cut.of(source).size();
    list.push_back({source, std::move(blocks), others});
  }
  if (list.size() < 2) return list;
  if (list.front().has_other_carriers) std::rotate(list.begin(), list.begin() + 1, list.end());
  const auto last = list.end() - (list.back().source < list.front().source ? 2 : 1);
  if (last->has_other_carriers && last > list.begin()) std::rotate(list.begin(), last, last + 1);
  return list;
}

}  // namespace

Party first_group(const Topology &topology) {
  return {0, topology.two_groups() ? topology.second_group : topology.ranks};
}

Party second_group(const Topology &topology) {
  return {first_group(topology).size, topology.ranks - first_group(topology).size};
}

Party own_group(const Topology &topology, int rank) {
  return first_group(topology).holds(rank) ? first_group(topology) : second_group(topology);
}

Party other_group(const Topology &topology, int rank) {
  return first_group(topology).holds(rank) ? second_group(topology) : first_group(topology);
}

int all_gather_steps(int members, int radix) {
  if (radix <= 1) return std::max(0, members - 1);
  int steps = 0;
  for (std::int64_t far = 1; far < members; far *= radix) ++steps;
  return steps;
}

Stage gathering_stage(int first, int second, int radix) {
  Stage stage{.steps = all_gather_steps(std::max(first, second), radix)};
  if (radix <= 1) stage.rings = {all_gather_steps(first, radix), all_gather_steps(second, radix)};
  return stage;
}

void add_all_gather(Route &route, const Circle &circle, int radix, int steps) {
  const int last = route.steps() + steps;
  const Seat seat(circle, route.rank);
  radix <= 1 ? add_ring(route, seat) : add_dissemination(route, seat, radix);
  while (route.steps() < last) route.begin_step();
}

Cut uncut(const Topology &topology, std::span<const std::int64_t> bytes) {
  Cut cut;
  for (int rank = 0; rank < topology.ranks; ++rank) {
    cut.begin_source();
    cut.add({0, bytes[at(rank)], rank});
  }
  return cut;
}

std::vector<std::vector<Block>> carried_by_each(const Cut &cut, const Party &sources, const Party &carriers) {
  std::vector<std::vector<Block>> bundles(at(carriers.size));
  for (int source = sources.first; source < sources.first + sources.size; ++source) {
    const auto segments = cut.of(source);
    for (std::size_t part = 0; part < segments.size(); ++part) {
      bundles[at(segments[part].carrier - carriers.first)].push_back({source, static_cast<std::int32_t>(part)});
    }
  }
  return bundles;
}

void add_crossing(Route &route, const Topology &topology, const Cut &cut) {
  route.begin_step();
  const auto own = cut.of(route.rank);
  for (std::size_t part = 0; part < own.size(); ++part) {
    if (part == 0 || own[part].carrier != own[part - 1].carrier) route.sends.begin_message(own[part].carrier);
    route.sends.carry({route.rank, static_cast<std::int32_t>(part)});
  }
  for (const Incoming &message : incoming(cut, other_group(topology, route.rank), route.rank)) {
    route.receives.begin_message(message.source);
    carry_all(route.receives, message.blocks);
  }
}

Route cross_and_gather(int rank, const Topology &topology, const Parameters &parameters, const Cut &cut) {
  Route route(rank, topology.ranks);
  add_crossing(route, topology, cut);
  const Party own = own_group(topology, rank);
  const Party sources = other_group(topology, rank);
  Circle circle;
  for (int i = 0; i < own.size; ++i) circle.members.push_back(own.rank(i));
  circle.bundles = carried_by_each(cut, sources, own);
  add_all_gather(route, circle, parameters.radix, all_gather_steps(std::max(own.size, sources.size), parameters.radix));
  return route;
}

std::vector<Stage> crossing_and_gathering(const Topology &topology, const Parameters &parameters) {
  return {Stage{1}, gathering_stage(first_group(topology).size, second_group(topology).size, parameters.radix)};
}

void add_balanced_cut(Cut &cut, const Party &sources, const Party &carriers, std::span<const std::int64_t> bytes) {
  std::int64_t all = 0;
  for (int i = 0; i < sources.size; ++i) all = checked_add(all, bytes[at(sources.rank(i))], "the data of a group");
  const int parts = std::max(1, carriers.size);
  const auto end_of = [&](int carrier) {  // in the data of all sources, one after the other
    return all / parts * (carrier + 1) + std::min<std::int64_t>(all % parts, carrier + 1);
  };
  int carrier = 0;
  std::int64_t done = 0;
  for (int i = 0; i < sources.size; ++i) {
    cut.begin_source();
    const std::int64_t whole = bytes[at(sources.rank(i))];
    for (std::int64_t offset = 0; offset < whole;) {
      while (end_of(carrier) <= done) ++carrier;
      const std::int64_t length = std::min(whole - offset, end_of(carrier) - done);
      cut.add({offset, length, carriers.rank(carrier)});
      offset += length;
      done += length;
    }
  }
}

Cut balanced_cut(const Topology &topology, std::span<const std::int64_t> bytes) {
  Cut cut;
  add_balanced_cut(cut, first_group(topology), second_group(topology), bytes);
  add_balanced_cut(cut, second_group(topology), first_group(topology), bytes);
  return cut;
}

std::string two_groups_obstacle(const Case &situation, const Parameters &) {
  return situation.topology.two_groups() ? "" : "it exchanges between the two groups of an intercommunicator";
}

std::string one_group_obstacle(const Case &situation, const Parameters &) {
  return situation.topology.two_groups() ? "it gathers in the one group of an intracommunicator" : "";
}

Parameters gather_limits(const Topology &topology, const Parameters &) {
  const int most = std::max(first_group(topology).size, second_group(topology).size);
  return {.radix = std::max(2, most), .block_count = 1, .leaders = 1};
}

}  // namespace rondo::internal
