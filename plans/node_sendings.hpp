#pragma once

#include <cstdint>
#include <utility>
#include <vector>

#include "plans/leaders.hpp"
#include "plans/node_steps.hpp"

namespace rondo::internal {

// The messages that a rank sends in the steps of plans/node_steps.hpp, without their blocks. Each call adds the steps
// of the function of that name there.
class NodeSendings {
 public:
  NodeSendings(int rank, const Leaders &leaders, Serves serves);

  void hand_to_leaders();
  void go_directly();
  // Only where each leader has the same number of destinations on every node.
  [[nodiscard]] bool can_go_by_digits() const;
  void go_by_digits(int radix);
  void hand_to_destinations();

  [[nodiscard]] std::vector<Sending> all() && { return std::move(all_); }

 private:
  [[nodiscard]] int member(int index) const { return nodes_.members(node_)[static_cast<std::size_t>(index)]; }
  [[nodiscard]] std::vector<std::int64_t> destinations_by_leader() const;

  const Leaders &leaders_;
  const NodeIndex &nodes_;
  const Serves serves_;
  const int node_;
  const int own_;  // local index
  const int size_;
  int steps_ = 0;
  std::vector<Sending> all_;
};

}  // namespace rondo::internal
