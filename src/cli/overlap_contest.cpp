#include "cli/overlap_contest.hpp"

#include <mpi.h>

#include <algorithm>
#include <array>
#include <cmath>

#include "cli/mpi_session.hpp"
#include "cli/operation.hpp"
#include "cli/quantiles.hpp"

namespace rondo::internal::cli {

namespace {

// The contenders of one size, bound to the same memory.
class OverlapContest {
 public:
  OverlapContest(const Problem &problem, std::span<const ContenderSpec> specs, const Between &between,
                 const Effort &effort, const Progress &progress)
      : end_(MPI_Wtime() + effort.seconds),
        progress_(progress),
        between_(between),
        work_(between.work),
        operation_(make_operation(problem)),
        memory_(operation_->memory()) {
    memory_->prepare(0);
    for (const ContenderSpec &spec : specs) {
      Entry &entry = entries_.emplace_back();
      entry.result.spec = spec;
      if (!goes_on_until(end_)) continue;
      progress_(0, "init of " + spec.label());
      entry.made = make_contender(spec, problem, *operation_, memory_->spaces(), entry.result.refused);
      entry.contender = dynamic_cast<SplitContender *>(entry.made.get());
      if (entry.made && entry.contender == nullptr) entry.result.refused = "it has no start and wait";
    }
  }

  // Settles how long the exchange takes alone, roughly, and how many make a sample.
  void calibrate(const Effort &effort) {
    for (Entry &entry : entries_) {
      if (entry.contender == nullptr) continue;
      if (!goes_on_until(end_)) return;
      progress_(0, "warming up " + entry.result.spec.label());
      const auto run = [&] { entry.contender->run(); };
      std::int64_t times = 1;
      while (of_slowest(sample(times, run)) < effort.sample_seconds) times *= 2;
      constexpr int samples = 9;
      std::vector<double> seconds{of_slowest(sample(times, run)) / static_cast<double>(times)};
      while (seconds.size() < samples && goes_on_until(end_)) {
        seconds.push_back(of_slowest(sample(times, run)) / static_cast<double>(times));
      }
      entry.rough = quantiles(std::move(seconds)).median;
      constexpr double least_batch = 5;
      entry.batch = static_cast<std::int64_t>(std::max(least_batch, std::ceil(effort.sample_seconds / entry.rough)));
    }
  }

  void repeat(const Effort &effort) {
    for (int repetition = 0; repetition < effort.repetitions; ++repetition) {
      for (std::size_t turn = 0; turn < entries_.size(); ++turn) {
        Entry &entry = entries_[(turn + static_cast<std::size_t>(repetition)) % entries_.size()];
        if (entry.rough == 0) continue;
        if (!goes_on_until(end_)) return;
        progress_(repetition, entry.result.spec.label());
        sample_all(entry);
      }
    }
  }

  std::vector<Overlap> finish() {
    std::vector<Overlap> results;
    for (Entry &entry : entries_) {
      if (entry.samples.empty() && entry.result.refused.empty()) entry.result.refused = no_time;
      entry.result.samples = entry.samples.size();
      entry.result.alone = of_all(entry, [](const Sample &s) { return s.alone; }).median;
      entry.result.work = of_all(entry, [](const Sample &s) { return s.work; }).median;
      entry.result.costs = of_all(entry, [](const Sample &s) { return s.together - s.work; });
      entry.result.costs_tested = of_all(entry, [](const Sample &s) { return s.tested - s.pieces; });
      results.push_back(std::move(entry.result));
    }
    return results;
  }

 private:
  // Seconds of one exchange, or of the work.
  struct Sample {
    double alone;
    double work;      // in one piece
    double together;  // start, the work in one piece, wait
    double pieces;    // the work, cut as the calls to test cut it
    double tested;    // start, the pieces with the calls, wait
  };

  struct Entry {
    Overlap result{};
    std::unique_ptr<Contender> made{};
    SplitContender *contender = nullptr;
    double rough = 0;  // seconds of one exchange alone; 0 where it is not measured
    std::int64_t batch = 1;
    std::vector<Sample> samples{};
  };

  // In microseconds.
  template <class Seconds>
  static Quantiles of_all(const Entry &entry, Seconds &&seconds) {
    std::vector<double> all;
    for (const Sample &sample : entry.samples) all.push_back(seconds(sample) * 1e6);
    return quantiles(std::move(all));
  }

  // Seconds of so many turns of the work.
  template <class Turn>
  static double sample(std::int64_t times, Turn &&turn) {
    MPI_Barrier(MPI_COMM_WORLD);
    const double begin = MPI_Wtime();
    for (std::int64_t i = 0; i < times; ++i) turn();
    return MPI_Wtime() - begin;
  }

  void sample_all(Entry &entry) {
    SplitContender &contender = *entry.contender;
    const double work = between_.times * entry.rough;
    std::array seconds{sample(entry.batch, [&] { contender.run(); }), sample(entry.batch, [&] { work_.run(work); }),
                       sample(entry.batch,
                              [&] {
                                contender.start();
                                work_.run(work);
                                contender.wait();
                              }),
                       sample(entry.batch, [&] { work_in_pieces(work, [] {}); }), sample(entry.batch, [&] {
                         contender.start();
                         work_in_pieces(work, [&] { contender.test(); });
                         contender.wait();
                       })};
    for (double &each : seconds) each = of_slowest(each) / static_cast<double>(entry.batch);
    entry.samples.push_back({seconds[0], seconds[1], seconds[2], seconds[3], seconds[4]});
  }

  template <class Test>
  void work_in_pieces(double work, Test &&test) {
    const double piece = work / (between_.tests + 1);
    for (int i = 0; i < between_.tests; ++i) {
      work_.run(piece);
      test();
    }
    work_.run(piece);
  }

  double end_;  // as MPI_Wtime says on rank 0
  const Progress &progress_;
  Between between_;
  Work work_;
  std::unique_ptr<Operation> operation_;
  std::unique_ptr<OperationMemory> memory_;
  std::vector<Entry> entries_;
};

}  // namespace

std::optional<double> Overlap::overlapped(const Quantiles &cost) const {
  constexpr std::size_t fewest = 3;
  const bool spread = !(cost.upper - cost.lower <= 0.5 * alone);
  const bool negative = cost.median < -0.25 * alone;
  if (samples < fewest || spread || negative) return std::nullopt;
  return 100 * std::clamp(1 - cost.median / alone, 0.0, 1.0);
}

std::vector<Overlap> measure_overlap(const Problem &problem, std::span<const ContenderSpec> specs,
                                     const Between &between, const Effort &effort, const Progress &progress) {
  OverlapContest contest(problem, specs, between, effort, progress);
  contest.calibrate(effort);
  contest.repeat(effort);
  return contest.finish();
}

}  // namespace rondo::internal::cli
