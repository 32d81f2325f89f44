// SPDX-License-Identifier: BSD-3-Clause
#include "source.hpp"

#include <array>
#include <cstdint>
#include <cstring>
#include <filesystem>
#include <iterator>
#include <unordered_map>
#include <vector>

#include "shared/file_error.hpp"
#include "shared/open_to_read.hpp"

namespace kcfa {
namespace {

using Row = std::array<std::uint64_t, 4>;
using Rows = std::unordered_map<std::uint64_t, Row>;  // by label

std::string file_of(const std::string &folder, const std::string &prefix) {
  for (const auto &entry : std::filesystem::directory_iterator(folder)) {
    const auto name = entry.path().filename().string();
    if (name.rfind(prefix, 0) == 0 && entry.path().extension() != ".size") return entry.path().string();
  }
  throw example::FileError(folder, 0, "has no file whose name begins with " + prefix);
}

Rows read_relation(const std::string &folder, const std::string &prefix, std::size_t columns) {
  const auto path = file_of(folder, prefix);
  const auto bytes = read_text(path);
  const std::size_t row_bytes = columns * sizeof(std::uint64_t);
  if (bytes.size() % row_bytes != 0)
    throw example::FileError(path, 0,
                             "expected rows of " + std::to_string(row_bytes) + " bytes, found " +
                                 std::to_string(bytes.size()) + " bytes in all");
  Rows rows;
  for (std::size_t place = 0; place < bytes.size(); place += row_bytes) {
    Row row{};
    std::memcpy(row.data(), bytes.data() + place, row_bytes - sizeof(std::uint64_t));
    rows[row[0]] = row;
  }
  return rows;
}

struct Facts {
  Rows calls;
  Rows lambdas;
  Rows variables;
};

void write(std::string &text, const Facts &facts, std::uint64_t label, const std::string &folder) {
  if (const auto variable = facts.variables.find(label); variable != facts.variables.end()) {
    text += "v" + std::to_string(variable->second[1]);
  } else if (const auto lambda = facts.lambdas.find(label); lambda != facts.lambdas.end()) {
    const auto [own, first, second, body] = lambda->second;
    text += "(lambda (v" + std::to_string(first) + " v" + std::to_string(second) + ")\n";
    write(text, facts, body, folder);
    text += ")";
  } else if (const auto call = facts.calls.find(label); call != facts.calls.end()) {
    for (std::size_t part = 1; part < 4; ++part) {
      text += part == 1 ? "(" : " ";
      write(text, facts, call->second[part], folder);
    }
    text += ")";
  } else {
    throw example::FileError(folder, 0, "has no expression with label " + std::to_string(label));
  }
}

}  // namespace

std::string read_text(const std::string &path) {
  auto stream = example::open_to_read(path);
  return {std::istreambuf_iterator<char>(stream), {}};
}

std::string read_facts(const std::string &folder) {
  const Facts facts{read_relation(folder, "App", 5), read_relation(folder, "Lam", 5), read_relation(folder, "Var", 3)};
  const auto roots = read_relation(folder, "Prog", 2);
  if (roots.size() != 1) throw example::FileError(folder, 0, "expected one root in Prog");
  std::string text;
  write(text, facts, roots.begin()->first, folder);
  return text + "\n";
}

// Each function is bound by a call of a lambda; so are the results of its calls, which are passed on to the next.
std::string generate(int levels, int calls) {
  std::string text;
  for (int level = levels; level > 0; --level) text += "((lambda (f" + std::to_string(level) + ")\n";
  text += "(f1 (lambda (y) y))";
  for (int level = 1; level <= levels; ++level) {
    const auto next = "(f" + std::to_string(level + 1) + " ";
    std::string body = level == levels ? "x" : next + "(lambda (z) (x z)))";
    for (int i = 1; i < calls && level < levels; ++i)
      body.insert(0, "((lambda (r) ").append(")\n ").append(next).append("(lambda (z) x)))");
    text.append(")\n(lambda (x) ").append(body).append("))");
  }
  return text + "\n";
}

}  // namespace kcfa
