#include "cli/bench_file.hpp"

#include <fmt/format.h>

#include <filesystem>
#include <fstream>

#include "exchange/error.hpp"

namespace rondo::internal::cli {

void read_bench_file(const std::string &path, const std::function<void(const BenchRun &)> &use) {
  std::ifstream file(path);
  if (!file) throw Error(Fault::argument, fmt::format("{}: cannot be read", path));
  try {
    const BenchFigures figures = BenchFigures::parse(file);
    const std::string name = std::filesystem::path(path).stem();
    if (!figures.contains("runs")) return use({name, figures});
    for (const BenchFigures &run : figures.at("runs")) {
      use({fmt::format("{}, {} ranks, {}", name, run.at("ranks").get<int>(), run.at("distribution").get<std::string>()),
           run});
    }
  } catch (const nlohmann::json::exception &fault) {
    throw Error(Fault::argument, fmt::format("{}: is no file of rondo bench --json: {}", path, fault.what()));
  }
}

}  // namespace rondo::internal::cli
