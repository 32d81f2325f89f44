#include "route/check.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <vector>

#include "route/arrivals.hpp"

namespace rondo::internal {

namespace {

// The first block that arrives twice, or that arrives at its own source; empty when there is none.
std::string first_repeat(const Route &route, const Arrivals &arrivals) {
  const auto all = arrivals.all();
  for (std::size_t i = 0; i < all.size(); ++i) {
    const Block &block = all[i].block;
    if (block.source == route.rank || (i > 0 && all[i - 1].block == block)) {
      return fmt::format("rank {} receives block ({}, {}) again in step {}", route.rank, block.source, block.part,
                         all[i].step);
    }
  }
  return {};
}

// A rank's own blocks count as held before step 0.
bool holds_before(const Route &route, const Arrivals &arrivals, const Block &block, int step) {
  if (block.source == route.rank) return true;
  const Arrival *arrival = arrivals.find(block);
  return arrival != nullptr && arrival->step < step;
}

std::string check_ends(const Route &route, const Traffic &traffic, const Blocks &wanted) {
  for (const Message &message : traffic.messages()) {
    if (message.peer < 0 || message.peer >= route.ranks || message.peer == route.rank) {
      return fmt::format("rank {} has a message with rank {}", route.rank, message.peer);
    }
    for (const Block &block : traffic.blocks(message)) {
      if (!wanted.has(block)) {
        return fmt::format("rank {} moves block ({}, {})", route.rank, block.source, block.part);
      }
    }
  }
  return {};
}

// Rule 1, and that every number is a rank's.
std::string check_shape(std::span<const Route> routes, const Blocks &wanted) {
  for (std::size_t rank = 0; rank < routes.size(); ++rank) {
    const Route &route = routes[rank];
    if (route.rank != static_cast<int>(rank) || route.ranks != static_cast<int>(routes.size())) {
      return fmt::format("route {} says rank {} of {}", rank, route.rank, route.ranks);
    }
    if (route.steps() != routes[0].steps()) {
      return fmt::format("rank {} has {} steps, rank 0 has {}", rank, route.steps(), routes[0].steps());
    }
    if (route.sends.steps() != route.receives.steps()) {
      return fmt::format("rank {} has {} steps of sends and {} of receives", rank, route.sends.steps(),
                         route.receives.steps());
    }
    for (const Traffic *traffic : {&route.sends, &route.receives}) {
      if (std::string fault = check_ends(route, *traffic, wanted); !fault.empty()) return fault;
    }
  }
  return {};
}

// Rule 2 for one step: sends sorted by (sender, receiver) and receives sorted likewise must be equal lists.
std::string check_step(std::span<const Route> routes, int step) {
  struct End {
    int from, to;
    std::span<const Block> blocks;
  };
  std::vector<End> sent;
  std::vector<End> received;
  for (const Route &route : routes) {
    for (const Message &m : route.sends.messages(step)) sent.push_back({route.rank, m.peer, route.sends.blocks(m)});
    for (const Message &m : route.receives.messages(step)) {
      received.push_back({m.peer, route.rank, route.receives.blocks(m)});
    }
  }
  const auto by_pair = [](const End &a, const End &b) { return std::pair(a.from, a.to) < std::pair(b.from, b.to); };
  std::stable_sort(sent.begin(), sent.end(), by_pair);
  std::stable_sort(received.begin(), received.end(), by_pair);
  for (std::size_t i = 0; i < std::max(sent.size(), received.size()); ++i) {
    if (i >= received.size() || (i < sent.size() && by_pair(sent[i], received[i]))) {
      return fmt::format("step {}: rank {} sends to rank {}, which does not receive it", step, sent[i].from,
                         sent[i].to);
    }
    if (i >= sent.size() || by_pair(received[i], sent[i])) {
      return fmt::format("step {}: rank {} receives from rank {}, which does not send it", step, received[i].to,
                         received[i].from);
    }
    if (!std::equal(sent[i].blocks.begin(), sent[i].blocks.end(), received[i].blocks.begin(),
                    received[i].blocks.end())) {
      return fmt::format("step {}: rank {} and rank {} disagree on the blocks of a message", step, sent[i].from,
                         sent[i].to);
    }
  }
  return {};
}

// Rules 3 and 4 for one rank.
std::string check_holdings(const Route &route, const Blocks &wanted) {
  const Arrivals arrivals(route);
  if (std::string repeat = first_repeat(route, arrivals); !repeat.empty()) return repeat;
  for (int step = 0; step < route.steps(); ++step) {
    for (const Message &message : route.sends.messages(step)) {
      for (const Block &block : route.sends.blocks(message)) {
        if (!holds_before(route, arrivals, block, step)) {
          return fmt::format("step {}: rank {} sends block ({}, {}), which it does not hold", step, route.rank,
                             block.source, block.part);
        }
      }
    }
  }
  const auto all = arrivals.all();
  const std::int64_t received = std::count_if(
      all.begin(), all.end(), [&](const Arrival &arrival) { return wanted.is_for(route.rank, arrival.block); });
  if (received == wanted.count_for(route.rank)) return {};
  return fmt::format("rank {} receives {} of the {} blocks meant for it", route.rank, received,
                     wanted.count_for(route.rank));
}

std::string check(std::span<const Route> routes, const Blocks &wanted) {
  if (routes.empty()) return "there are no routes";
  if (std::string fault = check_shape(routes, wanted); !fault.empty()) return fault;
  for (int step = 0; step < routes[0].steps(); ++step) {
    if (std::string fault = check_step(routes, step); !fault.empty()) return fault;
  }
  for (const Route &route : routes) {
    if (std::string fault = check_holdings(route, wanted); !fault.empty()) return fault;
  }
  return {};
}

}  // namespace

std::string check_routes(std::span<const Route> routes) {
  return check_routes(routes, {.ranks = static_cast<int>(routes.size()), .node_of = {}}, all_to_all);
}

std::string check_routes(std::span<const Route> routes, const Topology &topology, const Kind &kind, const Cut *cut) {
  return check(routes, Blocks(kind, topology, cut));
}

}  // namespace rondo::internal
