#include "api/profile_of_ranks.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <bit>
#include <cmath>
#include <cstdio>
#include <mutex>

#include "api/profile.hpp"
#include "plan/progress.hpp"

namespace rondo::internal {

namespace {

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

// Prices as numbers, in femtoseconds, of which a byte has some thousand.
constexpr double femto = 1e-15;

struct PricesAsValues {
  static constexpr std::size_t prices = machine_prices.size();
  static constexpr std::size_t lengths = NativeTimes::blocks.size();
  using Values = std::array<std::int64_t, 1 + prices + 2 * lengths>;  // the first: whether there are any

  static Values of(const CostModel &costs) {
    Values values{1};
    for (std::size_t i = 0; i < prices; ++i) values[1 + i] = std::llround(costs.*machine_prices[i].of / femto);
    for (std::size_t i = 0; i < lengths; ++i) {
      values[1 + prices + i] = std::llround(costs.native.seconds[i] / femto);
      values[1 + prices + lengths + i] = std::llround(costs.native_one_way.seconds[i] / femto);
    }
    return values;
  }
  static CostModel costs_of(const Values &values) {
    CostModel costs;
    for (std::size_t i = 0; i < prices; ++i) costs.*machine_prices[i].of = static_cast<double>(values[1 + i]) * femto;
    for (std::size_t i = 0; i < lengths; ++i) {
      costs.native.seconds[i] = static_cast<double>(values[1 + prices + i]) * femto;
      costs.native_one_way.seconds[i] = static_cast<double>(values[1 + prices + lengths + i]) * femto;
    }
    return costs;
  }
};
static_assert(std::tuple_size_v<PricesAsValues::Values> <= Board::most_figures);

constinit std::mutex profile_mutex;

void warn(const Error &fault) {
  static std::atomic<bool> warned{false};
  if (warned.exchange(true)) return;
  fault_of([&] { std::fputs(fmt::format("[rondo] {}\n", fault.message()).c_str(), stderr); });
}

// Runs work(), which uses the file, on rank 0.
template <class Work>
void with_profile(const Channel &channel, Work &&work) {
  if (channel.rank() != 0) return;
  const std::lock_guard lock(profile_mutex);
  if (const auto fault = fault_of(work)) warn(*fault);
}

}  // namespace

std::optional<MeasuredChoice> find_in_profile(const Phases &phases, const Channel &channel, const Inputs &inputs,
                                              const std::string &name) {
  const Kind &kind = *inputs.exchange.kind;
  phases.agree();
  Figures own;
  with_profile(channel, [&] {
    const Profile profile = Profile::read(inputs.hints.profile);
    if (const MeasuredChoice *found = profile.find(this_setting(), name)) own = figures_of(*found, kind);
  });
  auto values = std::bit_cast<FiguresAsValues>(own);
  channel.duplicate->agreement().agree(values, std::nullopt, drive_what_runs);
  const auto all = std::bit_cast<Figures>(values);
  if (all.algorithm == 0) return std::nullopt;
  return phases.alone([&] { return choice_of(all, kind); });
}

std::optional<CostModel> prices_in_profile(const Channel &channel, const Hints &hints,
                                           const MachinePrices::Place &place) {
  PricesAsValues::Values values{};
  with_profile(channel, [&] {
    const auto found = Profile::read(hints.profile).prices_for(this_setting(), place);
    if (found) values = PricesAsValues::of(*found);
  });
  channel.duplicate->agreement().agree(values, std::nullopt, drive_what_runs);
  return values[0] != 0 ? std::optional(PricesAsValues::costs_of(values)) : std::nullopt;
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

}  // namespace rondo::internal
