#include "plans/direct.hpp"

namespace rondo::internal {

extern const Algorithm native;
const Algorithm native = {
    .name = "native",
    .summary = "the MPI library's own call: persistent, else non-blocking",
    .source = "MPI-4.0, section 6.13",
    .layout = Layout::native,
    .obstacle = [](const Case &given, const Parameters &) -> std::string {
      return given.native_fault == nullptr ? "" : given.native_fault;
    },
    .route = nullptr,
    // What the library does inside is its own affair; both MPICH and Open MPI keep to a linear algorithm.
    .outline = [](const Topology &topology, const Parameters &) { return direct_outline(topology.ranks, 1); },
};

}  // namespace rondo::internal
