#pragma once

// Measured choices in a file, for later runs: JSON, which people may read and edit.

#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "api/measured.hpp"
#include "model/cost.hpp"

namespace rondo::internal {

// What a measurement holds for besides its case: the MPI library, the processor, how many cores there are, and the
// transport as far as the environment names one. Local.
std::string this_setting();

// What the acts of an exchange cost, as `rondo calibrate` has measured it.
struct MachinePrices {
  // So many ranks, on so many nodes, of which so many take turns on a core.
  struct Place {
    int ranks = 0;
    int nodes = 1;
    int turns = 1;

    friend bool operator==(const Place &, const Place &) = default;
  };

  Place place;
  CostModel costs;
};

struct Profile {
  static constexpr int version = 1;

  std::map<std::string, MeasuredChoices, std::less<>> settings{};
  std::map<std::string, std::vector<MachinePrices>, std::less<>> prices{};

  // Of a file that is not there: an empty one. Throws Error (hint) with the reason where it is no profile, or one of
  // another version. Local.
  static Profile read(const std::string &path);
  // The file is the old one or the new one at any time. Throws Error (hint) with the reason where it cannot be written.
  // Local.
  void write(const std::string &path) const;

  [[nodiscard]] const MeasuredChoice *find(std::string_view setting, std::string_view name) const;

  // Those of the setting that were measured on the number of ranks which is nearest to this one, and as this one on one
  // node or on several, with a core for each rank or without. What the MPI library's own call takes is known for just
  // the number of ranks that it was measured on.
  [[nodiscard]] std::optional<CostModel> prices_for(std::string_view setting, const MachinePrices::Place &place) const;
  // In the place of those that were measured in the same place before.
  void keep(const std::string &setting, const MachinePrices &measured);
};

}  // namespace rondo::internal
