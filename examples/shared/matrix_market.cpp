// SPDX-License-Identifier: BSD-3-Clause
#include "shared/matrix_market.hpp"

#include <algorithm>
#include <cctype>
#include <limits>
#include <tuple>

#include "shared/file_error.hpp"
#include "shared/numbered_lines.hpp"
#include "shared/open_to_read.hpp"

namespace example {
namespace {

enum class Field { real, integer, pattern };

struct Header {
  Field field = Field::real;
  std::int64_t entries = 0;
};

bool same(std::string_view word, std::string_view lower_case) {
  return std::equal(word.begin(), word.end(), lower_case.begin(), lower_case.end(),
                    [](unsigned char a, char b) { return std::tolower(a) == b; });
}

Field field_of(const NumberedLines &lines, std::string_view word) {
  if (same(word, "real")) return Field::real;
  if (same(word, "integer")) return Field::integer;
  if (same(word, "pattern")) return Field::pattern;
  lines.fail("a field of 'real', 'integer' or 'pattern'", NumberedLines::quoted(word));
}

Header read_banner(NumberedLines &lines, CoordinateMatrix &matrix) {
  constexpr auto banner = "the banner '%%MatrixMarket matrix coordinate FIELD SYMMETRY'";
  if (!lines.next()) lines.fail(banner, "an empty file");
  const auto words = lines.words();
  if (words.size() != 5 || !same(words[0], "%%matrixmarket")) lines.fail(banner);
  if (!same(words[1], "matrix")) lines.fail("an object of 'matrix'", NumberedLines::quoted(words[1]));
  if (!same(words[2], "coordinate")) lines.fail("a format of 'coordinate'", NumberedLines::quoted(words[2]));
  const Field field = field_of(lines, words[3]);
  matrix.integers = field == Field::integer;
  matrix.symmetric = same(words[4], "symmetric");
  if (!matrix.symmetric && !same(words[4], "general"))
    lines.fail("a symmetry of 'general' or 'symmetric'", NumberedLines::quoted(words[4]));
  return {field, 0};
}

void read_sizes(NumberedLines &lines, CoordinateMatrix &matrix, Header &header) {
  // Both triangles of a symmetric matrix are to be counted by an int in the end, as MPI's counts are.
  constexpr std::int64_t most = std::numeric_limits<int>::max() / 2;
  constexpr auto meaning = "three sizes 'ROWS COLUMNS ENTRIES'";
  if (!lines.next_content()) lines.fail(meaning, "the end of the file");
  lines.expect_words(3, meaning);
  matrix.size_line = lines.number();
  matrix.rows = static_cast<int>(lines.integer(0, 1, most, "a number of rows"));
  matrix.columns = static_cast<int>(lines.integer(1, 1, most, "a number of columns"));
  const std::int64_t positions = std::int64_t{matrix.rows} * matrix.columns;
  header.entries = lines.integer(2, 0, std::min(positions, most), "a number of entries");
  if (matrix.symmetric && matrix.rows != matrix.columns)
    lines.fail("as many columns as rows, since the banner says 'symmetric'");
}

Entry read_entry(const NumberedLines &lines, const CoordinateMatrix &matrix, Field field) {
  if (field == Field::pattern)
    lines.expect_words(2, "an entry 'ROW COLUMN'");
  else
    lines.expect_words(3, "an entry 'ROW COLUMN VALUE'");
  int row = static_cast<int>(lines.integer(0, 1, matrix.rows, "a row")) - 1;
  int column = static_cast<int>(lines.integer(1, 1, matrix.columns, "a column")) - 1;
  double value = 1;
  if (field == Field::integer) value = static_cast<double>(lines.integer(2));
  if (field == Field::real) value = lines.real(2);
  if (matrix.symmetric && row < column) std::swap(row, column);
  return {row, column, value, lines.number()};
}

void read_entries(NumberedLines &lines, CoordinateMatrix &matrix, const Header &header) {
  const auto promised = std::to_string(header.entries) + " entries";
  // A wrong number in the size line must not take all memory.
  matrix.entries.reserve(static_cast<std::size_t>(std::min<std::int64_t>(header.entries, 1 << 20)));
  for (std::int64_t i = 0; i < header.entries; ++i) {
    if (!lines.next_content()) lines.fail(promised, "the end of the file after " + std::to_string(i));
    matrix.entries.push_back(read_entry(lines, matrix, header.field));
  }
  if (lines.next_content()) lines.fail("the end of the file after " + promised);
}

void sort_entries(CoordinateMatrix &matrix) {
  const auto place = [](const Entry &e) { return std::tuple(e.row, e.column, e.line); };
  std::sort(matrix.entries.begin(), matrix.entries.end(),
            [&](const Entry &a, const Entry &b) { return place(a) < place(b); });
  const auto twice =
      std::adjacent_find(matrix.entries.begin(), matrix.entries.end(),
                         [](const Entry &a, const Entry &b) { return a.row == b.row && a.column == b.column; });
  if (twice == matrix.entries.end()) return;
  const auto position = "(" + std::to_string(twice->row + 1) + ", " + std::to_string(twice->column + 1) + ")";
  const auto mirror = matrix.symmetric ? ", or its mirror," : "";
  throw FileError(
      matrix.file, std::next(twice)->line,
      "expected every position once, found " + position + mirror + " again after line " + std::to_string(twice->line));
}

}  // namespace

CoordinateMatrix read_matrix_market(std::istream &stream, const std::string &file) {
  CoordinateMatrix matrix;
  matrix.file = file;
  NumberedLines lines(stream, file, "%");
  Header header = read_banner(lines, matrix);
  read_sizes(lines, matrix, header);
  read_entries(lines, matrix, header);
  sort_entries(matrix);
  return matrix;
}

CoordinateMatrix read_matrix_market(const std::string &path) {
  auto stream = open_to_read(path);
  return read_matrix_market(stream, path);
}

}  // namespace example
