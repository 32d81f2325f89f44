#include "exchange/kind.hpp"

namespace rondo::internal {

constinit const Kind all_to_all = {
    .name = "all-to-all",
    .blocks = Numbered::by_destination,
    .receives = [](const Topology &, int, int) { return true; },
};

constinit const Kind all_gather = {
    .name = "all-gather",
    .blocks = Numbered::by_segment,
    .receives =
        [](const Topology &topology, int rank, int source) {
          const auto in_second = [&](int r) { return r >= topology.second_group; };
          return !topology.two_groups() || in_second(rank) != in_second(source);
        },
};

std::int64_t Blocks::parts_for_each_receiver(int source) const {
  return kind_.blocks == Numbered::by_segment ? static_cast<std::int64_t>(cut_->of(source).size()) : 1;
}

bool Blocks::has(const Block &block) const {
  if (block.source < 0 || block.source >= topology_.ranks || block.part < 0) return false;
  if (kind_.blocks == Numbered::by_segment) return block.part < parts_for_each_receiver(block.source);
  return block.part < topology_.ranks && is_for(block.part, block);
}

bool Blocks::is_for(int rank, const Block &block) const {
  return kind_.receives_by_route(topology_, rank, block.source) &&
         (kind_.blocks == Numbered::by_segment || block.part == rank);
}

std::int64_t Blocks::count_for(int rank) const {
  std::int64_t count = 0;
  for (int source = 0; source < topology_.ranks; ++source) {
    if (kind_.receives_by_route(topology_, rank, source)) count += parts_for_each_receiver(source);
  }
  return count;
}

}  // namespace rondo::internal
