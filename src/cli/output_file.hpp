#pragma once

#include <string>

namespace rondo::internal::cli {

// Throws Error (argument) when the file cannot be written: to be known before what is to be written there takes time.
// Leaves an existing file as it is, and no other behind.
void check_writable(const std::string &path);

// Writes the whole file anew; throws Error (argument) when that fails.
void write_file(const std::string &path, const std::string &text);

}  // namespace rondo::internal::cli
