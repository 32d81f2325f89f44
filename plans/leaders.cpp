#include "plans/leaders.hpp"

#include <algorithm>
#include <numeric>

namespace rondo::internal {

void LeaderSums::add(std::int64_t first_number, std::int64_t numbers, std::int64_t value) {
  const auto leaders = static_cast<std::int64_t>(change_.size()) - 1;
  const auto change = [&](std::int64_t leader, std::int64_t by) { change_[leader] += by; };
  const std::int64_t first = first_number % leaders;
  const std::int64_t end = first + numbers % leaders;
  change(0, value * (numbers / leaders));
  change(first, value);
  if (end > leaders) change(0, value);
  change(end > leaders ? end - leaders : end, -value);
}

std::vector<std::int64_t> LeaderSums::sums() const {
  std::vector<std::int64_t> sums(change_.size() - 1);
  std::partial_sum(change_.begin(), change_.end() - 1, sums.begin());
  return sums;
}

int Leaders::count(int node) const {
  return std::min(leaders_, nodes_.size(node));
}

int Leaders::by_destination(int node, int destination) const {
  const int home = nodes_.node_of(destination);
  return static_cast<int>((first_number(home) + nodes_.local_index(destination)) % count(node));
}

std::vector<std::int64_t> Leaders::loads(int leaders_there) const {
  LeaderSums sums(leaders_there);
  for (int node = 0; node < nodes_.nodes(); ++node) sums.add(first_number(node), nodes_.size(node), 1);
  return sums.sums();
}

int Leaders::by_node(int node, int other) const {
  const int distance = (other - node + nodes_.nodes()) % nodes_.nodes();
  return (distance - 1) % count(node);
}

}  // namespace rondo::internal
