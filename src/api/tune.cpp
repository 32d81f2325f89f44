#include "api/tune.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <bit>
#include <cmath>
#include <cstdio>
#include <cstring>
#include <functional>
#include <mutex>
#include <optional>
#include <utility>
#include <vector>

#include "api/earlier.hpp"
#include "api/init.hpp"
#include "api/profile.hpp"
#include "api/report.hpp"
#include "model/knockout.hpp"
#include "plan/progress.hpp"
#include "varying/arena.hpp"
#include "wire/packing.hpp"

namespace rondo::internal {

namespace {

constexpr std::size_t most_contenders = 8;
constexpr std::int64_t most_memory = std::int64_t{256} << 20;  // bytes of a rank, for its trials

// ---- Memory for trials -------------------------------------------------------------------------------------

std::int64_t bytes_of(const Side &side) {
  return side.plan_allocates || side.parts.empty() ? 0 : reach(side).length;
}

std::int64_t memory_for(const Arguments &given) {
  return bytes_of(given.send) + bytes_of(given.receive);
}

// What is sent must have been written: reading a page that never was costs less than another.
void fill(const Side &side, MPI_Comm packing) {
  std::vector<std::byte> packed;
  for (const Part &part : side.parts) {
    const std::int64_t bytes = side.bytes(part);
    if (bytes == 0) continue;
    if (side.shape(part).dense) {
      std::memset(static_cast<std::byte *>(side.buffer) + side.first_byte(part), 1, static_cast<std::size_t>(bytes));
      continue;
    }
    packed.resize(std::max(packed.size(), static_cast<std::size_t>(bytes)));
    const SideType &type = side.types[part.type];
    const std::span<const Extent> runs = type.runs ? std::span<const Extent>(*type.runs) : std::span<const Extent>{};
    unpack({side.address(part), part.count, type.type, type.shape, runs}, packed.data(), packing);
  }
}

// The runs of bytes that are sent, from the buffer on; nothing of those of a type whose runs are not known, or are
// many.
std::vector<Extent> runs_of(const Side &side) {
  constexpr std::int64_t most = 65536;
  std::vector<Extent> all;
  for (const Part &part : side.parts) {
    const std::int64_t bytes = side.bytes(part);
    if (bytes == 0) continue;
    if (side.shape(part).dense) {
      all.push_back({side.first_byte(part), bytes});
      continue;
    }
    const SideType &type = side.types[part.type];
    if (!type.runs || static_cast<std::int64_t>(type.runs->size()) * part.count > most) continue;
    for (std::int64_t element = 0; element < part.count; ++element) {
      for (const Extent &run : *type.runs) {
        all.push_back({side.offset(part) + element * type.shape.extent + run.offset, run.length});
      }
    }
  }
  return all;
}

// The arguments of a call with memory of their own in the place of the caller's buffers, laid out as these.
class TrialArguments {
 public:
  TrialArguments(const Arguments &given, MPI_Comm packing) : arguments_(given) {
    Side &send = arguments_.send;
    Side &receive = arguments_.receive;
    if (!receive.plan_allocates) receive.buffer = at(receive_, given.in_place ? reach(receive, send) : reach(receive));
    if (given.in_place ? receive.plan_allocates : send.plan_allocates) return;
    send.buffer = given.in_place ? receive.buffer : at(send_, reach(send));
    fill(send, packing);
  }

  [[nodiscard]] const Arguments &get() const { return arguments_; }

 private:
  // Memory for these bytes of a buffer, as the buffer.
  static std::byte *at(RawMemory &memory, const Extent &bytes) {
    memory = RawMemory(std::max<std::int64_t>(bytes.length, 1));
    return memory.data() - bytes.offset;
  }

  Arguments arguments_;
  RawMemory send_{};
  RawMemory receive_{};
};

// ---- Trials ------------------------------------------------------------------------------------------------

// A plan that is made to be timed.
class Trial {
 public:
  // `sent` are the runs that it sends, from its send buffer on.
  Trial(OwnedRequest request, std::span<const Extent> sent)
      : plan_(std::move(request->plan)), fixed_(request->fixed), sent_(sent) {}
  Trial(Trial &&) = default;
  Trial &operator=(Trial &&) = delete;
  Trial(const Trial &) = delete;
  Trial &operator=(const Trial &) = delete;
  ~Trial() {
    if (plan_) fault_of([&] { AnyPlan::free(std::move(plan_)); });
  }

  // The seconds of so many exchanges, each, without those of writing what is sent.
  double run(int exchanges) {
    const double before = MPI_Wtime();
    write_data();
    const double begin = MPI_Wtime();
    for (int i = 0; i < exchanges; ++i) {
      write_data();
      fixed_->start();
      fixed_->wait();
    }
    return std::max(0.0, (MPI_Wtime() - begin) / exchanges - (begin - before));
  }

 private:
  // Programs send new data in each exchange: a cache line that another core has read must be fetched back for that.
  void write_data() const {
    std::byte *const base = fixed_->buffers().send;
    for (const Extent &run : sent_) {
      for (std::int64_t at = run.offset; at < run.end(); at += cache_line)
        ++*reinterpret_cast<unsigned char *>(base + at);
    }
  }

  std::unique_ptr<AnyPlan> plan_;
  Plan *fixed_;  // the same
  std::span<const Extent> sent_;
};

// The candidates of one case, while they are timed.
class Trials {
 public:
  // Makes a plan for each, one after the other, until half of the budget is spent, and has it run once. One that cannot
  // be made is left out, on all ranks alike.
  Trials(const Phases &phases, const Channel &channel, const Inputs &inputs, std::vector<Choice> choices)
      : channel_(channel), inputs_(inputs), choices_(std::move(choices)), begin_(MPI_Wtime()) {
    phases.alone([&] {
      for (const Choice &choice : choices_) hints_.push_back(hints_for_trial(inputs.hints, choice));
      arguments_.emplace(inputs.arguments, channel.packing());
      sent_ = runs_of(inputs.arguments.in_place ? inputs.arguments.receive : inputs.arguments.send);
      trials_.reserve(choices_.size());
      entered_.reserve(choices_.size());
      first_.reserve(choices_.size());
    });
    phases.agree();
    for (std::size_t i = 0; i < choices_.size() && spent_ <= budget() / 2; ++i) enter(i);
  }

  [[nodiscard]] bool any() const { return !trials_.empty(); }

  // The fastest, as far as the budget tells.
  MeasuredChoice run(const Phases &phases) {
    Knockout knockout = phases.alone([&] { return Knockout(first_, budget(), spent_); });
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

  void enter(std::size_t which) {
    const auto read_trial = [&] {
      Inputs inputs = read(arguments_->get(), hints_[which], channel_);
      inputs.for_trial = true;
      return inputs;
    };
    try {
      trials_.emplace_back(plan_on(channel_, std::cref(read_trial)), sent_);
    } catch (const Error &error) {
      if (error.fault == Fault::stalled) throw;
      return;
    }
    entered_.push_back(which);
    double first = 0;
    time(first, [&] { first = trials_.back().run(1); });
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

  // The time that work() writes becomes that of the slowest rank. Takes no memory.
  template <class Work>
  void time(double &seconds, Work &&work) {
    constexpr double nano = 1e-9;
    const auto fault = fault_of(work);
    std::array<std::int64_t, 2> values{static_cast<std::int64_t>(seconds / nano),
                                       static_cast<std::int64_t>((MPI_Wtime() - begin_) / nano)};
    channel_.duplicate->agreement().agree(values, fault, drive_what_runs, inputs_.hints.stall_timeout);
    seconds = static_cast<double>(values[0]) * nano;
    spent_ = static_cast<double>(values[1]) * nano;
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
  std::optional<TrialArguments> arguments_{};
  std::vector<Extent> sent_{};
  std::vector<Trial> trials_{};
  std::vector<std::size_t> entered_{};  // by trial, the index of its choice
  std::vector<double> first_{};         // by trial, seconds
};

// ---- The profile -------------------------------------------------------------------------------------------

// A choice as numbers, which rank 0 has and all ranks get. All are zero where there is none.
struct Figures {
  std::int64_t algorithm = 0;  // its place in the table, counted from 1
  std::int64_t radix = 0;
  std::int64_t block_count = 0;
  std::int64_t leaders = 0;
  std::int64_t pattern = 0;
  std::int64_t nanoseconds = 0;
};
using FiguresAsValues = std::array<std::int64_t, sizeof(Figures) / sizeof(std::int64_t)>;

Figures figures_of(const MeasuredChoice &choice, const Kind &kind) {
  const auto all = algorithms(kind);
  const auto found =
      std::find_if(all.begin(), all.end(), [&](const Algorithm *one) { return one->name == choice.algorithm; });
  if (found == all.end()) return {};
  return {found - all.begin() + 1,
          choice.parameters.radix,
          choice.parameters.block_count,
          choice.parameters.leaders,
          static_cast<std::int64_t>(choice.parameters.pattern),
          std::max<std::int64_t>(1, std::llround(choice.seconds * 1e9))};
}

MeasuredChoice choice_of(const Figures &figures, const Kind &kind) {
  return {.algorithm = std::string(algorithms(kind)[figures.algorithm - 1]->name),
          .parameters = {static_cast<int>(figures.radix), static_cast<int>(figures.block_count),
                         static_cast<int>(figures.leaders), static_cast<Pattern>(figures.pattern)},
          .seconds = static_cast<double>(figures.nanoseconds) * 1e-9};
}

constinit std::mutex profile_mutex;

void warn(const Error &fault) {
  static std::atomic<bool> warned{false};
  if (warned.exchange(true)) return;
  fault_of([&] { std::fputs(fmt::format("[rondo] {}\n", fault.message()).c_str(), stderr); });
}

// Runs work(), which uses the profile, on rank 0. A profile that cannot be used is no reason to fail: a line on
// standard error says why, once in a process.
template <class Work>
void with_profile(const Channel &channel, Work &&work) {
  if (channel.rank() != 0) return;
  const std::lock_guard lock(profile_mutex);
  if (const auto fault = fault_of(work)) warn(*fault);
}

// What the profile has for the case. Collective.
std::optional<MeasuredChoice> find_in_profile(const Phases &phases, const Channel &channel, const Inputs &inputs,
                                              const std::string &name) {
  const Kind &kind = *inputs.exchange.kind;
  Figures own;
  with_profile(channel, [&] {
    const Profile profile = Profile::read(inputs.hints.profile);
    if (const MeasuredChoice *found = profile.find(this_setting(), name)) own = figures_of(*found, kind);
  });
  auto values = std::bit_cast<FiguresAsValues>(own);
  channel.duplicate->agreement().agree(values, std::nullopt, drive_what_runs, inputs.hints.stall_timeout);
  const auto all = std::bit_cast<Figures>(values);
  if (all.algorithm == 0) return std::nullopt;
  return phases.alone([&] { return choice_of(all, kind); });
}

void add_to_profile(const Channel &channel, const Inputs &inputs, const std::string &name,
                    const MeasuredChoice &choice) {
  if (inputs.hints.profile.empty()) return;
  with_profile(channel, [&] {
    Profile profile = Profile::read(inputs.hints.profile);
    profile.settings[this_setting()][name] = choice;
    profile.write(inputs.hints.profile);
  });
}

// ---- Both --------------------------------------------------------------------------------------------------

// The candidates, where it can be tried which of them is the fastest: there are several, and memory for trials is no
// more than a rank can spare. Collective.
std::vector<Choice> contenders(const Phases &phases, const Channel &channel, const Inputs &inputs,
                               const Agreed &agreed) {
  std::array<std::int64_t, 1> memory{};
  const auto fault = fault_of([&] { memory[0] = memory_for(inputs.arguments); });
  channel.duplicate->agreement().agree(memory, fault, drive_what_runs, inputs.hints.stall_timeout);
  if (memory[0] > most_memory) return {};
  return phases.alone([&] {
    const Outlines &outlines = EarlierPlans::of(channel).outlines_for(inputs);
    return worth_timing(candidates(agreed.features, inputs.hints.wish, outlines), most_contenders);
  });
}

}  // namespace

bool learn_fastest(const Phases &phases, const Channel &channel, const Inputs &inputs, const Agreed &agreed) {
  const Hints &hints = inputs.hints;
  const bool wanted = hints.measures || !hints.profile.empty();
  if (!wanted || inputs.for_trial || agreed.on_device || channel.ranks() == 1) return false;
  MeasuredChoices &known = EarlierPlans::of(channel).measured();
  const std::string name = phases.alone([&] { return case_name(agreed, inputs); });
  if (known.contains(name)) return false;
  // On all ranks or on none.
  const auto remember = [&](const MeasuredChoice &choice) {
    MeasuredChoices one = phases.alone([&] { return MeasuredChoices{{name, choice}}; });
    phases.agree();
    known.merge(one);
  };
  if (!hints.profile.empty()) {
    if (const auto found = find_in_profile(phases, channel, inputs, name)) {
      remember(*found);
      return false;
    }
  }
  if (!hints.measures) return false;
  std::vector<Choice> choices = contenders(phases, channel, inputs, agreed);
  if (choices.size() < 2) return false;
  Trials trials(phases, channel, inputs, std::move(choices));
  if (trials.any()) {
    const MeasuredChoice fastest = trials.run(phases);
    remember(fastest);
    add_to_profile(channel, inputs, name, fastest);
  }
  return true;
}

}  // namespace rondo::internal
