// SPDX-License-Identifier: BSD-3-Clause
#include "serial_analysis.hpp"

#include <map>
#include <set>
#include <vector>

#include "point.hpp"

namespace kcfa {
namespace {

using Closures = std::set<Point>;

class SerialAnalysis {
 public:
  SerialAnalysis(const Program &program, int k) : program_(program), k_(k) { reach(program.root, {}); }

  relations::Answer run() {
    while (changed_) {
      changed_ = false;
      const std::vector<Point> calls(calls_.begin(), calls_.end());
      for (const Point &call : calls)
        for (const Point &closure : values(program_[call.label].parts[0], call.context)) apply(call, closure);
    }
    relations::Answer answer;
    for (const Point &call : calls_) answer.add(hash(call));
    for (const auto &[place, closures] : store_)
      for (const Point &closure : closures) answer.add(hash(place) ^ 3 * hash(closure));
    return answer;
  }

 private:
  Closures values(Label expression, const Context &context) {
    if (program_[expression].kind == Kind::lambda) return {{expression, context}};
    const auto found = store_.find(place_of(program_, expression, context));
    return found == store_.end() ? Closures{} : found->second;
  }
  void join(const Point &place, const Closures &closures) {
    for (const Point &closure : closures) changed_ |= store_[place].insert(closure).second;
  }
  void reach(Label expression, const Context &context) {
    if (program_[expression].kind != Kind::call) return;
    changed_ |= calls_.insert({expression, context}).second;
    for (const Label part : program_[expression].parts) reach(part, context);
  }
  void apply(const Point &call, const Point &closure) {
    const auto &lambda = program_[closure.label];
    const auto &parts = program_[call.label].parts;
    if (parts.size() != lambda.parameters.size() + 1) return;
    const Context inside = context_of_call(call, k_);
    for (std::size_t i = 0; i < lambda.parameters.size(); ++i)
      join({lambda.parameters[i], inside}, values(parts[i + 1], call.context));
    for (const Label name : lambda.free) join({name, inside}, Closures(store_[{name, closure.context}]));
    reach(lambda.parts[0], inside);
    join(call, values(lambda.parts[0], inside));
  }

  const Program &program_;
  int k_;
  bool changed_ = false;
  std::set<Point> calls_;
  std::map<Point, Closures> store_;
};

}  // namespace

relations::Answer analyse_serially(const Program &program, int k) {
  return SerialAnalysis(program, k).run();
}

}  // namespace kcfa
