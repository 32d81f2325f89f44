// A text file as numbered lines of words, with the faults that a line can have.
//
// SPDX-License-Identifier: BSD-3-Clause
#ifndef EXAMPLE_NUMBERED_LINES_HPP
#define EXAMPLE_NUMBERED_LINES_HPP

#include <cstdint>
#include <istream>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace example {

class NumberedLines {
 public:
  // The stream outlives this object; file is its name in messages. A line that begins with one of
  // `comments` has no content.
  NumberedLines(std::istream &stream, std::string file, std::string_view comments)
      : stream_(stream), file_(std::move(file)), comments_(comments) {}

  // Goes to the very next line; false at the end of the file.
  bool next();
  // Goes to the next line that is neither blank nor a comment; false at the end of the file.
  bool next_content();

  [[nodiscard]] std::span<const std::string_view> words() const { return words_; }
  // The number of the line, from 1. At the end of the file: of its last line.
  [[nodiscard]] std::int64_t number() const { return number_; }
  [[nodiscard]] const std::string &file() const { return file_; }

  // Throws unless the line has this many words.
  void expect_words(std::size_t count, std::string_view meaning) const;
  // A word as an integer.
  [[nodiscard]] std::int64_t integer(std::size_t word) const;
  // A word as an integer from lowest to highest; meaning is what the number is.
  [[nodiscard]] std::int64_t integer(std::size_t word, std::int64_t lowest, std::int64_t highest,
                                     std::string_view meaning) const;
  // A word as a finite number. What is too small for a double is zero.
  [[nodiscard]] double real(std::size_t word) const;

  // The word in single quotes, cut and cleaned for a message.
  [[nodiscard]] static std::string quoted(std::string_view text);
  // Throws FileError for this line: "expected EXPECTED, found FOUND".
  [[noreturn]] void fail(std::string_view expected, std::string_view found) const;
  // The same, with the whole line as what was found.
  [[noreturn]] void fail(std::string_view expected) const { fail(expected, quoted(line_)); }

 private:
  void split();

  std::istream &stream_;
  std::string file_;
  std::string_view comments_;
  std::string line_;
  std::vector<std::string_view> words_;
  std::int64_t number_ = 0;
};

}  // namespace example

#endif
