#include "schedule/run.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstring>
#include <utility>

#include "exchange/error.hpp"
#include "schedule/forwarding_table.hpp"
#include "schedule/lower.hpp"

namespace rondo::internal {

namespace {

// Messages on their way, first in, first out between two ranks. All senders put theirs in, in ascending order of
// rank, before the first is taken: so each receiver's letters lie sorted.
template <class Item>
class Mail {
 public:
  explicit Mail(std::size_t ranks) : boxes_(ranks) {}

  void put(int from, int to, std::vector<Item> items) { boxes_.at(to).push_back({from, false, std::move(items)}); }
  std::vector<Item> take(int from, int to) {
    auto &box = boxes_.at(to);
    auto letter = std::lower_bound(box.begin(), box.end(), from, [](const Letter &l, int key) { return l.from < key; });
    while (letter != box.end() && letter->from == from && letter->taken) ++letter;
    if (letter == box.end() || letter->from != from) {
      throw Error(Fault::internal, fmt::format("rank {} receives from rank {} what is not sent", to, from));
    }
    letter->taken = true;
    return std::move(letter->items);
  }

 private:
  struct Letter {
    int from;
    bool taken;
    std::vector<Item> items;
  };
  std::vector<std::vector<Letter>> boxes_;  // by receiver
};

std::byte *address(const Spaces &spaces, const Place &place) {
  switch (place.space) {
    case Space::receive: return spaces.receive + place.offset;
    case Space::scratch: return spaces.scratch + place.offset;
    case Space::send: break;
  }
  return const_cast<std::byte *>(spaces.send) + place.offset;  // read only: rule 3
}

void run_copies(const std::vector<Copy> &copies, const Spaces &spaces) {
  for (const Copy &copy : copies) {
    std::memcpy(address(spaces, copy.to), address(spaces, {copy.from.offset, copy.from.space}),
                static_cast<std::size_t>(copy.from.length));
  }
}

std::vector<std::byte> gather(const Schedule &schedule, const Transfer &transfer, const Spaces &spaces) {
  std::vector<std::byte> bytes;
  bytes.reserve(transfer.bytes);
  for (const Slice &slice : schedule.slices_of(transfer)) {
    const std::byte *from = address(spaces, {slice.offset, slice.space});
    bytes.insert(bytes.end(), from, from + slice.length);
  }
  return bytes;
}

void scatter(const Schedule &schedule, const Transfer &transfer, const std::vector<std::byte> &bytes,
             const Spaces &spaces) {
  const std::byte *from = bytes.data();
  for (const Slice &slice : schedule.slices_of(transfer)) {
    std::memcpy(address(spaces, {slice.offset, slice.space}), from, static_cast<std::size_t>(slice.length));
    from += slice.length;
  }
}

std::int64_t largest_block(std::span<const Exchange> exchanges) {
  std::int64_t largest = 0;
  for (const Exchange &exchange : exchanges) {
    for (const Extent &extent : exchange.send) largest = std::max(largest, extent.length);
  }
  return largest;
}

}  // namespace

std::vector<char> others_of_node(const Topology &topology, int rank) {
  const auto node_of = [&](int r) { return topology.node_of.empty() ? 0 : topology.node_of[r]; };
  std::vector<char> others;
  for (int other = 0; other < topology.ranks; ++other) {
    others.push_back(other != rank && node_of(other) == node_of(rank) ? 1 : 0);
  }
  return others;
}

Planned plan_all(const Algorithm &algorithm, const Parameters &parameters, const Topology &topology,
                 std::span<const Exchange> exchanges, Wire wire, const Halving &halving, const TypedReceives &typed) {
  Planned planned{route_all(algorithm, parameters, topology, exchanges[0].cut.get()), {}};
  planned.schedules = lower_all(algorithm.layout, planned.routes, topology, exchanges, wire, halving, typed);
  return planned;
}

std::vector<Schedule> lower_all(Layout layout, std::span<const Route> routes, const Topology &topology,
                                std::span<const Exchange> exchanges, Wire wire, const Halving &halving,
                                const TypedReceives &typed) {
  std::vector<Schedule> schedules;
  std::vector<ForwardingTable> forwarding;
  for (const Route &route : routes) forwarding.push_back(forwarding_table_of(route));
  const std::vector<Sizes> sizes = learn_all_sizes(routes, forwarding, exchanges);
  const std::int64_t largest = largest_block(exchanges);
  for (int rank = 0; rank < topology.ranks; ++rank) {
    const auto index = static_cast<std::size_t>(rank);
    const std::vector<char> shares = wire == Wire::shared ? others_of_node(topology, rank) : std::vector<char>{};
    const LayoutInput input{routes[index],
                            forwarding[index],
                            sizes[index],
                            exchanges[index],
                            largest,
                            shares,
                            wire == Wire::shared ? Wire::packed : wire,
                            halving,
                            typed};
    schedules.push_back(lower(layout, input));
  }
  return schedules;
}

std::vector<Sizes> learn_all_sizes(std::span<const Route> routes, std::span<const ForwardingTable> forwarding,
                                   std::span<const Exchange> exchanges) {
  std::vector<Sizes> sizes;
  for (std::size_t rank = 0; rank < routes.size(); ++rank) {
    sizes.push_back(known_sizes(routes[rank], exchanges[rank]));
  }
  if (exchanges[0].kind->all_sizes_known()) return sizes;
  for (int step = 0; step < routes[0].steps(); ++step) {
    Mail<std::int64_t> mail(routes.size());
    for (std::size_t rank = 0; rank < routes.size(); ++rank) {
      forward_sizes(routes[rank], forwarding[rank], step, sizes[rank]);
      for (const Message &message : routes[rank].sends.messages(step)) {
        std::vector<std::int64_t> numbers(message.count);
        announce(message, sizes[rank], numbers);
        mail.put(routes[rank].rank, message.peer, std::move(numbers));
      }
    }
    for (std::size_t rank = 0; rank < routes.size(); ++rank) {
      for (const Message &message : routes[rank].receives.messages(step)) {
        take_announced(message, mail.take(message.peer, routes[rank].rank), sizes[rank]);
      }
    }
  }
  for (std::size_t rank = 0; rank < routes.size(); ++rank) check_sizes(routes[rank], exchanges[rank], sizes[rank]);
  return sizes;
}

std::vector<Route> route_all(const Algorithm &algorithm, const Parameters &parameters, const Topology &topology,
                             const Cut *cut) {
  std::vector<Route> routes;
  for (int rank = 0; rank < topology.ranks; ++rank) {
    routes.push_back(algorithm.route_of(rank, topology, parameters, cut));
  }
  return routes;
}

void run_all(std::span<const Schedule> schedules, std::span<const Spaces> spaces) {
  for (std::size_t rank = 0; rank < schedules.size(); ++rank) {
    run_copies(schedules[rank].prologue, spaces[rank]);
    run_copies(schedules[rank].meanwhile, spaces[rank]);
  }
  for (std::size_t step = 0; step < schedules[0].steps.size(); ++step) {
    Mail<std::byte> mail(schedules.size());
    for (std::size_t rank = 0; rank < schedules.size(); ++rank) {
      const Schedule &schedule = schedules[rank];
      for (const Transfer &send : schedule.sends_of(schedule.steps[step])) {
        mail.put(schedule.rank, send.peer, gather(schedule, send, spaces[rank]));
      }
    }
    for (std::size_t rank = 0; rank < schedules.size(); ++rank) {
      const Schedule &schedule = schedules[rank];
      for (const Transfer &receive : schedule.receives_of(schedule.steps[step])) {
        scatter(schedule, receive, mail.take(receive.peer, schedule.rank), spaces[rank]);
      }
    }
  }
  for (std::size_t rank = 0; rank < schedules.size(); ++rank) run_copies(schedules[rank].epilogue, spaces[rank]);
}

}  // namespace rondo::internal
