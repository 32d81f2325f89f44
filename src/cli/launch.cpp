#include "cli/launch.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <sstream>

#include "exchange/error.hpp"

namespace rondo::internal::cli {

std::string find_interposer() {
  namespace fs = std::filesystem;
  const fs::path folder = fs::read_symlink("/proc/self/exe").parent_path();
  std::vector<std::string> places;
  for (const char *beside : {"../lib", "../" RONDO_LIBRARY_FOLDER, "."}) {
    const fs::path place = (folder / beside / "librondo_pmpi.so").lexically_normal();
    if (fs::exists(place)) return place;
    places.push_back(place);
  }
  throw Error(Fault::argument, fmt::format("the interposer is none of {}", fmt::join(places, ", ")));
}

std::vector<std::string> mpi_libraries_in(std::string_view printed) {
  std::vector<std::string> found;
  std::istringstream lines{std::string(printed)};
  for (std::string line; std::getline(lines, line);) {
    const std::size_t begin = line.find_first_not_of(" \t");
    if (begin == std::string::npos) continue;
    const std::string name = line.substr(begin, line.find(' ', begin) - begin);
    // Not those of its languages, as libmpi_cxx and libmpichfort.
    if (name.starts_with("libmpi.so") || name.starts_with("libmpich.so")) found.push_back(name);
  }
  return found;
}

std::optional<std::string> misfit(const std::vector<std::string> &of_program,
                                  const std::vector<std::string> &of_interposer) {
  const bool fits = std::any_of(of_program.begin(), of_program.end(), [&](const std::string &one) {
    return std::find(of_interposer.begin(), of_interposer.end(), one) != of_interposer.end();
  });
  if (fits || of_program.empty()) return std::nullopt;
  return fmt::format("the program is linked with {}, and the interposer with {}", fmt::join(of_program, " and "),
                     fmt::join(of_interposer, " and "));
}

}  // namespace rondo::internal::cli
