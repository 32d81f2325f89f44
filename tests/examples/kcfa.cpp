// SPDX-License-Identifier: BSD-3-Clause
#include <gtest/gtest.h>

#include "program.hpp"
#include "serial_analysis.hpp"
#include "shared/file_error.hpp"
#include "source.hpp"

namespace {

using Labels = std::vector<kcfa::Label>;

std::string fault_of(const std::string &text) {
  try {
    static_cast<void>(kcfa::parse(text, "p"));
    return "was read";
  } catch (const example::FileError &fault) {
    return fault.what();
  }
}

std::uint64_t size_of_analysis(const std::string &text, int k) {
  return kcfa::analyse_serially(kcfa::parse(text, "p"), k).tuples;
}

TEST(KcfaProgram, KnowsWhichParametersAreFree) {
  const auto program = kcfa::parse("(lambda (x) ; outer\r\n (lambda (y) (x y)))", "p");

  const auto &outer = program[program.root];
  const auto &inner = program[outer.parts[0]];
  EXPECT_EQ(outer.free, Labels{});
  EXPECT_EQ(inner.free, outer.parameters);
}

TEST(KcfaProgram, TakesTheInnermostOfANamesParameters) {
  const auto program = kcfa::parse("(lambda (x) (lambda (x) x))", "p");

  const auto &inner = program[program[program.root].parts[0]];
  EXPECT_EQ(program[inner.parts[0]].parts, inner.parameters);
}

TEST(KcfaProgram, SaysWhereAndWhat) {
  EXPECT_EQ(fault_of(""), "p:1: expected an expression, found the end of the file");
  EXPECT_EQ(fault_of("(lambda (x)\n y)"), "p:2: expected a name that a lambda around it has, found 'y'");
  EXPECT_EQ(fault_of("(lambda (x) x"), "p:1: expected ')', found the end of the file");
  EXPECT_EQ(fault_of("(lambda ((x) x)"), "p:1: expected a name, found '('");
  EXPECT_EQ(fault_of("(lambda (x) x)\n\n)"), "p:3: expected the end of the program, found ')'");
}

// Without contexts the identity's one parameter has both closures, and so has each of its calls.
TEST(SerialAnalysis, TellsCallsApartByTheirContexts) {
  const std::string text = "((lambda (id) ((lambda (a) (id (lambda (q) q))) (id (lambda (p) p)))) (lambda (x) x))";

  EXPECT_GT(size_of_analysis(text, 0), size_of_analysis(text, 1));
}

TEST(Generator, GrowsWithBothNumbers) {
  EXPECT_GT(size_of_analysis(kcfa::generate(4, 2), 8), size_of_analysis(kcfa::generate(3, 2), 8));
  EXPECT_GT(size_of_analysis(kcfa::generate(3, 3), 8), size_of_analysis(kcfa::generate(3, 2), 8));
}

}  // namespace
