// The all-gather init calls of the C interface: of one group, or between the two of an intercommunicator.

#include <mpi.h>

#include <functional>

#include "api/init_request.hpp"
#include "wire/given_side.hpp"
#include "wire/opposite_ranks.hpp"

namespace rondo::internal {

namespace {

struct Sent {
  void *buffer;
  std::int64_t count;
  MPI_Datatype type;
};

template <class ReadReceive>
int init_allgather(const Sent &sent, const ReadReceive &read_receive, MPI_Comm comm, MPI_Info info,
                   RONDO_Request *request) {
  const auto read = [&](const Channel &channel) {
    Arguments arguments{.kind = &all_gather, .collective = Collective::allgatherv};
    arguments.receive = read_receive(channel.ranks(), opposite_ranks(channel));
    arguments.in_place = sent.buffer == MPI_IN_PLACE;
    if (!arguments.in_place) {
      arguments.send = side_for_all(sent.buffer, sent.count, sent.type);
    } else if (channel.duplicate->second_group() > 0) {
      throw Error(Fault::argument, "MPI_IN_PLACE has no meaning on an intercommunicator");
    } else {
      arguments.send = take_own(arguments.receive, channel.rank());
    }
    return arguments;
  };
  return init_request({std::cref(read), true}, comm, info, request);
}

template <class Count, class Displacement>
auto given(void *buffer, const Count *counts, const Displacement *displacements, MPI_Datatype type) {
  return [=](int ranks, const std::vector<int> &sources) {
    return GivenSide<Count, Displacement>{"recv", buffer, counts, displacements, type}.read(
        ranks, sources, FirstNumbers(static_cast<int>(sources.size())));
  };
}

}  // namespace

}  // namespace rondo::internal

int RONDO_Allgather_init(const void *sendbuf, int sendcount, MPI_Datatype sendtype, void *recvbuf, int recvcount,
                         MPI_Datatype recvtype, MPI_Comm comm, MPI_Info info, RONDO_Request *request) {
  return RONDO_Allgather_init_c(sendbuf, sendcount, sendtype, recvbuf, recvcount, recvtype, comm, info, request);
}

int RONDO_Allgather_init_c(const void *sendbuf, MPI_Count sendcount, MPI_Datatype sendtype, void *recvbuf,
                           MPI_Count recvcount, MPI_Datatype recvtype, MPI_Comm comm, MPI_Info info,
                           RONDO_Request *request) {
  const auto read_receive = [&](int ranks, const std::vector<int> &sources) {
    const std::vector<MPI_Count> counts(sources.size(), recvcount);
    std::vector<MPI_Aint> displacements;
    for (std::size_t entry = 0; entry < sources.size(); ++entry) {
      displacements.push_back(
          rondo::internal::checked_multiply(static_cast<std::int64_t>(entry), recvcount, "a displacement"));
    }
    return rondo::internal::given(recvbuf, counts.data(), displacements.data(), recvtype)(ranks, sources);
  };
  return rondo::internal::init_allgather({rondo::internal::readable(sendbuf), sendcount, sendtype}, read_receive, comm,
                                         info, request);
}

int RONDO_Allgatherv_init(const void *sendbuf, int sendcount, MPI_Datatype sendtype, void *recvbuf,
                          const int recvcounts[], const int displs[], MPI_Datatype recvtype, MPI_Comm comm,
                          MPI_Info info, RONDO_Request *request) {
  return rondo::internal::init_allgather({rondo::internal::readable(sendbuf), sendcount, sendtype},
                                         rondo::internal::given(recvbuf, recvcounts, displs, recvtype), comm, info,
                                         request);
}

int RONDO_Allgatherv_init_c(const void *sendbuf, MPI_Count sendcount, MPI_Datatype sendtype, void *recvbuf,
                            const MPI_Count recvcounts[], const MPI_Aint displs[], MPI_Datatype recvtype, MPI_Comm comm,
                            MPI_Info info, RONDO_Request *request) {
  return rondo::internal::init_allgather({rondo::internal::readable(sendbuf), sendcount, sendtype},
                                         rondo::internal::given(recvbuf, recvcounts, displs, recvtype), comm, info,
                                         request);
}
