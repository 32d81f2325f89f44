// SPDX-License-Identifier: BSD-3-Clause
#include <gtest/gtest.h>

#include <sstream>

#include "shared/file_error.hpp"
#include "shared/matrix_market.hpp"

namespace {

const std::string kGeneral = "%%MatrixMarket matrix coordinate real general\n";
const std::string kInteger = "%%MatrixMarket matrix coordinate integer general\n";
const std::string kPattern = "%%MatrixMarket matrix coordinate pattern symmetric\n";
const std::string kSymmetric = "%%MatrixMarket matrix coordinate real symmetric\n";

struct Broken {
  const char *name;
  std::string text;
  const char *message;
};

// For the names that CTest shows.
void PrintTo(const Broken &broken, std::ostream *out) {
  *out << broken.name;
}

class BrokenFile : public testing::TestWithParam<Broken> {};

TEST_P(BrokenFile, SaysWhereAndWhat) {
  try {
    std::istringstream stream(GetParam().text);
    static_cast<void>(example::read_matrix_market(stream, "m.mtx"));
    FAIL() << "was read";
  } catch (const example::FileError &fault) {
    EXPECT_STREQ(fault.what(), GetParam().message);
  }
}

const Broken kBroken[] = {
    {"Empty", "", "m.mtx: expected the banner '%%MatrixMarket matrix coordinate FIELD SYMMETRY', found an empty file"},
    {"NoBanner", "1 1 1\n",
     "m.mtx:1: expected the banner '%%MatrixMarket matrix coordinate FIELD SYMMETRY', found '1 1 1'"},
    {"Vector", "%%MatrixMarket vector coordinate real general\n",
     "m.mtx:1: expected an object of 'matrix', found 'vector'"},
    {"Array", "%%MatrixMarket matrix array real general\n",
     "m.mtx:1: expected a format of 'coordinate', found 'array'"},
    {"Complex", "%%MatrixMarket matrix coordinate complex general\n",
     "m.mtx:1: expected a field of 'real', 'integer' or 'pattern', found 'complex'"},
    {"SkewSymmetric", "%%MatrixMarket matrix coordinate real skew-symmetric\n",
     "m.mtx:1: expected a symmetry of 'general' or 'symmetric', found 'skew-symmetric'"},
    {"Hermitian", "%%MatrixMarket matrix coordinate real hermitian\n",
     "m.mtx:1: expected a symmetry of 'general' or 'symmetric', found 'hermitian'"},
    {"NoSizes", kGeneral + "%\n", "m.mtx:2: expected three sizes 'ROWS COLUMNS ENTRIES', found the end of the file"},
    {"TwoSizes", kGeneral + "2 2\n", "m.mtx:2: expected three sizes 'ROWS COLUMNS ENTRIES', found '2 2'"},
    {"NoRows", kGeneral + "0 2 0\n", "m.mtx:2: expected a number of rows from 1 to 1073741823, found '0'"},
    {"TooManyRows", kGeneral + "3000000000 2 0\n",
     "m.mtx:2: expected a number of rows from 1 to 1073741823, found '3000000000'"},
    {"NegativeEntries", kGeneral + "2 2 -1\n", "m.mtx:2: expected a number of entries from 0 to 4, found '-1'"},
    {"MoreEntriesThanPositions", kGeneral + "2 2 5\n", "m.mtx:2: expected a number of entries from 0 to 4, found '5'"},
    {"SymmetricNotSquare", kSymmetric + "2 3 1\n",
     "m.mtx:2: expected as many columns as rows, since the banner says 'symmetric', found '2 3 1'"},
    {"Truncated", kGeneral + "2 2 3\n1 1 1\n2 2 1\n", "m.mtx:4: expected 3 entries, found the end of the file after 2"},
    {"TooManyEntries", kGeneral + "2 2 1\n1 1 1\n\n2 2 1\n",
     "m.mtx:5: expected the end of the file after 1 entries, found '2 2 1'"},
    {"RowTooLarge", kGeneral + "2 2 1\n3 1 1\n", "m.mtx:3: expected a row from 1 to 2, found '3'"},
    {"RowZero", kGeneral + "2 2 1\n0 1 1\n", "m.mtx:3: expected a row from 1 to 2, found '0'"},
    {"ColumnTooLarge", kGeneral + "2 3 1\n1 4 1\n", "m.mtx:3: expected a column from 1 to 3, found '4'"},
    {"RowNotANumber", kGeneral + "2 2 1\nx 1 1\n", "m.mtx:3: expected an integer, found 'x'"},
    {"RowOverflows", kGeneral + "2 2 1\n99999999999999999999 1 1\n",
     "m.mtx:3: expected an integer, found '99999999999999999999'"},
    {"ValueNotANumber", kGeneral + "2 2 1\n1 1 1.5x\n", "m.mtx:3: expected a finite number, found '1.5x'"},
    {"ValueInfinite", kGeneral + "2 2 1\n1 1 inf\n", "m.mtx:3: expected a finite number, found 'inf'"},
    {"ValueOverflows", kGeneral + "2 2 1\n1 1 1e400\n", "m.mtx:3: expected a finite number, found '1e400'"},
    {"IntegerWithFraction", kInteger + "1 1 1\n1 1 1.5\n", "m.mtx:3: expected an integer, found '1.5'"},
    {"NoValue", kGeneral + "1 1 1\n1 1\n", "m.mtx:3: expected an entry 'ROW COLUMN VALUE', found '1 1'"},
    {"PatternWithValue", kPattern + "1 1 1\n1 1 1\n", "m.mtx:3: expected an entry 'ROW COLUMN', found '1 1 1'"},
    {"Twice", kGeneral + "2 2 3\n1 2 1\n1 1 1\n1 2 3\n",
     "m.mtx:5: expected every position once, found (1, 2) again after line 3"},
    {"BothTriangles", kSymmetric + "2 2 2\n1 2 1\n2 1 1\n",
     "m.mtx:4: expected every position once, found (2, 1), or its mirror, again after line 3"},
    {"Binary",
     kGeneral + "\x01"
                "x\xff\n",
     "m.mtx:2: expected three sizes 'ROWS COLUMNS ENTRIES', found '?x?'"},
};

INSTANTIATE_TEST_SUITE_P(MatrixMarket, BrokenFile, testing::ValuesIn(kBroken),
                         [](const auto &instance) { return instance.param.name; });

}  // namespace
