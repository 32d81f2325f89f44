// The reader of Matrix Market files: a matrix whose entries are in it, in order and once each, and which is read again
// from what is written of it; or a FileError with the line.

#include "shared/matrix_market.hpp"

#include <algorithm>
#include <cmath>
#include <sstream>
#include <tuple>

#include "fuzz.hpp"
#include "shared/file_error.hpp"

namespace rondo::internal::fuzz {
namespace {

using example::CoordinateMatrix;
using example::Entry;

std::string written(const CoordinateMatrix &matrix) {
  std::string text = "%%MatrixMarket matrix coordinate real ";
  text += matrix.symmetric ? "symmetric\n" : "general\n";
  text += std::to_string(matrix.rows) + " " + std::to_string(matrix.columns) + " " +
          std::to_string(matrix.entries.size()) + "\n";
  for (const Entry &entry : matrix.entries) {
    char line[96];
    std::snprintf(line, sizeof(line), "%d %d %.17g\n", entry.row + 1, entry.column + 1, entry.value);
    text += line;
  }
  return text;
}

bool same_entry(const Entry &a, const Entry &b) {
  return a.row == b.row && a.column == b.column && a.value == b.value;
}

void check(const CoordinateMatrix &matrix) {
  for (const Entry &entry : matrix.entries) {
    const bool inside = entry.row >= 0 && entry.row < matrix.rows && entry.column >= 0 && entry.column < matrix.columns;
    require(inside, "an entry lies outside the matrix");
    require(!matrix.symmetric || entry.row >= entry.column, "an entry lies above the diagonal");
    require(std::isfinite(entry.value), "an entry is no number");
  }
  const auto before = [](const Entry &a, const Entry &b) {
    return std::tie(a.row, a.column) < std::tie(b.row, b.column);
  };
  const auto wrong = std::adjacent_find(matrix.entries.begin(), matrix.entries.end(),
                                        [&](const Entry &a, const Entry &b) { return !before(a, b); });
  require(wrong == matrix.entries.end(), "entries are out of order, or there twice");
}

void read(std::string_view text) {
  std::istringstream stream{std::string(text)};
  try {
    const CoordinateMatrix matrix = example::read_matrix_market(stream, "input.mtx");
    check(matrix);
    std::istringstream again(written(matrix));
    const CoordinateMatrix same = example::read_matrix_market(again, "written.mtx");
    require(
        std::equal(matrix.entries.begin(), matrix.entries.end(), same.entries.begin(), same.entries.end(), same_entry),
        "written and read again it is another matrix");
  } catch (const example::FileError &error) {
    require(error.file == "input.mtx", "what was written is refused", error.what());
    const auto lines = std::count(text.begin(), text.end(), '\n') + 1;
    require(error.line >= 0 && error.line <= lines, "the error lies outside the file", error.what());
  }
}

}  // namespace
}  // namespace rondo::internal::fuzz

int LLVMFuzzerTestOneInput(const std::uint8_t *data, std::size_t size) {
  rondo::internal::fuzz::read(rondo::internal::fuzz::text_of(data, size));
  return 0;
}
