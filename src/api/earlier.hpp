#pragma once

// Plans like earlier ones. What an init has worked out stays with the communicator: where all ranks come with the same
// exchange, hints and kind of memory again, a later init takes choice and schedule from there. So a solver that makes
// its plan anew in each of its iterations, or two plans to use in turn, pays for routes and sizes once.

#include <array>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "api/chosen.hpp"
#include "schedule/schedule.hpp"

namespace rondo::internal {

// What an init works out between the agreement and the reservation of memory.
struct WorkedOut {
  Chosen chosen;
  std::shared_ptr<const Schedule> schedule{};  // null for a native plan
  bool reused = false;
};

// Of one communicator, the last few.
class EarlierPlans {
 public:
  static EarlierPlans &of(const Channel &channel);

  // The number of one like this, the same on all ranks that have it; none: 0. Local.
  [[nodiscard]] std::int64_t find(const Inputs &inputs, const FigureValues &figures) const;
  // Of a number that all ranks have found.
  [[nodiscard]] WorkedOut take(std::int64_t number) const;
  // To be called on all ranks alike, once an init has succeeded. A rank without memory for it keeps nothing. Local.
  void keep(const Inputs &inputs, const Agreed &agreed, const WorkedOut &worked_out) noexcept;

 private:
  // All that choice and schedule depend on, as far as it may differ between inits on a communicator.
  struct Key {
    const Kind *kind = nullptr;
    std::vector<Extent> send;
    std::vector<Extent> receive;
    FigureValues figures;
    std::string hints;
    std::array<std::int64_t, 2> mean_runs;

    [[nodiscard]] bool is_of(const Inputs &inputs, const FigureValues &its) const;
  };
  struct Entry {
    std::int64_t number = 0;
    Key key{};
    WorkedOut worked_out{};
  };

  static constexpr std::size_t most = 4;
  std::array<Entry, most> entries_{};  // by number, in turn
  std::int64_t inits_ = 0;
};

}  // namespace rondo::internal
