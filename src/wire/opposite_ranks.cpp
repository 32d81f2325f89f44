#include "wire/opposite_ranks.hpp"

#include "wire/given_side.hpp"

namespace rondo::internal {

std::vector<int> opposite_ranks(const Channel &channel) {
  const int second = channel.duplicate->second_group();
  if (second == 0) return every_rank(channel.ranks());
  const bool in_first = channel.rank() < second;
  std::vector<int> ranks = every_rank(in_first ? channel.ranks() - second : second);
  if (in_first) {
    for (int &rank : ranks) rank += second;
  }
  return ranks;
}

}  // namespace rondo::internal
