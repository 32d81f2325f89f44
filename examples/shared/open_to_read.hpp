// Opens a file to be read.
//
// SPDX-License-Identifier: BSD-3-Clause
#ifndef EXAMPLE_OPEN_TO_READ_HPP
#define EXAMPLE_OPEN_TO_READ_HPP

#include <fstream>
#include <string>

namespace example {

// Throws FileError when it cannot be opened, or is a directory.
[[nodiscard]] std::ifstream open_to_read(const std::string &path);

}  // namespace example

#endif
