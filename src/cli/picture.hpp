#pragma once

#include <string>
#include <vector>

#include "cli/selection.hpp"

namespace rondo::internal::cli {

constexpr int most_ranks_in_text = 16;
constexpr int most_ranks_in_svg = 64;

// What a picture of a route shows: who sends to whom in each step, over all ranks. Empty blocks and messages are left
// out, as the plan leaves them out.
struct Arrow {
  int from = 0;
  int to = 0;
  int blocks = 0;
};
struct Picture {
  std::string title;
  int ranks = 1;
  std::vector<std::vector<Arrow>> steps;
};
Picture draw(const Problem &problem, const Selection &selection, const Case &situation);

// One grid a step.
std::string text_picture(const Picture &picture);

// Steps as columns, ranks as rows; what the given rank sends and receives stands out.
std::string svg_picture(const Picture &picture, int rank);

}  // namespace rondo::internal::cli
