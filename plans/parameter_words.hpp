#pragma once

// The parameters as words: one table for problems, hints, lists of contenders and what is printed.

#include <span>
#include <string>
#include <string_view>

#include "plans/algorithm.hpp"

namespace rondo::internal {

struct ParameterWord {
  std::string_view name;      // "radix"
  std::string_view expected;  // what its value may be, for people
  bool Algorithm::*taken;     // whether an algorithm takes it
  bool (*read)(std::string_view text, Parameters &to);
  std::string (*write)(const Parameters &from);  // empty where nothing is said

  [[nodiscard]] bool taken_by(const Algorithm &algorithm) const { return algorithm.*taken; }
};

std::span<const ParameterWord> parameter_words();

// Null when there is none of that name.
const ParameterWord *find_parameter_word(std::string_view name);

}  // namespace rondo::internal
