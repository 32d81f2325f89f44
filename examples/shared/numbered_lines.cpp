// SPDX-License-Identifier: BSD-3-Clause
#include "shared/numbered_lines.hpp"

#include <charconv>
#include <cmath>
#include <cstdlib>

#include "shared/file_error.hpp"

namespace example {
namespace {

// Blank and tab; the carriage return makes files with CRLF line ends the same as others.
constexpr std::string_view kBlanks = " \t\r\v\f";

// from_chars takes no leading plus, which Fortran programs write.
std::string_view without_plus(std::string_view word) {
  return word.size() > 1 && word[0] == '+' && word[1] != '-' ? word.substr(1) : word;
}

}  // namespace

bool NumberedLines::next() {
  if (!std::getline(stream_, line_)) {
    if (stream_.bad()) throw FileError(file_, number_, "cannot be read any further");
    return false;
  }
  ++number_;
  split();
  return true;
}

bool NumberedLines::next_content() {
  while (next())
    if (!words_.empty() && comments_.find(words_[0][0]) == std::string_view::npos) return true;
  return false;
}

void NumberedLines::split() {
  words_.clear();
  const std::string_view line = line_;
  auto begin = line.find_first_not_of(kBlanks);
  while (begin != std::string_view::npos) {
    const auto end = line.find_first_of(kBlanks, begin);
    words_.push_back(line.substr(begin, end - begin));
    begin = line.find_first_not_of(kBlanks, end);
  }
}

void NumberedLines::expect_words(std::size_t count, std::string_view meaning) const {
  if (words_.size() != count) fail(meaning);
}

std::int64_t NumberedLines::integer(std::size_t word) const {
  const auto text = without_plus(words_[word]);
  std::int64_t value = 0;
  const auto [end, fault] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (fault != std::errc() || end != text.data() + text.size()) fail("an integer", quoted(words_[word]));
  return value;
}

std::int64_t NumberedLines::integer(std::size_t word, std::int64_t lowest, std::int64_t highest,
                                    std::string_view meaning) const {
  const auto value = integer(word);
  if (value < lowest || value > highest)
    fail(std::string(meaning) + " from " + std::to_string(lowest) + " to " + std::to_string(highest),
         quoted(words_[word]));
  return value;
}

double NumberedLines::real(std::size_t word) const {
  const auto text = without_plus(words_[word]);
  double value = 0;
  const auto [end, fault] = std::from_chars(text.data(), text.data() + text.size(), value);
  const bool whole = end == text.data() + text.size();
  // from_chars calls both 1e400 and 1e-400 out of range; only the first is a fault.
  if (whole && fault == std::errc::result_out_of_range) value = std::strtod(std::string(text).c_str(), nullptr);
  if (!whole || fault == std::errc::invalid_argument || !std::isfinite(value))
    fail("a finite number", quoted(words_[word]));
  return value;
}

std::string NumberedLines::quoted(std::string_view text) {
  constexpr std::size_t longest = 60;
  while (!text.empty() && kBlanks.find(text.back()) != std::string_view::npos) text.remove_suffix(1);
  std::string clean(text.substr(0, longest));
  for (char &c : clean)
    if (c < ' ' || c > '~') c = '?';
  return "'" + clean + (text.size() > longest ? "...'" : "'");
}

void NumberedLines::fail(std::string_view expected, std::string_view found) const {
  throw FileError(file_, number_, "expected " + std::string(expected) + ", found " + std::string(found));
}

}  // namespace example
