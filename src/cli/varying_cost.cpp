#include "cli/varying_cost.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <memory>
#include <numeric>
#include <rondo/rondo.hpp>

#include "cli/arguments.hpp"
#include "cli/block_sizes.hpp"
#include "cli/figure.hpp"
#include "cli/mpi_session.hpp"
#include "cli/quantiles.hpp"
#include "exchange/error.hpp"

namespace rondo::internal::cli {

namespace {

constexpr int draws = 16;

// What one rank sends in one draw of the counts, and what it is to receive: blocks in rank order, in bytes.
struct Draw {
  Draw(Problem problem, int rank, int number) {
    problem.seed += static_cast<std::uint64_t>(number);
    const BlockSizes sizes(problem);
    for (int peer = 0; peer < problem.ranks; ++peer) {
      counts.push_back(sizes(rank, peer));
      int_counts.push_back(static_cast<int>(counts.back()));
      expected.push_back(sizes(peer, rank));
    }
    displacements.resize(counts.size());
    std::exclusive_scan(int_counts.begin(), int_counts.end(), displacements.begin(), 0);
  }
  [[nodiscard]] std::int64_t sent() const { return std::accumulate(counts.begin(), counts.end(), std::int64_t{0}); }
  [[nodiscard]] std::int64_t received() const {
    return std::accumulate(expected.begin(), expected.end(), std::int64_t{0});
  }

  std::vector<MPI_Count> counts;
  std::vector<int> int_counts;
  std::vector<int> displacements;
  std::vector<MPI_Count> expected;
};

// A byte of what a rank sends to another: any two blocks of a run differ.
std::byte byte_of(int source, int destination, std::int64_t at) {
  return static_cast<std::byte>(31 * source + 7 * destination + at);
}

// What is exchanged.
struct Data {
  Data(const Problem &problem, int own_rank) : rank(own_rank), ranks(problem.ranks) {
    std::int64_t most_sent = 0;
    std::int64_t most_received = 0;
    for (int i = 0; i < draws; ++i) {
      all.emplace_back(problem, rank, i);
      most_sent = std::max(most_sent, all.back().sent());
      most_received = std::max(most_received, all.back().received());
    }
    sent.resize(static_cast<std::size_t>(most_sent) + 1);
    received.resize(static_cast<std::size_t>(most_received) + 1);
  }

  void write(int draw) {
    std::byte *to = sent.data();
    for (int peer = 0; peer < ranks; ++peer) {
      for (std::int64_t i = 0; i < all[draw].counts[peer]; ++i) *to++ = byte_of(rank, peer, i);
    }
  }
  // What is wrong with what a draw has brought; empty where nothing is.
  [[nodiscard]] std::string fault(const std::byte *data, std::span<const MPI_Count> counts, int draw) const {
    for (int peer = 0; peer < ranks; ++peer) {
      const std::int64_t expected = all[draw].expected[peer];
      if (counts[peer] != expected) return fmt::format("{} bytes from rank {}, not {}", counts[peer], peer, expected);
      for (std::int64_t i = 0; i < expected; ++i) {
        if (*data++ != byte_of(peer, rank, i)) return fmt::format("byte {} from rank {} is wrong", i, peer);
      }
    }
    return {};
  }

  int rank;
  int ranks;
  std::vector<Draw> all;
  std::vector<std::byte> sent;
  std::vector<std::byte> received;
};

class Way {
 public:
  virtual ~Way() = default;
  virtual void run(int draw) = 0;
  // Whether every run has the first draw, whatever it is asked for.
  [[nodiscard]] virtual bool always_first() const { return false; }
  // Of Rondo's plans: the algorithm of the last run.
  [[nodiscard]] virtual std::string algorithm() const { return {}; }
  // Of the last run, which had this draw.
  [[nodiscard]] virtual std::string fault(const Data &data, int draw) const = 0;
};

class LibraryCalls final : public Way {
 public:
  explicit LibraryCalls(Data &data) : data_(data), counts_(data.ranks), displacements_(data.ranks) {}

  void run(int draw) override {
    const Draw &sent = data_.all[draw];
    MPI_Alltoall(sent.int_counts.data(), 1, MPI_INT, counts_.data(), 1, MPI_INT, MPI_COMM_WORLD);
    std::exclusive_scan(counts_.begin(), counts_.end(), displacements_.begin(), 0);
    MPI_Alltoallv(data_.sent.data(), sent.int_counts.data(), sent.displacements.data(), MPI_BYTE, data_.received.data(),
                  counts_.data(), displacements_.data(), MPI_BYTE, MPI_COMM_WORLD);
  }
  [[nodiscard]] std::string fault(const Data &data, int draw) const override {
    const std::vector<MPI_Count> counts(counts_.begin(), counts_.end());
    return data.fault(data_.received.data(), counts, draw);
  }

 private:
  Data &data_;
  std::vector<int> counts_;
  std::vector<int> displacements_;
};

class VaryingPlanOf final : public Way {
 public:
  VaryingPlanOf(Data &data, const rondo::Hints &hints, bool same_counts)
      : data_(data),
        same_counts_(same_counts),
        plan_(MPI_COMM_WORLD, hints),
        request_(plan_.request().native()),
        counts_(data.ranks),
        displacements_(data.ranks) {}

  void run(int draw) override {
    const Draw &sent = data_.all[same_counts_ ? 0 : draw];
    rondo::detail::check(RONDO_Start_counts(&request_, data_.sent.data(), sent.counts.data(), nullptr));
    rondo::detail::check(RONDO_Wait_counts(&request_, &received_, counts_.data(), displacements_.data()));
  }
  [[nodiscard]] bool always_first() const override { return same_counts_; }
  [[nodiscard]] std::string fault(const Data &data, int draw) const override {
    return data.fault(static_cast<const std::byte *>(received_), counts_, draw);
  }
  [[nodiscard]] std::string algorithm() const override { return report().algorithm; }
  [[nodiscard]] RONDO_Report report() const {
    RONDO_Report report{};
    rondo::detail::check(RONDO_Request_report(request_, &report, sizeof(report)));
    return report;
  }

 private:
  Data &data_;
  bool same_counts_;
  rondo::VaryingAlltoallv<std::byte> plan_;
  RONDO_Request request_;
  void *received_ = nullptr;
  std::vector<MPI_Count> counts_;
  std::vector<MPI_Aint> displacements_;
};

class FixedPlanOf final : public Way {
 public:
  FixedPlanOf(Data &data, const rondo::Hints &hints) : data_(data) {
    const Draw &draw = data.all.front();
    const auto displacements_of = [](const std::vector<MPI_Count> &counts) {
      std::vector<MPI_Aint> displacements(counts.size());
      std::exclusive_scan(counts.begin(), counts.end(), displacements.begin(), MPI_Aint{0});
      return displacements;
    };
    const std::vector<MPI_Aint> from = displacements_of(draw.counts);
    const std::vector<MPI_Aint> to = displacements_of(draw.expected);
    plan_ = rondo::alltoallv_init(rondo::LargeSide<const std::byte>{data.sent, draw.counts, from},
                                  rondo::LargeSide<std::byte>{data.received, draw.expected, to}, MPI_COMM_WORLD, hints);
  }

  void run(int) override { plan_.run(); }
  [[nodiscard]] bool always_first() const override { return true; }
  [[nodiscard]] std::string fault(const Data &data, int) const override {
    return data.fault(data_.received.data(), data.all.front().expected, 0);
  }

 private:
  Data &data_;
  rondo::Request plan_;
};

class VaryingContest {
 public:
  VaryingContest(const Problem &problem, std::span<const ContenderSpec> specs, double end)
      : end_(end), data_(problem, rank_in(MPI_COMM_WORLD)) {
    add({.label = "MPI_Alltoall + MPI_Alltoallv"}, std::make_unique<LibraryCalls>(data_));
    for (const ContenderSpec &spec : specs) {
      if (spec.kind != ContenderSpec::Kind::rondo) continue;
      rondo::Hints hints = hints_of({.algorithm = spec.algorithm, .parameters = spec.parameters, .wire = spec.wire});
      add_varying(spec.label(), hints, false);
      hints.set("rondo_metadata", "separate");
      add_varying(spec.label() + ", separate metadata", hints, false);
    }
    add_varying("chosen, the same counts", {}, true);
    add({.label = "chosen, fixed counts"}, std::make_unique<FixedPlanOf>(data_, rondo::Hints{}));
    for (const Entry &entry : entries_) check(entry);
  }

  std::vector<VaryingTime> measure(int repetitions) {
    for (Entry &entry : entries_) entry.batch = batch_of(*entry.way);
    for (int repetition = 0; repetition < repetitions && (repetition == 0 || goes_on_until(end_)); ++repetition) {
      for (std::size_t turn = 0; turn < entries_.size(); ++turn) {
        const Entry &entry = entries_[(turn + static_cast<std::size_t>(repetition)) % entries_.size()];
        times_[entry.time].samples.push_back(sample(*entry.way, entry.batch) * 1e6);
      }
    }
    for (const Entry &entry : entries_) times_[entry.time].algorithm = entry.way->algorithm();
    return std::move(times_);
  }

 private:
  struct Entry {
    std::size_t time;
    std::unique_ptr<Way> way;
    int batch = 1;
  };

  void add(VaryingTime time, std::unique_ptr<Way> way) {
    if (way) entries_.push_back({times_.size(), std::move(way)});
    times_.push_back(std::move(time));
  }

  void add_varying(const std::string &label, const rondo::Hints &hints, bool same_counts) {
    try {
      auto way = std::make_unique<VaryingPlanOf>(data_, hints, same_counts);
      const RONDO_Report report = way->report();
      long long messages = report.messages;
      MPI_Allreduce(MPI_IN_PLACE, &messages, 1, MPI_LONG_LONG, MPI_MAX, MPI_COMM_WORLD);
      add({.label = label, .algorithm = report.algorithm, .messages = messages}, std::move(way));
    } catch (const rondo::AlgorithmError &error) {  // on all ranks
      add({.label = label, .refused = error.what()}, nullptr);
    }
  }

  void check(const Entry &entry) {
    for (int draw = 0; draw < draws; ++draw) {
      data_.write(entry.way->always_first() ? 0 : draw);
      entry.way->run(draw);
      const std::string fault = agreed_text(entry.way->fault(data_, entry.way->always_first() ? 0 : draw));
      if (!fault.empty()) throw Error(Fault::internal, fmt::format("{}: {}", times_[entry.time].label, fault));
    }
  }

  static double sample(Way &way, int batch) {
    MPI_Barrier(MPI_COMM_WORLD);
    const double begin = MPI_Wtime();
    for (int i = 0; i < batch; ++i) way.run(i % draws);
    return of_slowest((MPI_Wtime() - begin) / batch);
  }

  // As many as take long beside the clock's resolution, and beside what ranks need to leave a barrier.
  static int batch_of(Way &way) {
    const double barrier = sample_barrier();
    const double wanted = std::max(1e-3, 20 * barrier);
    constexpr int most = 100'000;
    for (int batch = 2;; batch *= 2) {
      const double seconds = sample(way, batch) * batch;
      if (seconds >= wanted || batch >= most) return batch;
    }
  }
  static double sample_barrier() {
    const double begin = MPI_Wtime();
    for (int i = 0; i < 3; ++i) MPI_Barrier(MPI_COMM_WORLD);
    return of_slowest((MPI_Wtime() - begin) / 3);
  }

  double end_;
  Data data_;
  std::vector<VaryingTime> times_;
  std::vector<Entry> entries_;
};

}  // namespace

double VaryingTime::median() const {
  return quantiles(samples).median;
}

VaryingCost measure_varying(const Problem &problem, std::span<const ContenderSpec> specs, int repetitions, double end) {
  return {problem.largest, VaryingContest(problem, specs, end).measure(repetitions)};
}

std::string varying_table(const VaryingCost &cost) {
  const double bar = cost.times.front().median();
  std::string text = fmt::format("\n{} bytes in the largest block\n{:<44} {:<20} {:>9} {:>10} {:>8}\n", cost.bytes, "",
                                 "algorithm", "messages", "median", "ratio");
  for (const VaryingTime &time : cost.times) {
    if (!time.refused.empty()) {
      text += fmt::format("{:<44} {}\n", time.label, time.refused);
      continue;
    }
    const double median = time.median();
    text += fmt::format("{:<44} {:<20} {:>9} {:>10} {:>7.2f}x\n", time.label, time.algorithm,
                        time.messages > 0 ? std::to_string(time.messages) : "", figure(median), bar / median);
  }
  return text;
}

nlohmann::ordered_json varying_json(const BenchReport &report, std::span<const VaryingCost> costs) {
  nlohmann::ordered_json json = origin_json(report);
  json["varying"] = nlohmann::ordered_json::array();
  for (const VaryingCost &cost : costs) {
    auto times = nlohmann::ordered_json::array();
    for (const VaryingTime &time : cost.times) {
      times.push_back({{"label", time.label},
                       {"algorithm", time.algorithm},
                       {"messages", time.messages},
                       {"refused", time.refused},
                       {"median_us", time.median()},
                       {"samples_us", time.samples}});
    }
    json["varying"].push_back({{"bytes", cost.bytes}, {"times", std::move(times)}});
  }
  return json;
}

}  // namespace rondo::internal::cli
