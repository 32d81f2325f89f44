#pragma once

// Measured choices in a file, for later runs: JSON, which people may read and edit.

#include <map>
#include <optional>
#include <string>

#include "api/measured.hpp"

namespace rondo::internal {

// What a measurement holds for besides its case: the MPI library, the processor, how many cores there are, and the
// transport as far as the environment names one. Local.
std::string this_setting();

struct Profile {
  static constexpr int version = 1;

  std::map<std::string, MeasuredChoices, std::less<>> settings{};

  // Of a file that is not there: an empty one. Throws Error (hint) with the reason where it is no profile, or one of
  // another version. Local.
  static Profile read(const std::string &path);
  // The file is the old one or the new one at any time. Throws Error (hint) with the reason where it cannot be written.
  // Local.
  void write(const std::string &path) const;

  [[nodiscard]] const MeasuredChoice *find(std::string_view setting, std::string_view name) const;
};

}  // namespace rondo::internal
