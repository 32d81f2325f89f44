#include "cli/contest.hpp"

#include <fmt/format.h>
#include <mpi.h>

#include <algorithm>
#include <cmath>
#include <random>
#include <utility>

#include "cli/mpi_session.hpp"
#include "cli/operation.hpp"
#include "exchange/error.hpp"

namespace rondo::internal::cli {

namespace {

constexpr double microsecond = 1e-6;

template <class Work>
double seconds_of(MPI_Comm comm, Work &&work) {
  MPI_Barrier(comm);
  const double begin = MPI_Wtime();
  work();
  return MPI_Wtime() - begin;
}

// The contenders of one size, bound to the same memory.
class Contest {
 public:
  Contest(const Problem &problem, std::span<const ContenderSpec> specs, const Effort &effort, const Progress &progress,
          MPI_Comm comm)
      : comm_(comm),
        end_(MPI_Wtime() + effort.seconds),
        progress_(progress),
        fresh_data_(effort.fresh_data),
        operation_(make_operation(problem, comm)),
        memory_(operation_->memory()),
        sent_(memory_->sent()) {
    result_.bytes = problem.largest;
    for (const ContenderSpec &spec : specs) {
      progress_(0, "init of " + spec.label());
      make_ready(problem, spec);
    }
    for (Entry &entry : entries_) {
      if (!goes_on_until(end_, comm_)) return;
      progress_(0, "check of " + label(entry));
      check(problem, entry);
    }
  }

  // Warms up, and decides how many exchanges each contender's sample has. A sample must be long beside the clock's
  // resolution, and beside the time by which ranks leave the barrier before it one after the other. (Where ranks
  // outnumber cores, that is milliseconds on MPICH.) It must have several exchanges, as the first one finds its buffers
  // evicted from the caches by the other contenders. And all samples together must fit into the time that is given.
  void calibrate(const Effort &effort) {
    constexpr double barriers_to_outweigh = 20;
    constexpr double least_batch = 5;
    constexpr double least_repetitions = 5;
    const double sample = std::max(effort.sample_seconds, barriers_to_outweigh * barrier_seconds());
    const double affordable = effort.seconds / least_repetitions / static_cast<double>(entries_.size());
    for (Entry &entry : entries_) {
      if (!goes_on_until(end_, comm_)) return;
      progress_(0, "warming up " + label(entry));
      const double seconds = rough_time(*entry.contender, std::min(sample, affordable));
      const double wanted = std::max(sample, least_batch * seconds);
      const double batch = std::ceil(std::min(wanted, affordable) / std::max(seconds, 1e-9));
      result_.measurements[entry.measurement].batch = std::max<std::int64_t>(1, static_cast<std::int64_t>(batch));
    }
  }

  void repeat(const Effort &effort) {
    for (int repetition = 0; repetition < effort.repetitions; ++repetition) {
      if (!sample_all(repetition)) return;
    }
  }

  SizeResult finish() {
    for (Measurement &measurement : result_.measurements) {
      if (measurement.samples.empty() && measurement.refused.empty()) measurement.refused = no_time;
    }
    return std::move(result_);
  }

 private:
  struct Entry {
    std::size_t measurement;  // index in the result
    std::unique_ptr<Contender> contender;
  };

  [[nodiscard]] std::string label(const Entry &entry) const {
    return result_.measurements[entry.measurement].spec.label();
  }

  void make_ready(const Problem &problem, const ContenderSpec &spec) {
    Measurement measurement{.spec = spec};
    if (!goes_on_until(end_, comm_)) {
      result_.measurements.push_back(std::move(measurement));
      return;
    }
    std::unique_ptr<Contender> contender;
    std::vector<double> inits;
    constexpr int most_inits = 5;
    constexpr double most_seconds = 10e-3;  // on many ranks a single init can be slow
    for (double spent = 0; static_cast<int>(inits.size()) < most_inits && spent < most_seconds; spent += inits.back()) {
      contender.reset();
      inits.push_back(slowest_of(
          [&] { contender = make_contender(spec, problem, *operation_, memory_->spaces(), measurement.refused); }));
      if (!contender) break;
    }
    const bool has_init = spec.has_init();
    if (has_init) measurement.init = quantiles(std::move(inits)).median / microsecond;
    if (contender) {
      measurement.report = contender->report();
      entries_.push_back({result_.measurements.size(), std::move(contender)});
    }
    result_.measurements.push_back(std::move(measurement));
  }

  void check(const Problem &problem, Entry &entry) {
    check_data(label(entry), problem, *memory_, comm_, [&] {
      entry.contender->load(memory_->spaces());
      entry.contender->run();
      entry.contender->unload(memory_->spaces());
    });
  }

  [[nodiscard]] double barrier_seconds() const {
    constexpr int times = 3;
    return slowest_of([&] {
             for (int i = 0; i < times; ++i) MPI_Barrier(comm_);
           }) /
           times;
  }

  // Seconds of the slowest rank.
  template <class Work>
  [[nodiscard]] double slowest_of(Work &&work) const {
    return of_slowest(seconds_of(comm_, work), comm_);
  }

  // Writes one byte of every cache line that is sent, as a program does which sends new data in each exchange: a line
  // that another core has read must be fetched back before it is written. No cache line is shorter than `line`. The
  // time of the writing itself is subtracted from the samples.
  void write_data(std::byte *send) const {
    constexpr std::int64_t line = 64;
    for (const Extent &block : sent_) {
      for (std::int64_t at = block.offset; at < block.end(); at += line)
        ++*reinterpret_cast<unsigned char *>(send + at);
    }
  }

  void exchange(Contender &contender, std::int64_t times) const {
    std::byte *send = contender.send_buffer();
    for (; times > 0; --times) {
      if (fresh_data_) write_data(send);
      contender.run();
    }
  }

  [[nodiscard]] double writing_seconds() {
    if (!fresh_data_) return 0;
    constexpr int times = 20;
    const double begin = MPI_Wtime();
    for (int i = 0; i < times; ++i) write_data(const_cast<std::byte *>(memory_->spaces().send));
    return (MPI_Wtime() - begin) / times;
  }

  // The first exchanges of a length may take what the MPI library sets up for it, and any may take what else the
  // machine does: so often as a run is much shorter than the one before it, there is another.
  double rough_time(Contender &contender, double enough) const {
    const auto run = [&](std::int64_t times) { return slowest_of([&] { exchange(contender, times); }); };
    run(1);
    constexpr double much = 0.8;
    for (std::int64_t times = 1;; times *= 2) {
      double seconds = run(times);
      for (double before = 2 * seconds; seconds >= enough && seconds < much * before;) {
        before = std::exchange(seconds, std::min(seconds, run(times)));
      }
      if (seconds >= enough) return seconds / static_cast<double>(times);
    }
  }

  // One sample of each contender; false when the time was over before. In another order each time, the same on all
  // ranks: what a contender finds in the caches is its predecessor's.
  bool sample_all(int repetition) {
    const double writing = writing_seconds();
    std::shuffle(entries_.begin(), entries_.end(), order_);
    for (const Entry &entry : entries_) {
      if (!goes_on_until(end_, comm_)) return false;
      progress_(repetition, label(entry));
      Measurement &measurement = result_.measurements[entry.measurement];
      const double all = seconds_of(comm_, [&] { exchange(*entry.contender, measurement.batch); });
      const double each = all / static_cast<double>(measurement.batch) - writing;
      measurement.samples.push_back(of_slowest(std::max(0.0, each), comm_) / microsecond);
    }
    return true;
  }

  MPI_Comm comm_;
  double end_;  // as MPI_Wtime says on rank 0
  const Progress &progress_;
  bool fresh_data_;
  std::unique_ptr<Operation> operation_;
  std::unique_ptr<OperationMemory> memory_;
  std::vector<Extent> sent_;  // where data lies in the send buffer
  SizeResult result_;
  std::vector<Entry> entries_;
  std::mt19937 order_{1};
};

}  // namespace

void check_data(const std::string &label, const Problem &problem, OperationMemory &memory, MPI_Comm comm,
                const std::function<void()> &exchange) {
  for (int round = 0; round < 2; ++round) {
    memory.prepare(round);
    exchange();
    const std::string fault = agreed_text(memory.fault(), comm);
    if (!fault.empty()) throw Error(Fault::internal, fmt::format("{}: {}: {}", label, fault, to_string(problem)));
  }
}

SizeResult measure(const Problem &problem, std::span<const ContenderSpec> specs, const Effort &effort,
                   const Progress &progress, MPI_Comm comm) {
  Contest contest(problem, specs, effort, progress, comm);
  contest.calibrate(effort);
  contest.repeat(effort);
  return contest.finish();
}

namespace {

// Blocks of one length from all to all, and memory for them, for exchanges that are not a contest's.
class OfOneLength {
 public:
  OfOneLength(int ranks, std::int64_t bytes, MPI_Comm comm)
      : problem_{.ranks = ranks, .distribution = *parse_distribution("constant"), .largest = bytes},
        operation_(make_operation(problem_, comm)),
        memory_(operation_->memory()) {
    memory_->prepare(0);
  }

  // Collective. Null where there is none of this kind. Not to outlive this.
  [[nodiscard]] std::unique_ptr<Contender> contender(ContenderSpec::Kind kind) {
    std::string refused;
    return make_contender({.kind = kind}, problem_, *operation_, memory_->spaces(), refused);
  }

 private:
  Problem problem_;
  std::unique_ptr<Operation> operation_;
  std::unique_ptr<OperationMemory> memory_;
};

}  // namespace

double set_up_communicator(int ranks, MPI_Comm comm) {
  OfOneLength exchanges(ranks, 8, comm);
  double seconds = 0;
  using Kind = ContenderSpec::Kind;
  for (const Kind kind : {Kind::mpi_blocking, Kind::mpi_persistent, Kind::rondo}) {
    std::unique_ptr<Contender> contender;
    seconds = of_slowest(seconds_of(comm, [&] { contender = exchanges.contender(kind); }), comm);
    if (contender) contender->run();
  }
  return seconds;
}

void warm_up_library(int ranks, std::int64_t bytes) {
  constexpr int most = 1000;
  constexpr double most_seconds = 0.05;
  OfOneLength exchanges(ranks, bytes, MPI_COMM_WORLD);
  const auto call = exchanges.contender(ContenderSpec::Kind::mpi_blocking);
  const double end = MPI_Wtime() + most_seconds;
  for (int i = 0; i < most && goes_on_until(end); i += 10) {
    for (int j = 0; j < 10; ++j) call->run();
  }
}

}  // namespace rondo::internal::cli
