#include "cli/overlap_contest.hpp"

#include <mpi.h>

#include <array>
#include <cmath>

#include "cli/exchanges.hpp"
#include "cli/memory.hpp"
#include "cli/mpi_session.hpp"
#include "cli/quantiles.hpp"

namespace rondo::cli {

namespace {

int world_rank() {
  int rank = 0;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  return rank;
}

// The contenders of one size, bound to the same memory.
class OverlapContest {
 public:
  OverlapContest(const Problem &problem, std::span<const ContenderSpec> specs, const Between &between)
      : between_(between),
        work_(between.work),
        exchange_(exchange_of(problem, BlockSizes(problem), world_rank())),
        arguments_(arguments_of(exchange_)),
        memory_(exchange_) {
    memory_.prepare(0);
    for (const ContenderSpec &spec : specs) {
      Entry &entry = entries_.emplace_back();
      entry.result.spec = spec;
      entry.made = make_contender(spec, problem, exchange_, arguments_, memory_.spaces(), entry.result.refused);
      entry.contender = dynamic_cast<PersistentContender *>(entry.made.get());
      if (entry.made && entry.contender == nullptr) entry.result.refused = "it has no start and wait";
    }
  }

  // Settles how long the exchange takes alone, roughly, and how many make a sample.
  void calibrate(const Effort &effort) {
    for (Entry &entry : entries_) {
      if (entry.contender == nullptr) continue;
      const auto run = [&] { entry.contender->run(); };
      std::int64_t times = 1;
      while (of_slowest(sample(times, run)) < effort.sample_seconds) times *= 2;
      std::vector<double> seconds(9);
      for (double &each : seconds) each = of_slowest(sample(times, run)) / static_cast<double>(times);
      entry.rough = quantiles(std::move(seconds)).median;
      constexpr double least_batch = 5;
      entry.batch = static_cast<std::int64_t>(std::max(least_batch, std::ceil(effort.sample_seconds / entry.rough)));
    }
  }

  void repeat(const Effort &effort, const std::function<void(int)> &progress) {
    const double end = MPI_Wtime() + effort.seconds;
    for (int repetition = 0; repetition < effort.repetitions; ++repetition) {
      if (repetition > 0 && !is_before(end)) return;
      for (std::size_t turn = 0; turn < entries_.size(); ++turn) {
        Entry &entry = entries_[(turn + static_cast<std::size_t>(repetition)) % entries_.size()];
        if (entry.contender != nullptr) sample_all(entry);
      }
      progress(repetition + 1);
    }
  }

  std::vector<Overlap> finish() {
    std::vector<Overlap> results;
    for (Entry &entry : entries_) {
      double *const medians[] = {&entry.result.alone, &entry.result.work, &entry.result.together, &entry.result.pieces,
                                 &entry.result.tested};
      for (std::size_t i = 0; i < entry.samples.size(); ++i) {
        *medians[i] = quantiles(std::move(entry.samples[i])).median * 1e6;
      }
      results.push_back(std::move(entry.result));
    }
    return results;
  }

 private:
  struct Entry {
    Overlap result{};
    std::unique_ptr<Contender> made{};
    PersistentContender *contender = nullptr;
    double rough = 0;  // seconds of one exchange alone
    std::int64_t batch = 1;
    std::array<std::vector<double>, 5> samples{};  // alone, work, together, pieces, tested
  };

  // Seconds of so many turns of the work.
  template <class Turn>
  static double sample(std::int64_t times, Turn &&turn) {
    MPI_Barrier(MPI_COMM_WORLD);
    const double begin = MPI_Wtime();
    for (std::int64_t i = 0; i < times; ++i) turn();
    return MPI_Wtime() - begin;
  }

  void sample_all(Entry &entry) {
    PersistentContender &contender = *entry.contender;
    const double work = between_.times * entry.rough;
    const std::array seconds{sample(entry.batch, [&] { contender.run(); }),
                             sample(entry.batch, [&] { work_.run(work); }),
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
    for (std::size_t i = 0; i < seconds.size(); ++i) {
      entry.samples[i].push_back(of_slowest(seconds[i]) / static_cast<double>(entry.batch));
    }
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

  Between between_;
  Work work_;
  Exchange exchange_;
  Arguments arguments_;
  RankMemory memory_;
  std::vector<Entry> entries_;
};

}  // namespace

std::vector<Overlap> measure_overlap(const Problem &problem, std::span<const ContenderSpec> specs,
                                     const Between &between, const Effort &effort,
                                     const std::function<void(int)> &progress) {
  OverlapContest contest(problem, specs, between);
  contest.calibrate(effort);
  contest.repeat(effort, progress);
  return contest.finish();
}

}  // namespace rondo::cli
