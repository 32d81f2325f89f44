#include "cli/phase_cost.hpp"

#include <fmt/format.h>
#include <mpi.h>

#include <algorithm>
#include <memory>
#include <numeric>

#include "cli/bars.hpp"
#include "cli/contest.hpp"
#include "cli/figure.hpp"
#include "cli/mpi_session.hpp"
#include "cli/operation.hpp"
#include "cli/selection.hpp"
#include "schedule/wire.hpp"

namespace rondo::internal::cli {

namespace {

struct Named {
  const char *word;  // in tables and files
  BarPart bar;
};
const std::array<Named, PerCall::phases> named{
    Named{"sizes", {"#c9c9c9", "sizes: the largest block, and those that pass"}},
    Named{"preparation", {"#f0b08f", "preparation: places, datatypes, requests"}},
    Named{"first copies", {"#7fbf7b", "first copies: rotation or padding"}},
    Named{"packing", {"#f2d06b", "packing and unpacking of messages"}},
    Named{"inside nodes", {"#8fb4e8", "messages of steps inside nodes"}},
    Named{"between nodes", {"#1f5fbf", "messages of steps between nodes"}},
    Named{"last copies", {"#3d8f5f", "last copies: rotation or scan"}},
};

class PhaseContest {
 public:
  PhaseContest(const Problem &problem, std::span<const ContenderSpec> specs, double end)
      : end_(end), operation_(make_operation(problem, MPI_COMM_WORLD)), memory_(operation_->memory()) {
    cost_.bytes = problem.largest;
    cost_.call_name = fmt::format("MPI_{}", operation_->name());
    for (const ContenderSpec &spec : specs) {
      if (spec.kind == ContenderSpec::Kind::rondo) add(problem, spec);
    }
    for (int round = 0; round < 2; ++round) operation_->call(memory_->spaces());
    for (const Entry &entry : entries_) {
      check_data(cost_.times[entry.time].label, problem, *memory_, MPI_COMM_WORLD,
                 [&] { entry.call->run_by_phases(); });
    }
  }

  // The first of each whatever the time is.
  PhaseCost measure(int repetitions) {
    memory_->prepare(0);
    const std::size_t turns = entries_.size() + 1;  // and the library's call
    for (int repetition = 0; repetition < repetitions && (repetition == 0 || goes_on_until(end_)); ++repetition) {
      for (std::size_t i = 0; i < turns; ++i) {
        const std::size_t turn = (i + static_cast<std::size_t>(repetition)) % turns;
        turn == entries_.size() ? sample_call() : sample(entries_[turn]);
      }
    }
    return std::move(cost_);
  }

 private:
  struct Entry {
    std::size_t time;
    std::unique_ptr<PerCall> call;
  };

  void add(const Problem &problem, const ContenderSpec &spec) {
    Problem wished = problem;
    wished.algorithm = spec.algorithm;
    wished.parameters = spec.parameters;
    const Wire wire = spec.each_call || spec.wire == "datatype" ? Wire::datatype : Wire::packed;
    wished.wire = wire == Wire::datatype ? "datatype" : "packed";  // for which `chosen` is chosen
    PhasedTime time{.label = spec.label()};
    auto call = make_per_call(wished, *operation_, memory_->spaces(),
                              {spec.each_call.value_or(Entries::Form::fewest), wire}, time.refused);
    if (call) {
      const RONDO_Report report = call->report();
      if (spec.algorithm.empty())
        time.label += fmt::format(" ({})", cli::label(report.algorithm, parameters_of(report)));
      entries_.push_back({cost_.times.size(), std::move(call)});
    }
    cost_.times.push_back(std::move(time));
  }

  void sample_call() {
    MPI_Barrier(MPI_COMM_WORLD);
    const double begin = MPI_Wtime();
    operation_->call(memory_->spaces());
    cost_.call.push_back(of_slowest(MPI_Wtime() - begin) * 1e6);
  }

  void sample(const Entry &entry) {
    PhasedTime &time = cost_.times[entry.time];
    MPI_Barrier(MPI_COMM_WORLD);
    PerCall::PhaseTimes phases = entry.call->run_by_phases();
    struct {
      double seconds;
      int rank;
    } slowest{std::accumulate(phases.begin(), phases.end(), 0.0), rank_in(MPI_COMM_WORLD)};
    MPI_Allreduce(MPI_IN_PLACE, &slowest, 1, MPI_DOUBLE_INT, MPI_MAXLOC, MPI_COMM_WORLD);
    MPI_Bcast(phases.data(), static_cast<int>(phases.size()), MPI_DOUBLE, slowest.rank, MPI_COMM_WORLD);
    for (std::size_t i = 0; i < phases.size(); ++i) time.by_phase[i].push_back(phases[i] * 1e6);
    time.whole.push_back(slowest.seconds * 1e6);
  }

  double end_;
  std::unique_ptr<Operation> operation_;
  std::unique_ptr<OperationMemory> memory_;
  PhaseCost cost_;
  std::vector<Entry> entries_;
};

// By index, the samples of the calls in the middle half.
std::vector<std::size_t> middle_half(const std::vector<double> &whole) {
  std::vector<std::size_t> order(whole.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) { return whole[a] < whole[b]; });
  const std::size_t quarter = order.size() / 4;
  return {order.begin() + static_cast<std::ptrdiff_t>(quarter), order.end() - static_cast<std::ptrdiff_t>(quarter)};
}

double mean_of(const std::vector<double> &samples, const std::vector<std::size_t> &which) {
  double sum = 0;
  for (const std::size_t i : which) sum += samples[i];
  return which.empty() ? 0 : sum / static_cast<double>(which.size());
}

}  // namespace

double PhasedTime::of(std::size_t phase) const {
  return mean_of(by_phase[phase], middle_half(whole));
}

double PhasedTime::of_all() const {
  return mean_of(whole, middle_half(whole));
}

PhaseCost measure_phases(const Problem &problem, std::span<const ContenderSpec> specs, int repetitions, double end) {
  return PhaseContest(problem, specs, end).measure(repetitions);
}

std::string phase_table(const PhaseCost &cost) {
  std::string text = fmt::format("\nblocks of at most {} bytes: whole calls over messages, {} samples\n{:<34} {:>10}",
                                 cost.bytes, cost.call.size(), "", "whole");
  for (const Named &phase : named) text += fmt::format(" {:>13}", phase.word);
  text += fmt::format("\n  {:<32} {:>10}\n", cost.call_name, figure(mean_of(cost.call, middle_half(cost.call))));
  for (const PhasedTime &time : cost.times) {
    if (!time.refused.empty()) {
      text += fmt::format("  {:<32} left out: {}\n", time.label, time.refused);
      continue;
    }
    text += fmt::format("  {:<32} {:>10}", time.label, figure(time.of_all()));
    for (std::size_t i = 0; i < named.size(); ++i) text += fmt::format(" {:>13}", figure(time.of(i)));
    text += "\n";
  }
  return text;
}

nlohmann::ordered_json phase_json(const BenchReport &report, std::span<const PhaseCost> costs) {
  nlohmann::ordered_json json = origin_json(report);
  Problem problem = report.problem;
  problem.largest = costs.back().bytes;
  json["problem"] = to_string(problem);  // of the last size
  json["phases"] = nlohmann::ordered_json::array();
  for (const PhaseCost &cost : costs) {
    auto times = nlohmann::ordered_json::array();
    for (const PhasedTime &time : cost.times) {
      auto &entry = times.emplace_back();
      entry["label"] = time.label;
      if (!time.refused.empty()) {
        entry["left_out"] = time.refused;
        continue;
      }
      entry["whole_us"] = time.whole;
      for (std::size_t i = 0; i < named.size(); ++i) entry["phases_us"][named[i].word] = time.by_phase[i];
    }
    json["phases"].push_back({{"bytes", cost.bytes},
                              {"call", cost.call_name},
                              {"call_us", cost.call},
                              {"calls_by_phase", std::move(times)}});
  }
  return json;
}

std::string phase_script(const BenchReport &report, std::span<const PhaseCost> costs, const std::string &path) {
  std::vector<BarPart> parts;
  for (const Named &phase : named) parts.push_back(phase.bar);
  parts.push_back({"#555555", "the MPI library's call"});
  std::vector<Bar> bars;
  for (const PhaseCost &cost : costs) {
    std::vector<double> whole(parts.size(), 0);
    whole.back() = mean_of(cost.call, middle_half(cost.call));
    bars.push_back({fmt::format("{} B: {}", cost.bytes, cost.call_name), whole});
    for (const PhasedTime &time : cost.times) {
      if (!time.refused.empty()) continue;
      std::vector<double> each;
      for (std::size_t i = 0; i < named.size(); ++i) each.push_back(time.of(i));
      each.push_back(0);
      bars.push_back({fmt::format("{} B: {}", cost.bytes, time.label), std::move(each)});
    }
  }
  return bars_script(fmt::format("whole calls on {} ranks, {}", report.ranks, to_string(report.problem.distribution)),
                     "the slowest rank, middle half of the calls (microseconds)", parts, bars, path);
}

}  // namespace rondo::internal::cli
