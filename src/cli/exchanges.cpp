#include "cli/exchanges.hpp"

#include <algorithm>
#include <numeric>

#include "cli/hash.hpp"

namespace rondo::internal::cli {

namespace {

// The order in which the blocks of one space lie, by peer.
std::vector<int> order_of_blocks(const Problem &problem, std::uint64_t space) {
  std::vector<int> order(problem.ranks);
  std::iota(order.begin(), order.end(), 0);
  if (!problem.shuffled) return order;
  const auto key = hash(problem.seed, space);
  for (std::size_t last = order.size() - 1; last > 0; --last) {
    std::swap(order[last], order[hash(key, last) % (last + 1)]);
  }
  return order;
}

void place(std::vector<Extent> &extents, const std::vector<int> &order, std::int64_t gap) {
  std::int64_t offset = 0;
  for (const int peer : order) {
    Extent &extent = extents[peer];
    extent.offset = checked_add(offset, gap, "a displacement");
    offset = checked_add(extent.offset, extent.length, "a displacement");
  }
}

}  // namespace

Exchange exchange_of(const Problem &problem, const BlockSizes &sizes, int rank, const std::shared_ptr<const Cut> &cut) {
  const Kind &kind = problem.kind();
  const Topology topology = topology_of(problem);
  Exchange exchange{.rank = rank, .send = {}, .receive = {}, .kind = &kind, .cut = cut};
  if (problem.by_segment()) exchange.send.push_back({problem.gap, sizes(rank, 0)});
  for (int peer = 0; peer < problem.ranks; ++peer) {
    if (!problem.by_segment()) exchange.send.push_back({0, sizes(rank, peer)});
    exchange.receive.push_back({0, kind.receives(topology, rank, peer) ? sizes(peer, rank) : 0});
  }
  const auto own = static_cast<std::uint64_t>(rank);
  if (!problem.by_segment()) place(exchange.send, order_of_blocks(problem, 2 * own), problem.gap);
  place(exchange.receive, order_of_blocks(problem, 2 * own + 1), problem.gap);
  return exchange;
}

std::vector<Exchange> exchanges(const Problem &problem, const std::shared_ptr<const Cut> &cut) {
  const BlockSizes sizes(problem);
  std::vector<Exchange> all;
  for (int rank = 0; rank < problem.ranks; ++rank) all.push_back(exchange_of(problem, sizes, rank, cut));
  return all;
}

}  // namespace rondo::internal::cli
