#include "cli/route_text.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <vector>

namespace rondo::internal::cli {

namespace {

constexpr std::size_t most_messages = 16;  // of a step and direction
constexpr std::size_t most_blocks = 8;     // of a message

// What of a message is sent: empty blocks stay behind. A message that has no blocks by its route has a head alone.
struct Load {
  int peer;
  std::int64_t bytes = 0;
  std::vector<Block> blocks = {};
};

std::vector<Load> loads(const Traffic &traffic, int step, std::span<const std::int64_t> sizes) {
  std::vector<Load> all;
  for (const Message &message : traffic.messages(step)) {
    Load load{message.peer};
    const auto blocks = traffic.blocks(message);
    for (std::size_t i = 0; i < blocks.size(); ++i) {
      const std::int64_t bytes = sizes[message.first + i];
      load.bytes += bytes;
      if (bytes > 0) load.blocks.push_back(blocks[i]);
    }
    if (load.bytes > 0 || blocks.empty()) all.push_back(std::move(load));
  }
  return all;
}

std::string blocks_text(std::span<const Block> blocks) {
  std::string text;
  for (const Block &block : blocks.first(std::min(blocks.size(), most_blocks))) {
    text += fmt::format(" {}>{}", block.source, block.part);
  }
  if (blocks.size() > most_blocks) text += fmt::format(" and {} more", blocks.size() - most_blocks);
  return text;
}

void add_messages(std::string &text, const char *arrow, const std::vector<Load> &all) {
  for (std::size_t i = 0; i < std::min(all.size(), most_messages); ++i) {
    const Load &load = all[i];
    if (load.blocks.empty()) {
      text += fmt::format("  {} rank {}: how long the largest block is\n", arrow, load.peer);
      continue;
    }
    text += fmt::format("  {} rank {}: {} bytes in {} {}:{}\n", arrow, load.peer, load.bytes, load.blocks.size(),
                        load.blocks.size() == 1 ? "block" : "blocks", blocks_text(load.blocks));
  }
  if (all.size() > most_messages) text += fmt::format("  {} and {} more messages\n", arrow, all.size() - most_messages);
}

}  // namespace

std::string totals_text(const RankPlan &plan) {
  const Schedule &schedule = plan.schedule;
  const Totals sum = totals(schedule);
  return fmt::format(
      "rank {} of {}, at each start\n"
      "  steps         {:>12}\n"
      "  messages      {:>12}\n"
      "  block moves   {:>12}\n"
      "  bytes         {:>12}\n"
      "  copied bytes  {:>12}\n"
      "memory\n"
      "  scratch bytes {:>12}  (where blocks of others rest)\n"
      "  shared scratch {:>11}  (the same where the ranks of a node share memory)\n"
      "  staging bytes {:>12}  (where messages of several pieces are packed)\n",
      schedule.rank, schedule.ranks, sum.steps, sum.messages, schedule.block_moves, sum.bytes, sum.copied_bytes,
      schedule.scratch_bytes, plan.shared_scratch_bytes, schedule.staging_bytes);
}

std::string totals_text(const VaryingRankPlan &plan) {
  return fmt::format(
      "rank {} of {}, at each start\n"
      "  steps         {:>12}\n"
      "  messages      {:>12}  (each begins with the lengths of its blocks)\n"
      "  block moves   {:>12}\n"
      "  bytes of heads {:>11}\n"
      "in the first start of this problem\n"
      "  bytes of data {:>12}\n"
      "  resting bytes {:>12}  (blocks on their way, until the start is complete)\n",
      plan.route.rank, plan.route.ranks, plan.route.steps(), plan.messages(), plan.block_moves(), plan.head_bytes(),
      plan.data_bytes(), plan.resting_bytes());
}

std::string route_text(const Route &route, const Sizes &sizes) {
  std::string text = fmt::format("route of rank {} (source>destination; empty blocks stay behind)\n", route.rank);
  for (int step = 0; step < route.steps(); ++step) {
    text += fmt::format("step {}\n", step);
    add_messages(text, "to  ", loads(route.sends, step, sizes.sent));
    add_messages(text, "from", loads(route.receives, step, sizes.received));
  }
  return text;
}

}  // namespace rondo::internal::cli
