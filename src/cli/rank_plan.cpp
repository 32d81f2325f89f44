#include "cli/rank_plan.hpp"

#include <algorithm>
#include <numeric>

#include "cli/exchanges.hpp"
#include "schedule/lower.hpp"
#include "schedule/run.hpp"
#include "varying/varying_route.hpp"

namespace rondo::internal::cli {

namespace {

std::vector<std::int64_t> sizes_of(std::span<const Block> blocks, const BlockSizes &sizes, const Cut *cut) {
  std::vector<std::int64_t> bytes;
  bytes.reserve(blocks.size());
  for (const Block &block : blocks) bytes.push_back(size_of(block, sizes, cut));
  return bytes;
}

void pad_to(std::int64_t largest, Sizes &sizes) {
  for (auto *bytes : {&sizes.sent, &sizes.received}) std::ranges::fill(*bytes, largest);
}

}  // namespace

std::int64_t size_of(const Block &block, const BlockSizes &sizes, const Cut *cut) {
  if (cut == nullptr) return sizes(block.source, block.part);
  return cut->of(block.source)[static_cast<std::size_t>(block.part)].length;
}

RankPlan plan_rank(const Problem &problem, const Selection &selection, const Case &situation, int rank) {
  const BlockSizes block_sizes(problem);
  const Exchange exchange = exchange_of(problem, block_sizes, rank, selection.cut);
  RankPlan plan{selection.route(rank, situation.topology), {}, {}, 0};
  const Cut *const cut = selection.cut.get();
  plan.sizes = {sizes_of(plan.route.sends.blocks(), block_sizes, cut),
                sizes_of(plan.route.receives.blocks(), block_sizes, cut)};
  const ForwardingTable forwarding = forwarding_table_of(plan.route);
  const LayoutInput input{plan.route, forwarding, plan.sizes, exchange, situation.largest_block};
  plan.schedule = lower(selection.algorithm->layout, input);
  const std::vector<char> others = others_of_node(situation.topology, rank);
  const LayoutInput shared{plan.route, forwarding, plan.sizes, exchange, situation.largest_block, others};
  plan.shared_scratch_bytes = lay_out(selection.algorithm->layout, shared).scratch_bytes;
  if (pads(selection, situation)) pad_to(situation.largest_block, plan.sizes);
  return plan;
}

std::int64_t VaryingRankPlan::messages() const {
  std::int64_t all = 0;
  for (int step = 0; step < route.steps(); ++step) all += static_cast<std::int64_t>(route.sends.messages(step).size());
  return all;
}

std::int64_t VaryingRankPlan::head_bytes() const {
  const std::int64_t words = block_moves() + messages() * static_cast<std::int64_t>(form.words_before());
  return words * static_cast<std::int64_t>(sizeof(std::int64_t));
}

std::int64_t VaryingRankPlan::data_bytes() const {
  return std::accumulate(sizes.sent.begin(), sizes.sent.end(), std::int64_t{0});
}

std::int64_t VaryingRankPlan::resting_bytes() const {
  if (route.steps() <= 1) return 0;
  return std::accumulate(sizes.received.begin(), sizes.received.end(), std::int64_t{0});
}

VaryingRankPlan plan_varying_rank(const Problem &problem, const Selection &selection, int rank) {
  const Topology topology = topology_of(problem);
  const BlockSizes first_start(problem);
  VaryingRankPlan plan{varying_route(*selection.algorithm, rank, topology, selection.parameters), {}};
  plan.sizes = {sizes_of(plan.route.sends.blocks(), first_start, nullptr),
                sizes_of(plan.route.receives.blocks(), first_start, nullptr)};
  plan.form = form_of(*selection.algorithm, false, candidates_of(problem).size() > 1);
  if (plan.form.pads) pad_to(first_start.whole_case().largest_block, plan.sizes);
  return plan;
}

}  // namespace rondo::internal::cli
