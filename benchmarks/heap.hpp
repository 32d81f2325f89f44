#pragma once

#include <cstdint>

// What operator new has given out in this program. One thread only.
namespace heap {

// Bytes in use now.
std::int64_t live();

// The most bytes that were in use at once since the last call of forget_peak.
std::int64_t peak();
void forget_peak();

}  // namespace heap
