// `rondo show`: what one rank's plan of a problem comes to, and the picture of its route.

#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <nlohmann/json.hpp>
#include <optional>
#include <utility>

#include "cli/commands.hpp"
#include "cli/explain.hpp"
#include "cli/output_file.hpp"
#include "cli/paper_model.hpp"
#include "cli/picture.hpp"
#include "cli/progress.hpp"
#include "cli/rank_plan.hpp"
#include "cli/route_text.hpp"
#include "cli/usage_error.hpp"
#include "exchange/error.hpp"

namespace rondo::internal::cli {

namespace {

struct ShowOptions {
  std::vector<std::string> words;  // of the problem, which should be one
  int rank = 0;
  bool json = false;
  std::string svg;
  bool explain = false;
  int turns = 1;
  std::string model;  // of a paper; empty: none
  Fan2022Prices prices{};
};

nlohmann::ordered_json selection_json(const Problem &problem, const Selection &selection) {
  return {{"problem", to_string(problem)},           {"algorithm", selection.algorithm->name},
          {"radix", selection.parameters.radix},     {"block_count", selection.parameters.block_count},
          {"leaders", selection.parameters.leaders}, {"pattern", to_string(selection.parameters.pattern)}};
}

nlohmann::ordered_json to_json(const Problem &problem, const Selection &selection, const RankPlan &plan) {
  const Schedule &schedule = plan.schedule;
  const Totals sum = totals(schedule);
  nlohmann::ordered_json json = selection_json(problem, selection);
  json.update({{"ranks", problem.ranks},
               {"rank", schedule.rank},
               {"steps", sum.steps},
               {"messages", sum.messages},
               {"block_moves", schedule.block_moves},
               {"bytes", sum.bytes},
               {"copied_bytes", sum.copied_bytes},
               {"scratch_bytes", schedule.scratch_bytes},
               {"shared_scratch_bytes", plan.shared_scratch_bytes},
               {"staging_bytes", schedule.staging_bytes}});
  return json;
}

nlohmann::ordered_json to_json(const Problem &problem, const Selection &selection, const VaryingRankPlan &plan) {
  nlohmann::ordered_json json = selection_json(problem, selection);
  json["candidates"] = nlohmann::ordered_json::array();
  for (const Choice &choice : candidates_of(problem)) json["candidates"].push_back(choice.algorithm->name);
  json.update({{"ranks", problem.ranks},
               {"rank", plan.route.rank},
               {"steps", plan.route.steps()},
               {"messages", plan.messages()},
               {"block_moves", plan.block_moves()},
               {"head_bytes", plan.head_bytes()},
               {"bytes", plan.data_bytes()},
               {"resting_bytes", plan.resting_bytes()}});
  return json;
}

// What each start chooses from, where there is more than one.
std::string candidates_text(const Problem &problem) {
  if (!problem.varies()) return {};
  const std::vector<Choice> all = candidates_of(problem);
  if (all.size() == 1) return {};
  std::string text = "each start takes what has been the fastest of:";
  for (const Choice &choice : all) {
    text += fmt::format("\n  {}", to_string(Selection{choice.algorithm, choice.parameters, {}}));
  }
  return text + "\n";
}

template <class AnyRankPlan>
void print_text(const Problem &problem, const Selection &selection, const Case &situation, const AnyRankPlan &plan) {
  fmt::print("{}\n{}: {}\n({})\n{}\n", to_string(problem), to_string(selection), selection.algorithm->summary,
             selection.algorithm->source, candidates_text(problem));
  fmt::print("{}\n{}", totals_text(plan), route_text(plan.route, plan.sizes));
  if (problem.ranks > most_ranks_in_text) return;
  fmt::print("\nwho sends how many blocks to whom (a row is a sender, a column a receiver)\n{}",
             text_picture(draw(problem, selection, situation)));
}

void check_served(const Selection &selection) {
  if (!selection.obstacle.empty()) {
    throw Error(Fault::algorithm,
                fmt::format("{} does not serve this problem: {}", to_string(selection), selection.obstacle));
  }
  if (selection.has_route()) return;
  throw Error(Fault::algorithm, fmt::format("{} has no route to show: the MPI library moves the blocks in its own way",
                                            selection.algorithm->name));
}

Problem problem_of(const ShowOptions &options) {
  const std::vector<std::string> texts = join_problems(options.words);
  if (texts.size() > 1) throw UsageError(fmt::format("one problem is shown at a time, and {} are given", texts.size()));
  return parse_problem(texts.front());
}

void check(const ShowOptions &options, const Problem &problem) {
  if (options.rank < 0 || options.rank >= problem.ranks) {
    throw UsageError(fmt::format("--rank {}: expected 0..{}", options.rank, problem.ranks - 1));
  }
  if (options.svg.empty()) return;
  if (!options.explain && problem.ranks > most_ranks_in_svg) {
    throw UsageError(fmt::format("--svg draws at most {} ranks, and p={}", most_ranks_in_svg, problem.ranks));
  }
  check_writable(options.svg);
}

template <class PlanRank>
void plan_and_print(const ShowOptions &options, const Problem &problem, PlanRank &&plan_rank_of) {
  std::optional<ElapsedLine> line(fmt::format("planning for {} ranks", problem.ranks));
  const Case situation = case_of(problem);
  const Selection selection = select(problem, situation);
  check_served(selection);
  const auto plan = plan_rank_of(selection, situation);
  line.reset();
  if (options.json) fmt::print("{}\n", to_json(problem, selection, plan).dump(2));
  if (!options.json) print_text(problem, selection, situation, plan);
  if (!options.svg.empty()) write_file(options.svg, svg_picture(draw(problem, selection, situation), options.rank));
}

int show(const ShowOptions &options) {
  const Problem problem = problem_of(options);
  check(options, problem);
  if (!options.model.empty()) {
    if (problem.by_segment()) throw UsageError("--model is for all-to-alls");
    print_fan2022(problem, case_of(problem).largest_block, options.prices, options.json);
    return 0;
  }
  if (options.explain) {
    if (problem.varies()) throw UsageError("--explain is for problems whose sizes do not vary");
    explain(problem, case_of(problem), options.turns, options.json, options.svg);
    return 0;
  }
  if (problem.varies()) {
    plan_and_print(options, problem, [&](const Selection &selection, const Case &) {
      return plan_varying_rank(problem, selection, options.rank);
    });
  } else {
    plan_and_print(options, problem, [&](const Selection &selection, const Case &situation) {
      return plan_rank(problem, selection, situation, options.rank);
    });
  }
  return 0;
}

}  // namespace

void add_show_command(CLI::App &app, Action &action) {
  CLI::App *command = app.add_subcommand("show", "Show what a plan comes to: steps, messages, bytes, memory, route");
  auto options = std::make_shared<ShowOptions>();
  command->add_option("PROBLEM", options->words, "The problem, as one string")->required()->type_name("");
  command->add_option("--rank", options->rank, "The rank whose plan is shown")->type_name("N")->capture_default_str();
  command->add_flag("--json", options->json, "One JSON object instead of text");
  command
      ->add_option("--svg", options->svg, "Draw the route of all ranks to this file, or with --explain the estimates")
      ->type_name("FILE");
  CLI::Option *const explain = command->add_flag("--explain", options->explain,
                                                 "Show the estimates that the choice is made by, of all candidates");
  command->add_option("--turns", options->turns, "With --explain: ranks that take turns on a core")
      ->type_name("N")
      ->check(CLI::Range(1, 1000000).description(""))
      ->needs(explain)
      ->capture_default_str();
  explain->excludes("--rank");
  CLI::Option *const model =
      command
          ->add_option("--model", options->model, "Show what a paper predicts: fan2022, for padded and two-phase Bruck")
          ->type_name("NAME")
          ->check(CLI::IsMember({"fan2022"}))
          ->excludes(explain)
          ->excludes("--svg")
          ->excludes("--rank");
  const auto add_price = [&](const char *name, double &price, const char *what) {
    command->add_option(name, price, what)
        ->type_name("SECONDS")
        ->check(CLI::Range(1e-12, 1e3).description(""))
        ->needs(model)
        ->capture_default_str();
  };
  add_price("--latency", options->prices.latency, "With --model: of a message without data");
  add_price("--byte", options->prices.byte, "With --model: of each byte of a message");
  command->footer("Example: rondo show \"alltoallv p=8 algorithm=tuna radix=2 dist=constant max=8\" --svg route.svg");
  command->callback([=, &action] { action = [options] { return show(*options); }; });
}

}  // namespace rondo::internal::cli
