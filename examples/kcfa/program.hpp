// A program of the lambda calculus, its expressions numbered:
//
//   EXPRESSION = NAME | (lambda (NAME...) EXPRESSION) | (EXPRESSION EXPRESSION...)
//
// The last one calls the first with the others. What stands after a semicolon is a comment.
//
// SPDX-License-Identifier: BSD-3-Clause
#ifndef KCFA_PROGRAM_HPP
#define KCFA_PROGRAM_HPP

#include <cstdint>
#include <string>
#include <vector>

namespace kcfa {

// Of an expression, or of a parameter.
using Label = std::uint16_t;

enum class Kind { parameter, variable, lambda, call };

struct Expression {
  Kind kind;
  std::vector<Label> parts;       // variable: its parameter; lambda: its body; call: operator and arguments
  std::vector<Label> parameters;  // of a lambda
  std::vector<Label> free;        // parameters of others that a lambda's body refers to
};

struct Program {
  std::vector<Expression> expressions;  // by label, from 1; no expression has label 0
  Label root = 0;

  [[nodiscard]] const Expression &operator[](Label label) const { return expressions[label]; }
};

// Throws example::FileError, which names the line and what was expected there; file is its name in messages.
[[nodiscard]] Program parse(const std::string &text, const std::string &file);

}  // namespace kcfa

#endif
