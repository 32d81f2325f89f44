#pragma once

// For a program whose tests look at what the first init on a communicator does, or at what a communicator leaves
// behind: its communicators share nothing, though they have the same ranks.

#include <cstdlib>

namespace rondo {

inline const bool each_for_itself =
    std::getenv("RONDO_TEST_KNOWN_RANKS") == nullptr && setenv("RONDO_KNOWN_RANKS", "0", 1) == 0;

}  // namespace rondo
