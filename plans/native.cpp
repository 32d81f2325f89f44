#include "plans/direct.hpp"

namespace rondo {

extern const Algorithm native;
const Algorithm native = {
    .name = "native",
    .summary = "the MPI library's own call: persistent, else non-blocking",
    .source = "MPI-4.0, section 6.13",
    .layout = Layout::native,
    // Known of MPICH up to 5.0 and Open MPI up to 5.0 (their pull requests 7945 and 14416).
    .obstacle = [](const Case &given, const Parameters &) -> std::string {
      if (!given.folded_grid) return {};
      return "MPI libraries mix up the two blocks of neighbours that are the same rank";
    },
    .route = nullptr,
    // What the library does inside is its own affair; both MPICH and Open MPI keep to a linear algorithm.
    .outline = [](const Topology &topology, const Parameters &) { return direct_outline(topology.ranks, 1); },
};

}  // namespace rondo
