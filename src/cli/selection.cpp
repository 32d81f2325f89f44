#include "cli/selection.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "model/choose_varying.hpp"
#include "model/obstacle.hpp"
#include "plans/parameter_words.hpp"

namespace rondo::internal::cli {

namespace {

// As the library does inside a node, unless another wire is asked for.
bool shares_memory(const Problem &problem) {
  return problem.wire.empty() || problem.wire == "shared";
}

Features varying_features_of(const Problem &problem) {
  Features features = varying_features(topology_of(problem), {});
  features.shares_memory = shares_memory(problem);
  return features;
}

Wish wish_of(const Problem &problem) {
  Wish wish;
  wish.algorithm = problem.algorithm;
  wish.parameters = problem.parameters;
  return wish;
}

// What all ranks of a real run would agree on in one reduction.
Features features_of(const Problem &problem, const Case &situation) {
  const BlockSizes sizes(problem);
  Features features{situation};
  features.shares_memory = shares_memory(problem);
  features.kind = &problem.kind();
  if (problem.by_segment()) {
    features.bytes = sizes.contributions();
    return features;
  }
  for (int source = 0; source < problem.ranks; ++source) {
    std::int64_t bytes = 0;
    std::int64_t peers = 0;
    for (int destination = 0; destination < problem.ranks; ++destination) {
      if (destination == source) continue;
      const std::int64_t size = sizes(source, destination);
      bytes += size;
      peers += size > 0 ? 1 : 0;
    }
    features.most_sent = std::max(features.most_sent, bytes);
    features.most_peers = std::max(features.most_peers, peers);
  }
  return features;
}

}  // namespace

std::vector<Choice> candidates_of(const Problem &problem) {
  return choose_varying(varying_features_of(problem), wish_of(problem), false);
}

std::vector<Choice> estimates_of(const Problem &problem, const Case &situation, int turns) {
  Features features = features_of(problem, situation);
  features.turns = turns;
  return candidates(features, wish_of(problem));
}

Selection select(const Problem &problem, const Case &situation) {
  if (problem.algorithm.empty()) {
    const Choice choice =
        problem.varies() ? candidates_of(problem).front() : choose(features_of(problem, situation), {});
    return {choice.algorithm, choice.parameters, {}, choice.cut};
  }
  Selection selection{find_algorithm(problem.algorithm, problem.kind()), {}, {}};
  selection.parameters = effective(*selection.algorithm, problem.parameters, situation.topology);
  selection.obstacle = problem.varies()
                           ? varying_obstacle(*selection.algorithm, varying_features_of(problem), selection.parameters)
                           : obstacle(*selection.algorithm, situation, selection.parameters);
  if (problem.by_segment() && selection.has_route() && selection.obstacle.empty()) {
    selection.cut = std::make_shared<const Cut>(
        selection.algorithm->by_segments->cut(situation.topology, BlockSizes(problem).contributions()));
  }
  return selection;
}

bool pads(const Selection &selection, const Case &situation) {
  return internal::pads(selection.algorithm->layout) && situation.largest_block > 0;
}

Parameters parameters_of(const RONDO_Report &report) {
  return {report.radix, report.block_count, report.leaders, parse_pattern(report.pattern).value_or(Pattern::none)};
}

std::string label(std::string_view algorithm, const Parameters &parameters) {
  std::string text(algorithm);
  for (const ParameterWord &word : parameter_words()) {
    const std::string value = word.write(parameters);
    if (!value.empty()) text += fmt::format(":{}={}", word.name, value);
  }
  return text;
}

std::string to_string(const Selection &selection) {
  std::string text(selection.algorithm->name);
  for (const ParameterWord &word : parameter_words()) {
    const std::string value = word.write(selection.parameters);
    if (!value.empty()) text += fmt::format(", {} {}", word.name, value);
  }
  return text;
}

}  // namespace rondo::internal::cli
