#include "cli/trace.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <string_view>

#include "cli/number.hpp"
#include "cli/usage_error.hpp"

namespace rondo::internal::cli {

namespace {

constexpr std::size_t most_ranks = 16384;  // 2 GiB of numbers
constexpr std::string_view between = " \t\r,";

// The numbers of one line; throws what is wrong with one.
std::vector<std::int64_t> numbers_of(std::string_view line, const std::string &where) {
  line = line.substr(0, line.find('#'));
  std::vector<std::int64_t> numbers;
  for (std::size_t at = line.find_first_not_of(between); at != std::string_view::npos;
       at = line.find_first_not_of(between, at)) {
    const std::size_t end = std::min(line.find_first_of(between, at), line.size());
    const std::string_view word = line.substr(at, end - at);
    const auto number = parse_number(word, std::int64_t{0}, most_bytes);
    if (!number) throw UsageError(fmt::format("{}: '{}' is not a number of bytes, 0..{}", where, word, most_bytes));
    numbers.push_back(*number);
    at = end;
  }
  return numbers;
}

}  // namespace

std::shared_ptr<const Trace> read_trace(const std::string &path) {
  std::error_code code;
  std::ifstream file;
  if (std::filesystem::is_regular_file(path, code)) file.open(path);
  if (!file.is_open()) throw UsageError(fmt::format("trace {}: it is not a file that can be read", path));

  auto trace = std::make_shared<Trace>();
  std::size_t rows = 0;
  std::string line;
  for (int number = 1; std::getline(file, line); ++number) {
    const std::string where = fmt::format("trace {}, line {}", path, number);
    const std::vector<std::int64_t> row = numbers_of(line, where);
    if (row.empty()) continue;
    if (trace->ranks == 0) {
      if (row.size() > most_ranks) throw UsageError(fmt::format("{}: more than {} ranks", where, most_ranks));
      trace->ranks = static_cast<int>(row.size());
    }
    if (row.size() != static_cast<std::size_t>(trace->ranks)) {
      throw UsageError(fmt::format("{}: {} numbers, and {} in the first line", where, row.size(), trace->ranks));
    }
    if (++rows > row.size()) break;
    trace->largest = std::max(trace->largest, *std::max_element(row.begin(), row.end()));
    trace->bytes.insert(trace->bytes.end(), row.begin(), row.end());
  }
  if (rows == 0 || rows != static_cast<std::size_t>(trace->ranks)) {
    throw UsageError(fmt::format("trace {}: {} lines of {} numbers; there must be as many lines as numbers in each",
                                 path, rows > static_cast<std::size_t>(trace->ranks) ? "more" : std::to_string(rows),
                                 trace->ranks));
  }
  return trace;
}

}  // namespace rondo::internal::cli
