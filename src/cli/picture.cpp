#include "cli/picture.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "cli/rank_plan.hpp"
#include "varying/varying_route.hpp"

namespace rondo::internal::cli {

namespace {

// Blocks of a message that are really sent: padded ones always, others unless they are empty.
int moved_blocks(std::span<const Block> blocks, const BlockSizes &sizes, const Cut *cut, bool padded) {
  return static_cast<int>(std::count_if(blocks.begin(), blocks.end(),
                                        [&](const Block &block) { return padded || size_of(block, sizes, cut) > 0; }));
}

void add_arrows(Picture &picture, const Route &route, const BlockSizes &sizes, const Cut *cut, bool padded) {
  picture.steps.resize(route.steps());
  for (int step = 0; step < route.steps(); ++step) {
    for (const Message &message : route.sends.messages(step)) {
      const int blocks = moved_blocks(route.sends.blocks(message), sizes, cut, padded);
      if (blocks > 0) picture.steps[step].push_back({route.rank, message.peer, blocks});
    }
  }
}

std::string grid(const std::vector<Arrow> &arrows, int ranks) {
  const auto place = [&](int from, int to) {
    return static_cast<std::size_t>(from) * static_cast<std::size_t>(ranks) + static_cast<std::size_t>(to);
  };
  std::vector<int> sent(place(ranks, 0), 0);
  for (const Arrow &arrow : arrows) sent[place(arrow.from, arrow.to)] += arrow.blocks;
  std::string text = "      ";
  for (int to = 0; to < ranks; ++to) text += fmt::format("{:>4}", to);
  for (int from = 0; from < ranks; ++from) {
    text += fmt::format("\n  {:>4}", from);
    for (int to = 0; to < ranks; ++to) {
      const int blocks = sent[place(from, to)];
      text += blocks == 0 ? "   ." : fmt::format("{:>4}", blocks);
    }
  }
  return text + '\n';
}

}  // namespace

Picture draw(const Problem &problem, const Selection &selection, const Case &situation) {
  const BlockSizes sizes(problem);
  const bool padded = pads(selection, situation);
  Picture picture{fmt::format("{} ({})", to_string(problem), to_string(selection)), problem.ranks, {}};
  const Algorithm &algorithm = *selection.algorithm;
  for (int rank = 0; rank < problem.ranks; ++rank) {
    add_arrows(picture,
               problem.varies() ? varying_route(algorithm, rank, situation.topology, selection.parameters)
                                : selection.route(rank, situation.topology),
               sizes, selection.cut.get(), padded);
  }
  return picture;
}

std::string text_picture(const Picture &picture) {
  std::string text;
  for (std::size_t step = 0; step < picture.steps.size(); ++step) {
    text += fmt::format("step {}\n{}", step, grid(picture.steps[step], picture.ranks));
  }
  return text;
}

}  // namespace rondo::internal::cli
