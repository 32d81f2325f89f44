#pragma once

// The profile that the hints name, as all ranks of a communicator use it: rank 0 reads and writes the file, and tells
// the others. A profile that cannot be used is no reason to fail: a line on standard error says why, once in a process.

#include <optional>
#include <string>

#include "api/measured.hpp"
#include "api/phases.hpp"
#include "api/profile.hpp"
#include "wire/channel.hpp"

namespace rondo::internal {

// What it has for the case. Collective, however long the file takes.
std::optional<MeasuredChoice> find_in_profile(const Phases &phases, const Channel &channel, const Inputs &inputs,
                                              const std::string &name);

// What the acts of an exchange cost in such a place, alike on all ranks. Collective, however long the file takes.
std::optional<CostModel> prices_in_profile(const Channel &channel, const Hints &hints,
                                           const MachinePrices::Place &place);

// Adds a choice, or replaces that of the case; nothing where the hints name no profile. Local.
void add_to_profile(const Channel &channel, const Inputs &inputs, const std::string &name,
                    const MeasuredChoice &choice);

}  // namespace rondo::internal
