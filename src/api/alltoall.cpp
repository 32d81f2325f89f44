// The init calls of the C interface for all-to-alls. Each gives init_request() a function that reads its arguments into
// 64-bit copies (wire/given_side.hpp); init calls that as its first phase, whose faults all ranks hear of.

#include <mpi.h>

#include <functional>

#include "api/fault.hpp"
#include "api/init_request.hpp"
#include "wire/given_side.hpp"
#include "wire/neighbor_order.hpp"
#include "wire/neighbors.hpp"
#include "wire/opposite_ranks.hpp"

namespace rondo::internal {

namespace {

template <class Send, class Receive>
int init_alltoall(const Send &send, const Receive &receive, MPI_Comm comm, MPI_Info info, RONDO_Request *request,
                  Collective collective = Collective::alltoallv) {
  const auto read = [&](const Channel &channel) {
    const int ranks = channel.ranks();
    const std::vector<int> peers = opposite_ranks(channel);
    const FirstNumbers in_order(static_cast<int>(peers.size()));
    Arguments arguments{.collective = collective};
    arguments.receive = receive.read(ranks, peers, in_order);
    arguments.in_place = send.buffer == MPI_IN_PLACE;
    if (arguments.in_place && channel.duplicate->second_group() > 0) {
      throw Error(Fault::argument, "MPI_IN_PLACE has no meaning on an intercommunicator");
    }
    if (!arguments.in_place) arguments.send = send.read(ranks, peers, in_order);
    if (arguments.in_place && collective == Collective::alltoallw) {
      arguments.native_fault = NativeFault::types_in_place;
    }
    return arguments;
  };
  return init_request({std::cref(read), true}, comm, info, request);
}

template <class Send, class Receive>
int init_neighbor_alltoall(const Send &send, const Receive &receive, MPI_Comm comm, MPI_Info info,
                           RONDO_Request *request, Collective collective = Collective::neighbor_alltoallv) {
  const auto read = [&](const Channel &channel) {
    if (send.buffer == MPI_IN_PLACE) {
      throw Error(Fault::argument, "MPI_IN_PLACE has no meaning in a neighbourhood collective");
    }
    const int ranks = channel.ranks();
    const Neighbors neighbors = neighbors_of(comm);
    Arguments arguments{.collective = collective};
    arguments.send =
        send.read(ranks, neighbors.destinations, FirstNumbers(static_cast<int>(neighbors.destinations.size())));
    arguments.receive = receive.read(ranks, neighbors.sources, neighbors.matching);
    if (neighbors.repeated && library_mixes_up_repeated_neighbors(comm)) {
      arguments.native_fault = NativeFault::repeated_neighbors;
    }
#if !defined(OPEN_MPI)
    if (collective == Collective::neighbor_alltoallw && neighbors.destinations.size() != neighbors.sources.size()) {
      arguments.native_fault = NativeFault::neighbors_uneven;
    }
#endif
    return arguments;
  };
  return init_request({std::cref(read)}, comm, info, request);
}

}  // namespace

}  // namespace rondo::internal

char RONDO_Plan_buffer;

int RONDO_Alltoallv_init(const void *sendbuf, const int sendcounts[], const int sdispls[], MPI_Datatype sendtype,
                         void *recvbuf, const int recvcounts[], const int rdispls[], MPI_Datatype recvtype,
                         MPI_Comm comm, MPI_Info info, RONDO_Request *request) {
  return rondo::internal::init_alltoall(
      rondo::internal::GivenSide<int, int>{"send", rondo::internal::readable(sendbuf), sendcounts, sdispls, sendtype},
      rondo::internal::GivenSide<int, int>{"recv", recvbuf, recvcounts, rdispls, recvtype}, comm, info, request);
}

int RONDO_Alltoallv_init_c(const void *sendbuf, const MPI_Count sendcounts[], const MPI_Aint sdispls[],
                           MPI_Datatype sendtype, void *recvbuf, const MPI_Count recvcounts[], const MPI_Aint rdispls[],
                           MPI_Datatype recvtype, MPI_Comm comm, MPI_Info info, RONDO_Request *request) {
  return rondo::internal::init_alltoall(
      rondo::internal::GivenSide<MPI_Count, MPI_Aint>{"send", rondo::internal::readable(sendbuf), sendcounts, sdispls,
                                                      sendtype},
      rondo::internal::GivenSide<MPI_Count, MPI_Aint>{"recv", recvbuf, recvcounts, rdispls, recvtype}, comm, info,
      request);
}

int RONDO_Alltoall_init(const void *sendbuf, int sendcount, MPI_Datatype sendtype, void *recvbuf, int recvcount,
                        MPI_Datatype recvtype, MPI_Comm comm, MPI_Info info, RONDO_Request *request) {
  return RONDO_Alltoall_init_c(sendbuf, sendcount, sendtype, recvbuf, recvcount, recvtype, comm, info, request);
}

int RONDO_Alltoall_init_c(const void *sendbuf, MPI_Count sendcount, MPI_Datatype sendtype, void *recvbuf,
                          MPI_Count recvcount, MPI_Datatype recvtype, MPI_Comm comm, MPI_Info info,
                          RONDO_Request *request) {
  return rondo::internal::init_alltoall(
      rondo::internal::UniformSide{rondo::internal::readable(sendbuf), sendcount, sendtype},
      rondo::internal::UniformSide{recvbuf, recvcount, recvtype}, comm, info, request);
}

int RONDO_Alltoallw_init(const void *sendbuf, const int sendcounts[], const int sdispls[],
                         const MPI_Datatype sendtypes[], void *recvbuf, const int recvcounts[], const int rdispls[],
                         const MPI_Datatype recvtypes[], MPI_Comm comm, MPI_Info info, RONDO_Request *request) {
  using Given = rondo::internal::GivenSide<int, int, rondo::internal::EachType>;
  return rondo::internal::init_alltoall(
      Given{"send", rondo::internal::readable(sendbuf), sendcounts, sdispls, {sendtypes}},
      Given{"recv", recvbuf, recvcounts, rdispls, {recvtypes}}, comm, info, request,
      rondo::internal::Collective::alltoallw);
}

int RONDO_Alltoallw_init_c(const void *sendbuf, const MPI_Count sendcounts[], const MPI_Aint sdispls[],
                           const MPI_Datatype sendtypes[], void *recvbuf, const MPI_Count recvcounts[],
                           const MPI_Aint rdispls[], const MPI_Datatype recvtypes[], MPI_Comm comm, MPI_Info info,
                           RONDO_Request *request) {
  using Given = rondo::internal::GivenSide<MPI_Count, MPI_Aint, rondo::internal::EachType>;
  return rondo::internal::init_alltoall(
      Given{"send", rondo::internal::readable(sendbuf), sendcounts, sdispls, {sendtypes}},
      Given{"recv", recvbuf, recvcounts, rdispls, {recvtypes}}, comm, info, request,
      rondo::internal::Collective::alltoallw);
}

int RONDO_Neighbor_alltoall_init(const void *sendbuf, int sendcount, MPI_Datatype sendtype, void *recvbuf,
                                 int recvcount, MPI_Datatype recvtype, MPI_Comm comm, MPI_Info info,
                                 RONDO_Request *request) {
  return RONDO_Neighbor_alltoall_init_c(sendbuf, sendcount, sendtype, recvbuf, recvcount, recvtype, comm, info,
                                        request);
}

int RONDO_Neighbor_alltoall_init_c(const void *sendbuf, MPI_Count sendcount, MPI_Datatype sendtype, void *recvbuf,
                                   MPI_Count recvcount, MPI_Datatype recvtype, MPI_Comm comm, MPI_Info info,
                                   RONDO_Request *request) {
  return rondo::internal::init_neighbor_alltoall(
      rondo::internal::UniformSide{rondo::internal::readable(sendbuf), sendcount, sendtype},
      rondo::internal::UniformSide{recvbuf, recvcount, recvtype}, comm, info, request);
}

int RONDO_Neighbor_alltoallv_init(const void *sendbuf, const int sendcounts[], const int sdispls[],
                                  MPI_Datatype sendtype, void *recvbuf, const int recvcounts[], const int rdispls[],
                                  MPI_Datatype recvtype, MPI_Comm comm, MPI_Info info, RONDO_Request *request) {
  return rondo::internal::init_neighbor_alltoall(
      rondo::internal::GivenSide<int, int>{"send", rondo::internal::readable(sendbuf), sendcounts, sdispls, sendtype},
      rondo::internal::GivenSide<int, int>{"recv", recvbuf, recvcounts, rdispls, recvtype}, comm, info, request);
}

int RONDO_Neighbor_alltoallv_init_c(const void *sendbuf, const MPI_Count sendcounts[], const MPI_Aint sdispls[],
                                    MPI_Datatype sendtype, void *recvbuf, const MPI_Count recvcounts[],
                                    const MPI_Aint rdispls[], MPI_Datatype recvtype, MPI_Comm comm, MPI_Info info,
                                    RONDO_Request *request) {
  return rondo::internal::init_neighbor_alltoall(
      rondo::internal::GivenSide<MPI_Count, MPI_Aint>{"send", rondo::internal::readable(sendbuf), sendcounts, sdispls,
                                                      sendtype},
      rondo::internal::GivenSide<MPI_Count, MPI_Aint>{"recv", recvbuf, recvcounts, rdispls, recvtype}, comm, info,
      request);
}

int RONDO_Neighbor_alltoallw_init(const void *sendbuf, const int sendcounts[], const MPI_Aint sdispls[],
                                  const MPI_Datatype sendtypes[], void *recvbuf, const int recvcounts[],
                                  const MPI_Aint rdispls[], const MPI_Datatype recvtypes[], MPI_Comm comm,
                                  MPI_Info info, RONDO_Request *request) {
  using Given = rondo::internal::GivenSide<int, MPI_Aint, rondo::internal::EachType>;
  return rondo::internal::init_neighbor_alltoall(
      Given{"send", rondo::internal::readable(sendbuf), sendcounts, sdispls, {sendtypes}},
      Given{"recv", recvbuf, recvcounts, rdispls, {recvtypes}}, comm, info, request,
      rondo::internal::Collective::neighbor_alltoallw);
}

int RONDO_Neighbor_alltoallw_init_c(const void *sendbuf, const MPI_Count sendcounts[], const MPI_Aint sdispls[],
                                    const MPI_Datatype sendtypes[], void *recvbuf, const MPI_Count recvcounts[],
                                    const MPI_Aint rdispls[], const MPI_Datatype recvtypes[], MPI_Comm comm,
                                    MPI_Info info, RONDO_Request *request) {
  using Given = rondo::internal::GivenSide<MPI_Count, MPI_Aint, rondo::internal::EachType>;
  return rondo::internal::init_neighbor_alltoall(
      Given{"send", rondo::internal::readable(sendbuf), sendcounts, sdispls, {sendtypes}},
      Given{"recv", recvbuf, recvcounts, rdispls, {recvtypes}}, comm, info, request,
      rondo::internal::Collective::neighbor_alltoallw);
}
