#include "cli/bench_output.hpp"

#include <fmt/format.h>

#include "cli/mpi_session.hpp"
#include "cli/output_file.hpp"
#include "cli/plot.hpp"
#include "exchange/error.hpp"

namespace rondo::internal::cli {

void check_files(const BenchOptions &options, bool speaks) {
  std::string fault;
  try {
    if (speaks && !options.plot.empty()) check_gnuplot();
    for (const std::string &path : {options.json, options.plot}) {
      if (speaks && !path.empty()) check_writable(path);
    }
  } catch (const Error &error) {
    fault = error.message();
  }
  if (fault = agreed_text(fault); !fault.empty()) throw Error(Fault::argument, fault);
}

void write_json(const std::string &path, const nlohmann::ordered_json &figures) {
  if (path.empty()) return;
  write_file(path, figures.dump(2) + '\n');
  fmt::print("figures in {}\n", path);
}

}  // namespace rondo::internal::cli
