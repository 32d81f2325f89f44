#pragma once

// The choice by measurement: rondo_tune=measure, and what a profile has of it.

#include "api/agreed.hpp"
#include "api/phases.hpp"
#include "wire/channel.hpp"

namespace rondo::internal {

// Where the hints ask for it, and nothing is known of the case yet, looks into the profile, and where that has nothing,
// makes and times plans of the candidates that look best, in memory of its own that is laid out as the caller's. What
// is found stays with the communicator, from where the choice takes it (EarlierPlans::measured), and in the profile.
// True where plans have been made for that; they are gone. Collective, with alike arguments; the same on all ranks.
// Throws on all ranks or on none.
bool learn_fastest(const Phases &phases, const Channel &channel, const Inputs &inputs, const Agreed &agreed);

}  // namespace rondo::internal
