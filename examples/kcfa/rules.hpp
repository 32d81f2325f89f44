// What follows in the analysis, as facts. Given is a function to call with each.
//
// Contexts are the latest k calls, and a closure is copied into the context in which its body runs (the flat
// environments of Might, Smaragdakis and Van Horn, Resolving and exploiting the k-CFA paradox, 2010).
//
// SPDX-License-Identifier: BSD-3-Clause
#ifndef KCFA_RULES_HPP
#define KCFA_RULES_HPP

#include <cstddef>

#include "point.hpp"
#include "program.hpp"

namespace kcfa {

// An expression is evaluated in a context: so its calls are made.
template <class Emit>
void evaluate(const Program &program, Label expression, const Context &context, const Emit &emit) {
  if (program[expression].kind != Kind::call) return;
  const auto &parts = program[expression].parts;
  emit(Fact{Relation::call, place_of(program, parts[0], context), {expression, context}});
  for (const Label part : parts) evaluate(program, part, context, emit);
}

// The value of an expression in a context goes to a place.
template <class Emit>
void pass(const Program &program, Label expression, const Context &context, const Point &to, const Emit &emit) {
  const Point from = place_of(program, expression, context);
  if (program[expression].kind == Kind::lambda)
    emit(Fact{Relation::value, to, from});
  else if (from != to)
    emit(Fact{Relation::flow, from, to});
}

// A call calls a closure. One with another number of parameters is an error of the program, of which nothing follows.
template <class Emit>
void apply(const Program &program, const Point &call, const Point &closure, int k, const Emit &emit) {
  const auto &parts = program[call.label].parts;
  const auto &lambda = program[closure.label];
  if (parts.size() != lambda.parameters.size() + 1) return;
  const Context inside = context_of_call(call, k);
  for (std::size_t i = 0; i < lambda.parameters.size(); ++i)
    pass(program, parts[i + 1], call.context, {lambda.parameters[i], inside}, emit);
  if (closure.context != inside)
    for (const Label name : lambda.free) emit(Fact{Relation::flow, {name, closure.context}, {name, inside}});
  evaluate(program, lambda.parts[0], inside, emit);
  pass(program, lambda.parts[0], inside, call, emit);
}

}  // namespace kcfa

#endif
