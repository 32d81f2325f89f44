#include "plans/direct.hpp"

namespace rondo::internal {

namespace {

// What the MPI library's all-gather is taken to do when its cost is estimated.
const Algorithm &taken_for(const Topology &topology) {
  return *find_algorithm(topology.two_groups() ? "root_gathering" : "dissemination", all_gather);
}

constexpr BySegments by_segments = {
    .cut = [](const Topology &topology,
              std::span<const std::int64_t> bytes) { return taken_for(topology).by_segments->cut(topology, bytes); },
    .route =
        [](int rank, const Topology &topology, const Parameters &, const Cut &cut) {
          const Algorithm &like = taken_for(topology);
          return like.by_segments->route(rank, topology, effective(like, {}, topology), cut);
        },
    .stages =
        [](const Topology &topology, const Parameters &) {
          const Algorithm &like = taken_for(topology);
          return like.by_segments->stages(topology, effective(like, {}, topology));
        },
};

}  // namespace

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
    .by_segments = &by_segments,
};

}  // namespace rondo::internal
