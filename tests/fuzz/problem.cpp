// The parser of problem strings: any text gives a problem that prints as a text which gives it again, or a ProblemError
// with the place in the text.

#include "cli/problem.hpp"

#include "fuzz.hpp"

namespace rondo::internal::fuzz {
namespace {

void parse(std::string_view text, int ranks) {
  try {
    const cli::Problem problem = cli::parse_problem(text, ranks);
    const std::string printed = cli::to_string(problem);
    require(cli::parse_problem(printed) == problem, "printed and parsed again it is another problem", printed);
    require(cli::to_string(cli::parse_problem(printed)) == printed, "it is not printed alike twice", printed);
  } catch (const cli::ProblemError &error) {
    require(error.position <= text.size(), "the error lies outside the text", error.what());
    require(!error.reason.empty(), "the error gives no reason");
  }
}

}  // namespace
}  // namespace rondo::internal::fuzz

int LLVMFuzzerTestOneInput(const std::uint8_t *data, std::size_t size) {
  const std::string_view text = rondo::internal::fuzz::text_of(data, size);
  rondo::internal::fuzz::parse(text, 0);
  rondo::internal::fuzz::parse(text, 4);
  return 0;
}
