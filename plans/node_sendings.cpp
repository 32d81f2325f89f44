#include "plans/node_sendings.hpp"

#include <algorithm>

#include "plans/digit_walk.hpp"

namespace rondo::internal {

NodeSendings::NodeSendings(int rank, const Leaders &leaders, Serves serves)
    : leaders_(leaders),
      nodes_(leaders.nodes()),
      serves_(serves),
      node_(nodes_.node_of(rank)),
      own_(nodes_.local_index(rank)),
      size_(nodes_.size(node_)) {}

// The destinations on other nodes whose blocks each leader of this one gets.
std::vector<std::int64_t> NodeSendings::destinations_by_leader() const {
  const int count = leaders_.count(node_);
  if (serves_ == Serves::nodes) {
    std::vector<std::int64_t> by_leader(static_cast<std::size_t>(count), 0);
    for (int home = 0; home < nodes_.nodes(); ++home) {
      if (home != node_) by_leader[static_cast<std::size_t>(leaders_.by_node(node_, home))] += nodes_.size(home);
    }
    return by_leader;
  }
  LeaderSums sums(count);
  for (int home = 0; home < nodes_.nodes(); ++home) {
    if (home != node_) sums.add(leaders_.first_number(home), nodes_.size(home), 1);
  }
  return sums.sums();
}

void NodeSendings::hand_to_leaders() {
  const std::vector<std::int64_t> by_leader = destinations_by_leader();
  for (int to = 0; to < size_; ++to) {
    const std::int64_t far = to < std::ssize(by_leader) ? by_leader[static_cast<std::size_t>(to)] : 0;
    if (to != own_) all_.push_back({steps_, member(to), 1 + far});
  }
  ++steps_;
}

void NodeSendings::go_directly() {
  for (int other = 0; other < nodes_.nodes(); ++other) {
    if (other == node_ || leaders_.by_node(node_, other) != own_) continue;
    const int leader = nodes_.members(other)[static_cast<std::size_t>(leaders_.by_node(other, node_))];
    all_.push_back({steps_, leader, static_cast<std::int64_t>(size_) * nodes_.size(other)});
  }
  ++steps_;
}

bool NodeSendings::can_go_by_digits() const {
  return nodes_.is_even() && size_ % leaders_.count(node_) == 0;
}

void NodeSendings::go_by_digits(int radix) {
  const std::int64_t ring = nodes_.nodes();
  const int count = leaders_.count(node_);
  const std::int64_t from_node_to_node = static_cast<std::int64_t>(size_) * (size_ / count);
  for_each_step(ring, radix, [&](std::int64_t power, std::int64_t hop) {
    const int step = steps_++;
    if (own_ >= count) return;
    const auto to = static_cast<int>((node_ - hop + ring) % ring);
    const int leader = nodes_.members(to)[static_cast<std::size_t>(own_)];
    all_.push_back({step, leader, count_distances(ring, radix, power, hop) * from_node_to_node});
  });
}

void NodeSendings::hand_to_destinations() {
  std::int64_t led = 0;  // ranks on the nodes whose blocks this one has
  for (int other = 0; other < nodes_.nodes(); ++other) {
    if (other == node_) continue;
    if (serves_ == Serves::destinations || leaders_.by_node(node_, other) == own_) led += nodes_.size(other);
  }
  for (int to = 0; to < size_; ++to) {
    const bool has = serves_ == Serves::nodes || leaders_.by_destination(node_, member(to)) == own_;
    if (to != own_ && has && led > 0) all_.push_back({steps_, member(to), led});
  }
  ++steps_;
}

}  // namespace rondo::internal
