#include "cli/rank_plan.hpp"

#include <algorithm>

#include "cli/exchanges.hpp"
#include "schedule/lower.hpp"
#include "schedule/run.hpp"

namespace rondo::internal::cli {

namespace {

std::vector<std::int64_t> sizes_of(std::span<const Block> blocks, const BlockSizes &sizes) {
  std::vector<std::int64_t> bytes;
  bytes.reserve(blocks.size());
  for (const Block &block : blocks) bytes.push_back(sizes(block.source, block.part));
  return bytes;
}

}  // namespace

RankPlan plan_rank(const Problem &problem, const Selection &selection, const Case &situation, int rank) {
  const BlockSizes block_sizes(problem);
  const Exchange exchange = exchange_of(problem, block_sizes, rank);
  RankPlan plan{selection.algorithm->route(rank, situation.topology, selection.parameters), {}, {}, 0};
  plan.sizes = {sizes_of(plan.route.sends.blocks(), block_sizes), sizes_of(plan.route.receives.blocks(), block_sizes)};
  const ForwardingTable forwarding = forwarding_table_of(plan.route);
  const LayoutInput input{plan.route, forwarding, plan.sizes, exchange, situation.largest_block};
  plan.schedule = lower(selection.algorithm->layout, input);
  const std::vector<char> others = others_of_node(situation.topology, rank);
  const LayoutInput shared{plan.route, forwarding, plan.sizes, exchange, situation.largest_block, others};
  plan.shared_scratch_bytes = lay_out(selection.algorithm->layout, shared).scratch_bytes;
  if (pads(selection, situation)) {
    for (auto *bytes : {&plan.sizes.sent, &plan.sizes.received}) std::ranges::fill(*bytes, situation.largest_block);
  }
  return plan;
}

}  // namespace rondo::internal::cli
