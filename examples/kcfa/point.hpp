// A label in a context: a parameter of one call of its lambda, an expression evaluated there, or a closure.
//
// SPDX-License-Identifier: BSD-3-Clause
#ifndef KCFA_POINT_HPP
#define KCFA_POINT_HPP

#include <array>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <rondo/rondo.hpp>
#include <tuple>

#include "program.hpp"
#include "relations/hash.hpp"
#include "relations/tuple_type.hpp"

namespace kcfa {

inline constexpr int kLongestContext = 8;

// The calls that have led here, the latest first; 0 where there are no more.
using Context = std::array<Label, kLongestContext>;

struct Point {
  Label label = 0;
  Context context{};
  Label unused = 0;  // for a whole number of words
  bool operator==(const Point &) const = default;
  bool operator<(const Point &other) const { return std::tie(label, context) < std::tie(other.label, other.context); }
};

// The context of what this call calls: the latest k calls.
[[nodiscard]] inline Context context_of_call(const Point &call, int k) {
  Context context{};
  if (k > 0) context[0] = call.label;
  for (int i = 1; i < k; ++i) context[i] = call.context[i - 1];
  return context;
}

// Where the value of this expression is found when it is evaluated in the context: with the parameter that it names, or
// with itself.
[[nodiscard]] inline Point place_of(const Program &program, Label expression, const Context &context) {
  const bool variable = program[expression].kind == Kind::variable;
  return {variable ? program[expression].parts[0] : expression, context};
}

[[nodiscard]] inline std::uint64_t hash(const Point &point) {
  std::array<std::uint32_t, sizeof(Point) / sizeof(std::uint32_t)> words{};
  std::memcpy(words.data(), &point, sizeof point);
  std::uint64_t result = 0;
  for (const auto word : words) result = relations::hash(result ^ word) + result * 31;
  return result;
}

// value: what is at the subject may be the object, a closure. flow: what is at the subject is at the object too. call:
// what is at the subject is called by the object, a call.
enum class Relation : std::uint32_t { value, flow, call };

struct Fact {
  Relation relation;
  Point subject;
  Point object;
};

}  // namespace kcfa

template <>
struct rondo::Datatype<kcfa::Fact> {
  static MPI_Datatype type() { return relations::tuple_type<kcfa::Fact>(); }
};

#endif
