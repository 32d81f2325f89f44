#include "cli/gather_comm.hpp"

namespace rondo::internal::cli {

GatherComm::GatherComm(const Problem &problem, const Exchange &exchange, MPI_Comm all)
    : comm_(all), arguments_(arguments_of({.send = {exchange.send.front()}, .receive = exchange.receive})) {
  const int border = problem.first_group;
  if (border == 0) return;
  const int rank = exchange.rank;
  const bool in_first = rank < border;
  const auto keep_sources = [&](std::vector<int> &of_all) {
    of_all = in_first ? std::vector(of_all.begin() + border, of_all.end())
                      : std::vector(of_all.begin(), of_all.begin() + border);
  };
  keep_sources(arguments_.receive_counts);
  keep_sources(arguments_.receive_displacements);
  constexpr int tag = 1;
  MPI_Comm group = MPI_COMM_NULL;
  MPI_Comm_split(all, in_first ? 0 : 1, rank, &group);
  MPI_Intercomm_create(group, 0, all, in_first ? border : 0, tag, &comm_);
  MPI_Comm_free(&group);
  own_ = true;
}

GatherComm::~GatherComm() {
  if (own_) MPI_Comm_free(&comm_);
}

}  // namespace rondo::internal::cli
