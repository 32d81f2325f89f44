#include "plans/cuts.hpp"

#include <algorithm>

#include "exchange/exchange.hpp"

namespace rondo::internal {

namespace {}  // namespace

Cut uncut(const Topology &topology, std::span<const std::int64_t> bytes) {
  Cut cut;
  for (int rank = 0; rank < topology.ranks; ++rank) {
    cut.begin_source();
    cut.add({0, bytes[rank], rank});
  }
  return cut;
}

std::vector<std::vector<Block>> carried_by_each(const Cut &cut, const RankRange &sources, const RankRange &carriers) {
  std::vector<std::vector<Block>> bundles(carriers.size);
  for (int source = sources.first; source < sources.first + sources.size; ++source) {
    const auto segments = cut.of(source);
    for (std::size_t part = 0; part < segments.size(); ++part) {
      bundles[segments[part].carrier - carriers.first].push_back({source, static_cast<std::int32_t>(part)});
    }
  }
  return bundles;
}

void add_balanced_cut(Cut &cut, const RankRange &sources, const RankRange &carriers,
                      std::span<const std::int64_t> bytes) {
  std::int64_t all = 0;
  for (int i = 0; i < sources.size; ++i) all = checked_add(all, bytes[sources.rank(i)], "the data of a group");
  const int parts = std::max(1, carriers.size);
  const auto end_of = [&](int carrier) {  // in the data of all sources, one after the other
    return all / parts * (carrier + 1) + std::min<std::int64_t>(all % parts, carrier + 1);
  };
  int carrier = 0;
  std::int64_t done = 0;
  for (int i = 0; i < sources.size; ++i) {
    cut.begin_source();
    const std::int64_t whole = bytes[sources.rank(i)];
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

}  // namespace rondo::internal
