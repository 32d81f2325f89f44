#include "api/tune.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cstdio>
#include <functional>
#include <memory>
#include <optional>
#include <utility>
#include <vector>

#include "api/earlier.hpp"
#include "api/init.hpp"
#include "api/profile_of_ranks.hpp"
#include "api/report.hpp"
#include "api/trial_data.hpp"
#include "model/knockout.hpp"
#include "plan/progress.hpp"

namespace rondo::internal {

namespace {

constexpr std::size_t most_contenders = 10;
// With the prices of the machine an estimate is near to the truth: what it takes for the fastest is to be beaten by
// more than few exchanges err, and what it takes to be far behind needs no trial.
constexpr double clearly_by_times = 0.97;
constexpr double clearly_by_prices = 0.9;
constexpr double far_behind_by_prices = 2;
constexpr std::int64_t most_memory = std::int64_t{256} << 20;  // bytes of a rank, for its trials

// ---- Trials ------------------------------------------------------------------------------------------------

// A plan that is made to be timed.
class Trial {
 public:
  Trial(OwnedRequest request, const TrialData &data)
      : plan_(std::move(request->plan)), fixed_(request->fixed), data_(data) {}
  Trial(Trial &&) = default;
  Trial &operator=(Trial &&) = delete;
  Trial(const Trial &) = delete;
  Trial &operator=(const Trial &) = delete;
  ~Trial() {
    if (plan_) fault_of([&] { AnyPlan::free(std::move(plan_)); });
  }

  // Before the first exchange. May take memory.
  void prepare() const { data_.prepare(fixed_->buffers().send, fixed_->buffers().receive); }
  // The first exchange: whether it brings what it should, as far as there is memory to see that. MPI libraries have
  // calls that do nothing, and are fast.
  bool is_right() {
    exchange();
    bool right = false;
    fault_of([&] { right = data_.is_right(fixed_->buffers().receive); });
    return right;
  }

  // The seconds of so many exchanges, each, without those of writing what is sent.
  double run(int exchanges) {
    std::byte *const send = fixed_->buffers().send;
    const double before = MPI_Wtime();
    data_.renew(send);
    const double begin = MPI_Wtime();
    for (int i = 0; i < exchanges; ++i) {
      data_.renew(send);
      exchange();
    }
    return std::max(0.0, (MPI_Wtime() - begin) / exchanges - (begin - before));
  }

 private:
  void exchange() {
    fixed_->start();
    fixed_->wait();
  }

  std::unique_ptr<AnyPlan> plan_;
  Plan *fixed_;  // the same
  const TrialData &data_;
};

// The candidates of one case, while they are timed.
class Trials {
 public:
  // Makes a plan for each, one after the other, until half of the budget is spent, and has it run twice. One that
  // cannot be made, or brings other data than it should on any rank, is left out on all ranks alike.
  Trials(const Phases &phases, const Channel &channel, const Inputs &inputs, std::vector<Choice> choices)
      : channel_(channel), inputs_(inputs), choices_(std::move(choices)), begin_(MPI_Wtime()) {
    phases.alone([&] {
      for (const Choice &choice : choices_) hints_.push_back(hints_for_trial(inputs.hints, choice));
      data_.emplace(inputs.arguments, channel.rank(), channel.packing());
      trials_.reserve(choices_.size());
      entered_.reserve(choices_.size());
      first_.reserve(choices_.size());
    });
    phases.agree();
    for (std::size_t i = 0; i < choices_.size() && spent_ <= budget() / 2; ++i) enter(phases, i);
  }

  [[nodiscard]] std::size_t entered() const { return trials_.size(); }

  // The fastest, as far as the budget tells.
  MeasuredChoice run(const Phases &phases, double clearly) {
    const double apart = agreement_seconds();
    Knockout knockout = phases.alone([&] { return Knockout(first_, budget(), spent_, clearly, apart); });
    phases.agree();
    while (!knockout.over()) run_turn(knockout);
    tell(knockout);
    const Choice &fastest = entered(knockout.winner());
    return phases.alone([&] {
      return MeasuredChoice{std::string(fastest.algorithm->name), fastest.parameters,
                            knockout.seconds(knockout.winner())};
    });
  }

 private:
  [[nodiscard]] double budget() const { return inputs_.hints.tune_budget.count(); }
  [[nodiscard]] const Choice &entered(std::size_t trial) const { return choices_[entered_[trial]]; }

  void enter(const Phases &phases, std::size_t which) {
    const auto read_trial = [&] {
      Inputs inputs = read(data_->arguments(), hints_[which], channel_);
      inputs.for_trial = true;
      return inputs;
    };
    try {
      trials_.emplace_back(plan_on(channel_, std::cref(read_trial)), *data_);
    } catch (const Error &error) {
      if (error.fault == Fault::stalled) throw;
      return;
    }
    phases.alone([&] { trials_.back().prepare(); });
    phases.agree();
    bool right = false;
    double first = 0;
    time(first, [&] {
      right = trials_.back().is_right();
      first = trials_.back().run(1);
    });
    std::array<std::int64_t, 1> wrong{right ? 0 : 1};
    agree(wrong);
    if (wrong[0] != 0) {
      trials_.pop_back();
      if (inputs_.hints.report && channel_.rank() == 0) tell_wrong(choices_[which]);
      return;
    }
    entered_.push_back(which);
    first_.push_back(first);
  }

  // Those that are left, one after the other. Where there is time, the first exchange of each is not timed: ranks come
  // to it at different times, and the caches hold another plan's memory. Where the machine has become so busy that the
  // budget is far exceeded, what is known so far decides.
  void run_turn(Knockout &knockout) {
    constexpr double far = 1.5;
    std::array<double, most_contenders> seconds{};
    const std::span<const std::size_t> left = knockout.left();
    for (std::size_t i = 0; i < left.size(); ++i) {
      time(seconds[i], [&] {
        if (knockout.warms_up()) trials_[left[i]].run(1);
        seconds[i] = trials_[left[i]].run(knockout.exchanges(left[i]));
      });
      if (spent_ > far * budget()) return knockout.end();
    }
    knockout.take(std::span(seconds).first(left.size()), spent_);
  }

  // A rank that has little to do waits long for the others here, which are not stalled: a wait for a trial would say
  // so.
  void agree(std::span<std::int64_t> maxima, const std::optional<Error> &fault = std::nullopt) {
    channel_.duplicate->agreement().agree(maxima, fault, drive_what_runs);
  }

  // What an agreement takes on the slowest rank, where nobody has to be waited for: ranks leave it that far apart at
  // most.
  double agreement_seconds() {
    double least = budget();
    constexpr int times = 4;
    for (int i = 0; i < times; ++i) {
      const double begin = MPI_Wtime();
      std::array<std::int64_t, 1> none{};
      agree(none);
      least = std::min(least, MPI_Wtime() - begin);
    }
    time(least, [] {});
    return least;
  }

  // The time that work() writes becomes that of the slowest rank. Takes no memory.
  template <class Work>
  void time(double &seconds, Work &&work) {
    constexpr double nano = 1e-9;
    const auto fault = fault_of(work);
    std::array<std::int64_t, 2> values{static_cast<std::int64_t>(seconds / nano),
                                       static_cast<std::int64_t>((MPI_Wtime() - begin_) / nano)};
    agree(values, fault);
    seconds = static_cast<double>(values[0]) * nano;
    spent_ = static_cast<double>(values[1]) * nano;
  }

  static void tell_wrong(const Choice &choice) {
    fault_of([&] {
      std::fputs(
          fmt::format("[rondo] {} is left out: it has brought other data than was sent\n", algorithm_text(choice))
              .c_str(),
          stderr);
    });
  }

  // Where all stood when they were last timed, for rondo_report=1.
  void tell(const Knockout &knockout) const {
    if (!inputs_.hints.report || channel_.rank() != 0) return;
    fault_of([&] {
      std::vector<std::size_t> order(trials_.size());
      for (std::size_t i = 0; i < order.size(); ++i) order[i] = i;
      std::stable_sort(order.begin(), order.end(),
                       [&](std::size_t a, std::size_t b) { return knockout.seconds(a) < knockout.seconds(b); });
      const auto winner = std::find(order.begin(), order.end(), knockout.winner());
      std::rotate(order.begin(), winner, winner + 1);
      std::string line = fmt::format("[rondo] measured in {:.1f} ms:", spent_ * 1e3);
      for (const std::size_t one : order) {
        line += fmt::format("{} {} {:.2f} us", one == order.front() ? "" : ",", algorithm_text(entered(one)),
                            knockout.seconds(one) * 1e6);
      }
      std::fputs((line + "\n").c_str(), stderr);
    });
  }

  const Channel &channel_;
  const Inputs &inputs_;
  std::vector<Choice> choices_;
  std::vector<Hints> hints_{};  // of each
  double begin_;
  double spent_ = 0;
  std::optional<TrialData> data_{};
  std::vector<Trial> trials_{};
  std::vector<std::size_t> entered_{};  // by trial, the index of its choice
  std::vector<double> first_{};         // by trial, seconds
};

// ---- Learning ----------------------------------------------------------------------------------------------

// The bytes that trials would take on the rank that needs most. Collective.
std::int64_t memory_of_trials(const Phases &phases, const Channel &channel, const Inputs &inputs) {
  phases.agree();
  std::array<std::int64_t, 1> memory{};
  const auto fault = fault_of([&] { memory[0] = TrialData::bytes_for(inputs.arguments, most_contenders); });
  channel.duplicate->agreement().agree(memory, fault, drive_what_runs, inputs.hints.stall_timeout);
  return memory[0];
}

}  // namespace

bool learn_fastest(const Phases &phases, const Channel &channel, const Inputs &inputs, const Agreed &agreed) {
  const Hints &hints = inputs.hints;
  const bool measures = hints.measures && hints.tune_budget.count() > 0;
  const bool wanted = measures || !hints.profile.empty();
  if (!wanted || inputs.for_trial || agreed.on_device || channel.ranks() == 1) return false;
  MeasuredChoices &known = EarlierPlans::of(channel).measured();
  const std::string name = phases.alone([&] { return case_name(agreed, inputs); });
  if (known.contains(name)) return false;
  std::vector<Choice> all = phases.alone(
      [&] { return candidates(agreed.features, hints.wish, EarlierPlans::of(channel).outlines_for(inputs)); });
  // On all ranks or on none.
  const auto remember = [&](const MeasuredChoice &choice) {
    MeasuredChoices one = phases.alone([&] { return MeasuredChoices{{name, choice}}; });
    phases.agree();
    known.merge(one);
  };
  if (!hints.profile.empty()) {
    const auto found = find_in_profile(phases, channel, inputs, name);
    if (found && std::any_of(all.begin(), all.end(), [&](const Choice &one) { return found->is(one); })) {
      remember(*found);
      return false;
    }
  }
  if (!measures || all.size() < 2 || memory_of_trials(phases, channel, inputs) > most_memory) return false;
  const bool by_prices = agreed.features.costs.native.known();
  if (by_prices) {
    const double most = far_behind_by_prices * all.front().estimate.seconds;
    std::erase_if(all, [&](const Choice &one) { return one.estimate.seconds > most; });
  }
  {
    Trials trials(phases, channel, inputs, phases.alone([&] { return worth_timing(all, most_contenders); }));
    if (trials.entered() > 0) {
      const MeasuredChoice fastest = trials.run(phases, by_prices ? clearly_by_prices : clearly_by_times);
      if (trials.entered() > 1) add_to_profile(channel, inputs, name, fastest);
      remember(fastest);
    }
  }
  phases.agree();  // a rank that has little memory to give back waits for the others here, however long they take
  return true;
}

}  // namespace rondo::internal
