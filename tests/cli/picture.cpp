#include "cli/picture.hpp"

#include <gtest/gtest.h>

namespace rondo::internal::cli {
namespace {

Picture draw_text(const char *text) {
  const Problem problem = parse_problem(text);
  const Case situation = case_of(problem);
  return draw(problem, select(problem, situation), situation);
}

TEST(Picture, TextHasAGridForEachStep) {
  EXPECT_EQ(text_picture(draw_text("alltoallv p=3 algorithm=tuna dist=constant max=1")),
            "step 0\n"
            "         0   1   2\n"
            "     0   .   .   1\n"
            "     1   1   .   .\n"
            "     2   .   1   .\n"
            "step 1\n"
            "         0   1   2\n"
            "     0   .   1   .\n"
            "     1   .   .   1\n"
            "     2   1   .   .\n");
}

TEST(Picture, EmptyBlocksAreNotDrawn) {
  for (const auto &step : draw_text("alltoallv p=4 algorithm=tuna dist=empty").steps) EXPECT_TRUE(step.empty());
}

TEST(Picture, PaddedBlocksAreDrawnThoughEmpty) {
  const Picture picture = draw_text("alltoallv p=4 algorithm=padded_bruck dist=sparse:1 max=2");

  ASSERT_EQ(picture.steps.size(), 2);
  EXPECT_EQ(picture.steps[0].size(), 4);
  EXPECT_EQ(picture.steps[0][0].blocks, 2);
}

TEST(Picture, SvgHasAnArrowForEachMessage) {
  const std::string svg = svg_picture(draw_text("alltoallv p=5 algorithm=linear dist=constant max=1"), 2);
  int arrows = 0;
  for (auto at = svg.find("<line"); at != std::string::npos; at = svg.find("<line", at + 1)) ++arrows;

  EXPECT_EQ(arrows, 20);
  EXPECT_NE(svg.find("what rank 2 sends"), std::string::npos);
}

}  // namespace
}  // namespace rondo::internal::cli
