#pragma once

// The predictions of Fan 2022 (sections 3.3 and 4.1), beside Rondo's own model: what its authors expect of their
// algorithms, with sizes told in messages of their own in every call.

#include <cstdint>
#include <string_view>

namespace rondo::internal {

// Of its messages: a message of n bytes takes latency + n * byte seconds.
struct Fan2022Prices {
  double latency = 0.55e-6;  // alpha
  double byte = 0.10e-9;     // beta
};

// Seconds that a rank of so many spends in padded_bruck, equation 1, and in two_phase_bruck, equation 2, when blocks
// are of 0 to so many bytes, all lengths alike often. Of 2 ranks or more.
double fan2022_padded_bruck(int ranks, std::int64_t largest_block, const Fan2022Prices &prices);
double fan2022_two_phase_bruck(int ranks, std::int64_t largest_block, const Fan2022Prices &prices);
// The length of the largest block, not a whole number of bytes, up to which padded_bruck is ahead by inequality 3.
double fan2022_most_padded(int ranks, const Fan2022Prices &prices);

// What its authors have found the fastest on Theta (section 4.1, figure 9): padded_bruck, two_phase_bruck, or native,
// which is Cray's MPI_Alltoallv. Between the numbers of ranks that they name, lengths are taken to fall in proportion;
// they are for 128 to 32,768 ranks, and other numbers are taken for the nearest of these.
std::string_view fan2022_measured(int ranks, std::int64_t largest_block);
// The largest blocks with which padded_bruck, and two_phase_bruck, are the fastest there.
double fan2022_most_padded_measured(int ranks);
double fan2022_most_two_phase_measured(int ranks);

}  // namespace rondo::internal
