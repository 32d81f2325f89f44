#include "cli/measuring_options.hpp"

#include <CLI/CLI.hpp>

namespace rondo::internal::cli {

void add_measuring_options(CLI::App &command, MeasuringOptions &options) {
  command.add_option("--sizes", options.sizes, "Bytes of the largest block, a list")
      ->delimiter(',')
      ->type_name("BYTES")
      ->check(CLI::Range(std::int64_t{0}, std::int64_t{1} << 40).description(""))
      ->capture_default_str();
  command.add_option("--repetitions", options.repetitions, "Samples of each contender and size")
      ->type_name("N")
      ->check(CLI::Range(1, 1000000).description(""))
      ->capture_default_str();
  command.add_option("--time-limit", options.time_limit, "Seconds in all, after which no sample is begun")
      ->type_name("SECONDS")
      ->check(CLI::Range(0.01, 1e9).description(""))
      ->capture_default_str();
}

}  // namespace rondo::internal::cli
