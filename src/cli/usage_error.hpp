#pragma once

#include <stdexcept>

namespace rondo::internal::cli {

// What the command line asks for is not understood, or makes no sense: exit status 2.
struct UsageError : std::runtime_error {
  using std::runtime_error::runtime_error;
};

}  // namespace rondo::internal::cli
