#include <gtest/gtest.h>

#include <set>

#include "plans/algorithm.hpp"

namespace rondo::internal {
namespace {

TEST(Registry, EveryNameIsFoundAndOnlyOnce) {
  std::set<std::string_view> names;

  for (const Algorithm *algorithm : algorithms()) {
    EXPECT_EQ(find_algorithm(algorithm->name), algorithm);
    EXPECT_TRUE(names.insert(algorithm->name).second) << algorithm->name;
  }
}

TEST(Registry, UnknownNameIsNotFound) {
  EXPECT_EQ(find_algorithm("bruck"), nullptr);
  EXPECT_EQ(find_algorithm(""), nullptr);
}

TEST(Registry, EveryEntryIsWhole) {
  for (const Algorithm *algorithm : algorithms()) {
    EXPECT_FALSE(algorithm->summary.empty()) << algorithm->name;
    EXPECT_FALSE(algorithm->source.empty()) << algorithm->name;
    EXPECT_NE(algorithm->obstacle, nullptr) << algorithm->name;
    EXPECT_NE(algorithm->outline, nullptr) << algorithm->name;
  }
}

TEST(Registry, EachKindHasATableOfItsOwn) {
  for (const Kind *kind : kinds()) {
    std::set<std::string_view> names;
    for (const Algorithm *algorithm : algorithms(*kind)) {
      EXPECT_EQ(find_algorithm(algorithm->name, *kind), algorithm);
      EXPECT_TRUE(names.insert(algorithm->name).second) << kind->name << ": " << algorithm->name;
      const bool by_segment = kind->blocks == Numbered::by_segment;
      EXPECT_TRUE(by_segment ? algorithm->by_segments != nullptr : algorithm->outline != nullptr) << algorithm->name;
    }
  }
  for (const char *name : {"root_gathering", "pipelined_root_gathering", "segmented", "two_stage", "balanced"}) {
    EXPECT_NE(find_algorithm(name, all_gather), nullptr) << name;
    EXPECT_EQ(find_algorithm(name), nullptr) << name;
  }
  EXPECT_EQ(find_algorithm("tuna", all_gather), nullptr);
}

TEST(Registry, OnlyNativeHasNoRoute) {
  for (const Algorithm *algorithm : algorithms()) {
    EXPECT_EQ(algorithm->route == nullptr, algorithm->layout == Layout::native) << algorithm->name;
  }
}

TEST(Registry, HoldsThePapersAlgorithms) {
  for (const char *name :
       {"native", "linear", "spread_out", "scattered", "pairwise", "exclusive_or", "basic_bruck", "modified_bruck",
        "zero_rotation_bruck", "zero_copy_bruck", "irregular_zero_copy_bruck", "padded_bruck", "padded_alltoall",
        "two_phase_bruck", "sloav", "tuna", "tuna_hierarchical"}) {
    EXPECT_NE(find_algorithm(name), nullptr) << name;
  }
}

}  // namespace
}  // namespace rondo::internal
