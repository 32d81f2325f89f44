// SPDX-License-Identifier: BSD-3-Clause
#include "program.hpp"

#include <algorithm>
#include <limits>
#include <map>
#include <set>
#include <string_view>

#include "shared/file_error.hpp"

namespace kcfa {
namespace {

class Parser {
 public:
  Parser(const std::string &text, std::string file) : text_(text), file_(std::move(file)) { advance(); }

  Program parse() {
    program_.expressions.push_back({Kind::parameter, {}, {}, {}});
    std::set<Label> free;
    program_.root = expression(free);
    if (!word_.empty()) fail("the end of the program");
    return std::move(program_);
  }

 private:
  // Goes to the next word: a parenthesis, a name, or nothing at the end.
  void advance() {
    while (place_ < text_.size() && (is_space(text_[place_]) || text_[place_] == ';')) {
      if (text_[place_] == ';') place_ = std::min(text_.find('\n', place_), text_.size());
      if (place_ < text_.size() && text_[place_++] == '\n') ++line_;
    }
    const auto begin = place_;
    if (place_ < text_.size()) ++place_;
    if (place_ > begin && !is_parenthesis(text_[begin]))
      while (place_ < text_.size() && !ends_name(text_[place_])) ++place_;
    word_ = std::string_view(text_).substr(begin, place_ - begin);
  }
  static bool is_space(char c) { return c == ' ' || (c >= '\t' && c <= '\r'); }
  static bool is_parenthesis(char c) { return c == '(' || c == ')'; }
  static bool ends_name(char c) { return is_space(c) || is_parenthesis(c) || c == ';'; }

  [[noreturn]] void fail(const std::string &expected) const {
    throw example::FileError(
        file_, line_,
        "expected " + expected + ", found " + (word_.empty() ? "the end of the file" : "'" + std::string(word_) + "'"));
  }
  void take(std::string_view word) {
    if (word_ != word) fail("'" + std::string(word) + "'");
    advance();
  }
  std::string name() {
    if (word_.empty() || is_parenthesis(word_[0])) fail("a name");
    std::string result(word_);
    advance();
    return result;
  }

  Label add(Kind kind) {
    if (program_.expressions.size() > std::numeric_limits<Label>::max())
      throw example::FileError(file_, line_, "expected at most 65535 expressions, found more");
    program_.expressions.push_back({kind, {}, {}, {}});
    return static_cast<Label>(program_.expressions.size() - 1);
  }

  // Adds to `free` the parameters outside this expression that it refers to.
  Label expression(std::set<Label> &free) {
    if (word_ != "(") return variable(free);
    advance();
    const Label label = word_ == "lambda" ? lambda(free) : call(free);
    take(")");
    return label;
  }

  Label variable(std::set<Label> &free) {
    const auto scope = scopes_.find(std::string(word_));
    if (word_.empty() || word_ == ")") fail("an expression");
    if (scope == scopes_.end() || scope->second.empty()) fail("a name that a lambda around it has");
    const Label label = add(Kind::variable);
    program_.expressions[label].parts = {scope->second.back()};
    free.insert(scope->second.back());
    advance();
    return label;
  }

  Label lambda(std::set<Label> &free) {
    advance();
    const Label label = add(Kind::lambda);
    std::vector<std::string> names;
    std::vector<Label> parameters;
    for (take("("); word_ != ")";) {
      names.push_back(name());
      parameters.push_back(add(Kind::parameter));
      scopes_[names.back()].push_back(parameters.back());
    }
    advance();
    std::set<Label> own;
    const Label body = expression(own);
    for (const auto &each : names) scopes_[each].pop_back();
    for (const Label parameter : parameters) own.erase(parameter);
    program_.expressions[label] = {Kind::lambda, {body}, parameters, {own.begin(), own.end()}};
    free.insert(own.begin(), own.end());
    return label;
  }

  Label call(std::set<Label> &free) {
    const Label label = add(Kind::call);
    std::vector<Label> parts = {expression(free)};
    while (word_ != ")") parts.push_back(expression(free));
    program_.expressions[label].parts = parts;
    return label;
  }

  const std::string &text_;
  std::string file_;
  std::size_t place_ = 0;
  std::int64_t line_ = 1;
  std::string_view word_;
  std::map<std::string, std::vector<Label> > scopes_;  // the parameters of a name, the innermost last
  Program program_;
};

}  // namespace

Program parse(const std::string &text, const std::string &file) {
  return Parser(text, file).parse();
}

}  // namespace kcfa
