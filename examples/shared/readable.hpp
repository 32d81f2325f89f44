// Times for people to read.
//
// SPDX-License-Identifier: BSD-3-Clause
#ifndef EXAMPLE_READABLE_HPP
#define EXAMPLE_READABLE_HPP

#include <string>

namespace example {

// s, ms or us.
struct Unit {
  double seconds;
  const char *name;
};

// The unit that suits values up to this one.
[[nodiscard]] Unit unit_for(double seconds);

// Seconds in the unit that suits them, with three significant digits: "12.3 us".
[[nodiscard]] std::string readable(double seconds);

}  // namespace example

#endif
