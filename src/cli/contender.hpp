#pragma once

#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "cli/arguments.hpp"

namespace rondo::cli {

// What a benchmark is asked to time.
struct ContenderSpec {
  enum class Kind : std::uint8_t { mpi_blocking, mpi_persistent, rondo };

  Kind kind = Kind::rondo;
  std::string algorithm = {};  // of Rondo's; empty: its own choice
  Parameters parameters = {};

  [[nodiscard]] std::string label() const;
};

// Reads `all`, or a list such as `tuna:radix=4,scattered:block_count=8,chosen`; throws Error (argument). The MPI
// library's own calls come first, whatever the list says: the others are held against them.
std::vector<ContenderSpec> parse_contenders(std::string_view text);

// One way to do the exchange, made ready by its constructor: what that costs is the cost of init.
class Contender {
 public:
  virtual ~Contender() = default;

  // So many exchanges, back to back. Collective.
  virtual void run(std::int64_t times) = 0;

  // What Rondo planned; empty name for MPI's own.
  [[nodiscard]] virtual RONDO_Report report() const { return {}; }
};

// Collective. Null, with the reason in `refused`, when the algorithm does not serve the problem.
std::unique_ptr<Contender> make_contender(const ContenderSpec &spec, const Problem &problem, const Arguments &arguments,
                                          const Spaces &spaces, std::string &refused);

}  // namespace rondo::cli
