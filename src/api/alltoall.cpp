// The init calls of the C interface: each reads its arguments into 64-bit copies and hands them to init().

#include <fmt/format.h>

#include <span>
#include <type_traits>

#include "api/fault.hpp"
#include "api/init.hpp"

namespace rondo {

namespace {

// One side of an alltoallv call as the caller's arrays give it; Count and Displacement are int or their _c types.
template <class Count, class Displacement>
struct GivenSide {
  const char *name;  // of the counts argument, for messages
  void *buffer;
  const Count *counts;
  const Displacement *displacements;
  MPI_Datatype type;

  [[nodiscard]] Side copy(int ranks) const {
    if (counts == nullptr) throw Error(Fault::buffer, fmt::format("{}counts is null", name));
    Side side{.buffer = buffer, .type = type};
    side.counts.assign(counts, counts + ranks);
    if (displacements != nullptr) {
      side.displacements.assign(displacements, displacements + ranks);
      return side;
    }
    for (int peer = 0; peer < ranks; ++peer) {
      const std::int64_t count = side.counts[static_cast<std::size_t>(peer)];
      if (count == 0) continue;
      throw Error(Fault::buffer, fmt::format("{}displs is null, but the count for rank {} is {}", name, peer, count))
          .with_peer(peer)
          .with_values(count);
    }
    side.displacements.assign(static_cast<std::size_t>(ranks), 0);
    return side;
  }
};

// One side of an alltoall call: the same count for every rank, one after the other.
struct UniformSide {
  void *buffer;
  std::int64_t count;
  MPI_Datatype type;

  [[nodiscard]] Side copy(int ranks) const {
    Side side{.buffer = buffer, .type = type};
    side.counts.assign(static_cast<std::size_t>(ranks), count);
    for (int peer = 0; peer < ranks; ++peer) {
      side.displacements.push_back(checked_multiply(peer, count, "a displacement"));
    }
    return side;
  }
};

template <class Send, class Receive>
int init_request(const Send &send, const Receive &receive, MPI_Comm comm, MPI_Info info, RONDO_Request *request) {
  return guarded([&] {
    if (request == nullptr) throw Error(Fault::argument, "the request argument is null");
    *request = RONDO_REQUEST_NULL;
    const auto read = [&](int ranks) {
      Arguments arguments;
      arguments.receive = receive.copy(ranks);
      arguments.in_place = send.buffer == MPI_IN_PLACE;
      if (!arguments.in_place) arguments.send = send.copy(ranks);
      return arguments;
    };
    *request = init(read, comm, info).release();
  });
}

// MPI's interfaces take the send buffer as const; a Side serves both directions and is only read on that one.
void *readable(const void *buffer) {
  return const_cast<void *>(buffer);
}

}  // namespace

}  // namespace rondo

int RONDO_Alltoallv_init(const void *sendbuf, const int sendcounts[], const int sdispls[], MPI_Datatype sendtype,
                         void *recvbuf, const int recvcounts[], const int rdispls[], MPI_Datatype recvtype,
                         MPI_Comm comm, MPI_Info info, RONDO_Request *request) {
  return rondo::init_request(
      rondo::GivenSide<int, int>{"send", rondo::readable(sendbuf), sendcounts, sdispls, sendtype},
      rondo::GivenSide<int, int>{"recv", recvbuf, recvcounts, rdispls, recvtype}, comm, info, request);
}

int RONDO_Alltoallv_init_c(const void *sendbuf, const MPI_Count sendcounts[], const MPI_Aint sdispls[],
                           MPI_Datatype sendtype, void *recvbuf, const MPI_Count recvcounts[], const MPI_Aint rdispls[],
                           MPI_Datatype recvtype, MPI_Comm comm, MPI_Info info, RONDO_Request *request) {
  return rondo::init_request(
      rondo::GivenSide<MPI_Count, MPI_Aint>{"send", rondo::readable(sendbuf), sendcounts, sdispls, sendtype},
      rondo::GivenSide<MPI_Count, MPI_Aint>{"recv", recvbuf, recvcounts, rdispls, recvtype}, comm, info, request);
}

int RONDO_Alltoall_init(const void *sendbuf, int sendcount, MPI_Datatype sendtype, void *recvbuf, int recvcount,
                        MPI_Datatype recvtype, MPI_Comm comm, MPI_Info info, RONDO_Request *request) {
  return RONDO_Alltoall_init_c(sendbuf, sendcount, sendtype, recvbuf, recvcount, recvtype, comm, info, request);
}

int RONDO_Alltoall_init_c(const void *sendbuf, MPI_Count sendcount, MPI_Datatype sendtype, void *recvbuf,
                          MPI_Count recvcount, MPI_Datatype recvtype, MPI_Comm comm, MPI_Info info,
                          RONDO_Request *request) {
  return rondo::init_request(rondo::UniformSide{rondo::readable(sendbuf), sendcount, sendtype},
                             rondo::UniformSide{recvbuf, recvcount, recvtype}, comm, info, request);
}
