#pragma once

#include <functional>
#include <nlohmann/json.hpp>
#include <string>

namespace rondo::internal::cli {

using BenchFigures = nlohmann::ordered_json;

// One run in a file that `rondo bench --json` has written.
struct BenchRun {
  std::string name;  // of the file, and of the run where the file has several
  const BenchFigures &figures;
};

// Gives `use` one run of the file after the other. Throws Error, which names the file, when it cannot be read, is no
// JSON, or has not what `use` looks for.
void read_bench_file(const std::string &path, const std::function<void(const BenchRun &)> &use);

}  // namespace rondo::internal::cli
