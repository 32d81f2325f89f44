#pragma once

#include <cstdint>

#include "groups.hpp"
#include "script.hpp"

namespace rondo::random_programs {

struct Style {
  bool waits_only = false;  // persistent requests are completed by MPI_Wait and MPI_Waitall alone
  bool no_idle = false;     // no inactive persistent requests among others
  // No MPI_Request_get_status of a persistent message that others may complete: the library would forget it.
  bool forgets_what_was_looked_at = false;
};

// Runs this rank's part of the script, in an order that the seed and the rank give. Ends the program at a fault.
void run(const Script &script, std::uint64_t seed, Groups &groups, int thread, const Style &style);

}  // namespace rondo::random_programs
