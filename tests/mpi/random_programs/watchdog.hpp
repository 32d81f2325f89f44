#pragma once

// Says what each thread of a rank is doing when a program has not ended in time, and ends the process.

#include <cstdint>
#include <string>

namespace rondo::random_programs {

// What this thread does from now on; copied, so that a signal handler can print it.
void now(const std::string &what);

// From here on for `seconds`, for all threads; 0 for no limit.
void watch(unsigned seconds);

// Before the threads begin: which rank this is.
void watch_rank(int rank);

}  // namespace rondo::random_programs
