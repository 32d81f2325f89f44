#pragma once

#include <string>

#include "api/profile.hpp"

namespace rondo::internal::cli {

// What rank 0, which is the one that speaks, has read of a file that it can write; other ranks have an empty profile.
// Throws Error (argument) on all ranks where it cannot be read or written. Collective.
Profile read_writable_profile(const std::string &path, bool speaks);

}  // namespace rondo::internal::cli
