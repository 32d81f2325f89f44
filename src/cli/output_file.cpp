#include "cli/output_file.hpp"

#include <fmt/format.h>

#include <cerrno>
#include <cstring>
#include <filesystem>
#include <fstream>

#include "exchange/error.hpp"

namespace rondo::internal::cli {

namespace {

void check(const std::ofstream &file, const std::string &path) {
  if (!file) throw Error(Fault::argument, fmt::format("cannot write {}: {}", path, std::strerror(errno)));
}

}  // namespace

void check_writable(const std::string &path) {
  std::error_code ignored;
  const bool exists = std::filesystem::exists(path, ignored);
  check(std::ofstream(path, std::ios::app), path);
  if (!exists) std::filesystem::remove(path, ignored);
}

void write_file(const std::string &path, const std::string &text) {
  std::ofstream file(path);
  file << text;
  file.close();
  check(file, path);
}

}  // namespace rondo::internal::cli
