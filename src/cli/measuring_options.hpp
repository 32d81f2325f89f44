#pragma once

#include <cstdint>
#include <vector>

namespace CLI {  // NOLINT(readability-identifier-naming): that of CLI11
class App;
}

namespace rondo::internal::cli {

// What `rondo bench` and `rondo overlap` both ask for.
struct MeasuringOptions {
  std::vector<std::int64_t> sizes;
  int repetitions;
  double time_limit = 60;
};

void add_measuring_options(CLI::App &command, MeasuringOptions &options);

}  // namespace rondo::internal::cli
