#include "cli/trial.hpp"

#include <fmt/format.h>

#include <vector>

#include "cli/exchanges.hpp"
#include "cli/memory.hpp"
#include "cli/selection.hpp"
#include "cli/varying_trial.hpp"
#include "exchange/error.hpp"
#include "route/check.hpp"
#include "schedule/check.hpp"
#include "schedule/run.hpp"
#include "wire/memory_file.hpp"

namespace rondo::internal::cli {

namespace {

constexpr int rounds = 3;

// All ranks' spaces are in this process: what a cluster holds may not fit here.
std::string memory_fault(const std::vector<Exchange> &all) {
  double needed = 0;
  for (const Exchange &exchange : all) {
    for (const auto *extents : {&exchange.send, &exchange.receive}) {
      for (const Extent &extent : *extents) needed += 2.5 * static_cast<double>(extent.length);
    }
  }
  const double present = static_cast<double>(memory_of_machine());
  if (needed < 0.8 * present) return {};
  return fmt::format("all ranks together need {:.1f} GiB, and this machine has {:.1f} GiB", needed / 0x1p30,
                     present / 0x1p30);
}

std::string run_rounds(const Planned &planned, const std::vector<Exchange> &all) {
  std::vector<RankMemory> memories;
  std::vector<Spaces> spaces;
  for (std::size_t rank = 0; rank < all.size(); ++rank) {
    memories.emplace_back(all[rank], planned.schedules[rank].scratch_bytes);
    spaces.push_back(memories.back().spaces());
  }
  for (int round = 0; round < rounds; ++round) {
    for (RankMemory &memory : memories) memory.prepare(round);
    run_all(planned.schedules, spaces);
    for (const RankMemory &memory : memories) {
      if (std::string fault = memory.fault(); !fault.empty()) return fault;
    }
  }
  return {};
}

std::string find_fault(const Problem &problem, const Selection &selection) {
  const std::vector<Exchange> all = exchanges(problem, selection.cut);
  if (std::string fault = memory_fault(all); !fault.empty()) return fault;
  // The routes first, by themselves: what follows takes them for right.
  const Topology topology = topology_of(problem);
  const std::vector<Route> routes =
      route_all(*selection.algorithm, selection.parameters, topology, selection.cut.get());
  if (std::string fault = check_routes(routes, topology, problem.kind(), selection.cut.get()); !fault.empty())
    return "routes: " + fault;
  if (problem.varies()) return varying_fault(problem, selection, rounds);
  // Then with messages that go through shared memory inside a node, and with those of each other wire only.
  for (const auto &[wire, word] : wire_words) {
    const Planned planned = plan_all(*selection.algorithm, selection.parameters, topology, all, wire);
    if (std::string fault = check_schedules(planned.schedules, all); !fault.empty()) return "schedules: " + fault;
    if (std::string fault = run_rounds(planned, all); !fault.empty()) return fault;
  }
  return {};
}

Verdict verdict(Verdict::Kind kind, const std::string &why, const Problem &problem) {
  return {kind, fmt::format("{}: {}", why, to_string(problem))};
}

}  // namespace

Verdict try_problem(const Problem &problem) {
  try {
    const Selection selection = select(problem, case_of(problem));
    if (!selection.obstacle.empty()) return verdict(Verdict::Kind::not_served, selection.obstacle, problem);
    if (!selection.has_route()) {
      const std::string reason = fmt::format("{} has no route: it runs on MPI only (--mpi)", selection.algorithm->name);
      return verdict(Verdict::Kind::not_served, reason, problem);
    }
    const std::string fault = find_fault(problem, selection);
    return fault.empty() ? Verdict{} : verdict(Verdict::Kind::wrong, fault, problem);
  } catch (const Error &error) {
    return verdict(Verdict::Kind::wrong, error.message(), problem);
  }
}

}  // namespace rondo::internal::cli
