#include "cli/gather_comm.hpp"

namespace rondo::internal::cli {

GatherComm::GatherComm(const Problem &problem, int rank) : sources_(problem.ranks) {
  const int border = problem.first_group;
  if (border == 0) return;
  const bool in_first = rank < border;
  first_source_ = in_first ? border : 0;
  sources_ = in_first ? problem.ranks - border : border;
  constexpr int tag = 1;
  MPI_Comm group = MPI_COMM_NULL;
  MPI_Comm_split(MPI_COMM_WORLD, in_first ? 0 : 1, rank, &group);
  MPI_Intercomm_create(group, 0, MPI_COMM_WORLD, in_first ? border : 0, tag, &comm_);
  MPI_Comm_free(&group);
}

GatherComm::~GatherComm() {
  if (comm_ != MPI_COMM_WORLD) MPI_Comm_free(&comm_);
}

std::vector<Extent> GatherComm::received(const Exchange &exchange) const {
  const auto first = exchange.receive.begin() + first_source_;
  return {first, first + sources_};
}

std::vector<int> GatherComm::counts(const Exchange &exchange) const {
  std::vector<int> all;
  for (const Extent &extent : received(exchange)) all.push_back(static_cast<int>(extent.length));
  return all;
}

std::vector<int> GatherComm::displacements(const Exchange &exchange) const {
  std::vector<int> all;
  for (const Extent &extent : received(exchange)) all.push_back(static_cast<int>(extent.offset));
  return all;
}

}  // namespace rondo::internal::cli
