// SPDX-License-Identifier: BSD-3-Clause
#include "shared/open_to_read.hpp"

#include <cerrno>
#include <cstring>
#include <filesystem>

#include "shared/file_error.hpp"

namespace example {

std::ifstream open_to_read(const std::string &path) {
  // A directory can be opened on Linux, and then reads as an empty file.
  if (std::error_code ignored; std::filesystem::is_directory(path, ignored))
    throw FileError(path, 0, "is a directory, not a file");
  std::ifstream stream(path);
  if (!stream) throw FileError(path, 0, std::string("cannot be opened: ") + std::strerror(errno));
  return stream;
}

}  // namespace example
