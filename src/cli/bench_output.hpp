#pragma once

#include <nlohmann/json.hpp>
#include <string>

#include "cli/bench_options.hpp"

namespace rondo::internal::cli {

// Throws on all ranks what rank 0, which writes the files, finds out about them. `speaks` is rank 0. Collective.
void check_files(const BenchOptions &options, bool speaks);

// Writes the figures, if there is a path, and says so.
void write_json(const std::string &path, const nlohmann::ordered_json &figures);

}  // namespace rondo::internal::cli
