#pragma once

#include <algorithm>
#include <cstdint>
#include <vector>

#include "api/local.hpp"
#include "model/choose.hpp"
#include "schedule/custody.hpp"
#include "wire/learn.hpp"

namespace rondo::internal {

// What the phases of init hand on.
struct Planning {
  const Channel &channel;
  Local &local;
  const Agreed &agreed;
  std::vector<std::int64_t> gathered;  // by rank: the bytes of its data, for an all-gather
  Choice choice{};
  std::vector<char> shares{};  // by rank: whether this rank shares memory with it; empty where it shares none
  Wire wire = Wire::message;   // of messages that are not shared

  [[nodiscard]] bool shares_any() const {
    return std::any_of(shares.begin(), shares.end(), [](char with) { return with != 0; });
  }
  // Whether blocks pass through ranks that do not know their sizes.
  [[nodiscard]] bool forwards() const {
    const Layout layout = choice.algorithm->layout;
    return layout != Layout::native && !one_hop(layout) && !local.arguments.gathers();
  }
  [[nodiscard]] const Topology &topology() const { return agreed.features.situation.topology; }
};

// The route, and what it takes to learn the sizes along it.
struct Traced {
  explicit Traced(const Planning &p)
      : route(p.choice.route(p.channel.rank(), p.topology())),
        custody(trace_custody(route)),
        learner(route, custody, p.local.exchange) {}

  Route route;
  Custody custody;
  SizeLearner learner;  // refers to the others
};

}  // namespace rondo::internal
