// SPDX-License-Identifier: BSD-3-Clause
#include "shared/file_error.hpp"

namespace example {
namespace {

std::string located(std::string text, std::int64_t line, const std::string &fault) {
  if (line > 0) text.append(":").append(std::to_string(line));
  return text.append(": ").append(fault);
}

}  // namespace

FileError::FileError(const std::string &file_name, std::int64_t line_number, const std::string &fault)
    : std::runtime_error(located(file_name, line_number, fault)), file(file_name), line(line_number) {}

}  // namespace example
