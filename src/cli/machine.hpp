#pragma once

#include <string>

namespace rondo::internal::cli {

// Where a measurement was made; figures mean little without it.
struct Machine {
  std::string processor;  // its model name
  unsigned cores = 1;     // online
};
Machine this_machine();

}  // namespace rondo::internal::cli
