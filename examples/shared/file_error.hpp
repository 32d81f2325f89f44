// What is wrong with a file, and where.
//
// SPDX-License-Identifier: BSD-3-Clause
#ifndef EXAMPLE_FILE_ERROR_HPP
#define EXAMPLE_FILE_ERROR_HPP

#include <cstdint>
#include <stdexcept>
#include <string>

namespace example {

// what() is "FILE:LINE: FAULT", or "FILE: FAULT" where no line is to blame (line 0).
struct FileError : std::runtime_error {
  FileError(const std::string &file_name, std::int64_t line_number, const std::string &fault);
  std::string file;
  std::int64_t line;
};

}  // namespace example

#endif
