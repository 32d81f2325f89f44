#pragma once

#include <vector>

#include "route/route.hpp"

namespace rondo::internal {

// One end of a message, as one line of a test.
struct Leg {
  int step;
  int from;
  int to;
  std::vector<Block> blocks;
};

// The routes of all ranks, written down so that a test can break one thing in them.
struct Journey {
  int ranks = 0;
  int steps = 0;
  std::vector<Leg> sent;
  std::vector<Leg> received;

  [[nodiscard]] std::vector<Route> routes() const;
};

inline void put(Traffic &traffic, int peer, const std::vector<Block> &blocks) {
  traffic.begin_message(peer);
  for (const Block &block : blocks) traffic.carry(block);
}

inline std::vector<Route> Journey::routes() const {
  std::vector<Route> all;
  for (int rank = 0; rank < ranks; ++rank) {
    Route &route = all.emplace_back(rank, ranks);
    for (int step = 0; step < steps; ++step) {
      route.begin_step();
      for (const Leg &leg : sent) {
        if (leg.step == step && leg.from == rank) put(route.sends, leg.to, leg.blocks);
      }
      for (const Leg &leg : received) {
        if (leg.step == step && leg.to == rank) put(route.receives, leg.from, leg.blocks);
      }
    }
  }
  return all;
}

// Three ranks, two steps, right in everything: rank 1 passes on what rank 0 has for rank 2.
inline Journey relay() {
  const std::vector<Leg> legs = {
      {0, 0, 1, {{0, 1}, {0, 2}}}, {0, 1, 0, {{1, 0}}}, {0, 2, 0, {{2, 0}}},
      {1, 1, 2, {{0, 2}, {1, 2}}}, {1, 2, 1, {{2, 1}}},
  };
  return {.ranks = 3, .steps = 2, .sent = legs, .received = legs};
}

}  // namespace rondo::internal
