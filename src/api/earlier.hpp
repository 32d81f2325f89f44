#pragma once

// Plans like earlier ones. What an init has worked out stays with the communicator: where all ranks come with the same
// exchange, hints and kind of memory again, a later init takes choice and schedule from there. So a solver that makes
// its plan anew in each of its iterations, or two plans to use in turn, pays for routes and sizes once.

#include <array>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "api/chosen.hpp"
#include "api/measured.hpp"
#include "api/profile.hpp"
#include "schedule/schedule.hpp"
#include "wire/message_cost.hpp"
#include "wire/node_tables.hpp"

namespace rondo::internal {

// What an init works out between the agreement and the reservation of memory.
struct WorkedOut {
  Chosen chosen;
  std::shared_ptr<const Schedule> schedule{};  // null for a native plan
  std::shared_ptr<const NodeTables> tables{};  // null where nothing is shared
  bool reused = false;
};

// Of one communicator, the last few.
class EarlierPlans {
 public:
  static EarlierPlans &of(const Channel &channel);

  // One of them.
  class Entry;

  // What choices of this kind are made from under these hints: worked out anew where the last one was asked for under
  // others. Local.
  [[nodiscard]] const Outlines &outlines_for(const Inputs &inputs);

  // What messages between nodes cost, once that has been measured.
  [[nodiscard]] std::optional<MessageCost> &message_cost() { return message_cost_; }
  // Takes the memory in which that can be measured, unless it has been.
  void make_room_to_measure() {
    if (!message_cost_ && !room_to_measure_) room_to_measure_ = std::make_unique<MessageData>();
  }
  // That memory, which whoever takes it frees.
  [[nodiscard]] std::unique_ptr<MessageData> take_room_to_measure() { return std::move(room_to_measure_); }

  // What a profile says of this machine, once it has been looked for: in which file, of which place.
  struct Prices {
    std::int64_t profile = 0;  // its name's fingerprint
    MachinePrices::Place place{};
    std::optional<CostModel> found{};
  };
  [[nodiscard]] Prices &prices() { return prices_; }

  // The choices that have been measured on it, or that a profile has.
  [[nodiscard]] MeasuredChoices &measured() { return measured_; }

  // The number of one like this, the same on all ranks that have it; none: 0. Local.
  [[nodiscard]] std::int64_t find(const Inputs &inputs, const FigureValues &figures) const;
  // Of a number that all ranks have found.
  [[nodiscard]] WorkedOut take(std::int64_t number) const;
  // What is to be kept of an init, null where there is nothing new; and it is kept, on all ranks alike, once the init
  // has succeeded and the tables are known. Local; only the first takes memory.
  static std::unique_ptr<Entry> entry_of(const Inputs &inputs, const Agreed &agreed, const WorkedOut &worked_out);
  void keep(std::unique_ptr<Entry> entry, std::shared_ptr<const NodeTables> tables) noexcept;

 private:
  static constexpr std::size_t most = 4;
  std::array<std::unique_ptr<Entry>, most> entries_{};  // by number, in turn
  std::int64_t kept_ = 0;
  const Kind *outlined_kind_ = nullptr;
  std::string outlined_hints_;
  Outlines outlines_;
  std::optional<MessageCost> message_cost_;
  std::unique_ptr<MessageData> room_to_measure_;
  Prices prices_;
  MeasuredChoices measured_;
};

// All that choice and schedule depend on, as far as it may differ between inits on a communicator, and these.
class EarlierPlans::Entry {
 public:
  Entry(const Inputs &inputs, const Agreed &agreed, const WorkedOut &worked_out);

  [[nodiscard]] bool is_of(const Inputs &inputs, const FigureValues &figures) const;
  [[nodiscard]] const WorkedOut &worked_out() const { return worked_out_; }
  void has_tables(std::shared_ptr<const NodeTables> tables) noexcept { worked_out_.tables = std::move(tables); }

 private:
  const Kind *kind_;
  std::vector<Extent> send_;
  std::vector<Extent> receive_;
  FigureValues figures_;
  std::string hints_;
  std::array<std::int64_t, 2> mean_runs_;
  std::optional<Side> runs_of_plan_{};  // the send side, where others read its runs: their tables say where these lie
  WorkedOut worked_out_;
};

}  // namespace rondo::internal
