// Blocking calls of the program's own messages. While anything of ours runs they poll, as MPI asks that it goes on: the
// other end may wait for that before it sends.

#include <array>

#include "plan/progress.hpp"
#include "pmpi/pass/blocked.hpp"
#include "pmpi/pass/next_definition.hpp"
#include "pmpi/requests/poll.hpp"
#include "rondo/rondo.h"

namespace rondo::internal::pmpi {

namespace {

constinit const Next next_test{"MPI_Test", PMPI_Test};
constinit const Next next_isend{"MPI_Isend", PMPI_Isend};
constinit const Next next_issend{"MPI_Issend", PMPI_Issend};
constinit const Next next_irecv{"MPI_Irecv", PMPI_Irecv};
constinit const Next next_send_init{"MPI_Send_init", PMPI_Send_init};
constinit const Next next_recv_init{"MPI_Recv_init", PMPI_Recv_init};
constinit const Next next_startall{"MPI_Startall", PMPI_Startall};
constinit const Next next_free{"MPI_Request_free", PMPI_Request_free};

// Completes a request that starting it, with this code, has made.
int complete(int start_code, MPI_Request &request, MPI_Status *status) {
  if (start_code != MPI_SUCCESS) return start_code;
  for (Poll poll;; poll.pause()) {
    int done = 0;
    const int code = next_test(&request, &done, status);
    if (code != MPI_SUCCESS || done != 0) return code;
  }
}

// Completes a receive and a send that have not been started, and frees them.
int exchange(std::array<MPI_Request, 2> requests, MPI_Status *status) {
  const int started = next_startall(2, requests.data());
  const int received = complete(started, requests[0], status);
  const int sent = complete(started, requests[1], MPI_STATUS_IGNORE);
  for (MPI_Request &request : requests) next_free(&request);
  return sent != MPI_SUCCESS ? sent : received;
}

// Calls look(&found) until it has found something.
template <class Look>
int poll_until(Look &&look) {
  for (Poll poll;; poll.pause()) {
    int found = 0;
    const int code = look(&found);
    if (code != MPI_SUCCESS || found != 0) return code;
  }
}

}  // namespace

}  // namespace rondo::internal::pmpi

using rondo::internal::any_running;
using rondo::internal::pmpi::Blocked;
using rondo::internal::pmpi::complete;
using rondo::internal::pmpi::Next;
using rondo::internal::pmpi::poll_until;

RONDO_API int MPI_Send(const void *buf, int count, MPI_Datatype datatype, int dest, int tag, MPI_Comm comm) {
  static constinit const Next next{"MPI_Send", PMPI_Send};
  if (!any_running()) {
    const Blocked blocked;
    return next(buf, count, datatype, dest, tag, comm);
  }
  MPI_Request request = MPI_REQUEST_NULL;
  const int code = rondo::internal::pmpi::next_isend(buf, count, datatype, dest, tag, comm, &request);
  return complete(code, request, MPI_STATUS_IGNORE);
}

RONDO_API int MPI_Ssend(const void *buf, int count, MPI_Datatype datatype, int dest, int tag, MPI_Comm comm) {
  static constinit const Next next{"MPI_Ssend", PMPI_Ssend};
  if (!any_running()) {
    const Blocked blocked;
    return next(buf, count, datatype, dest, tag, comm);
  }
  MPI_Request request = MPI_REQUEST_NULL;
  const int code = rondo::internal::pmpi::next_issend(buf, count, datatype, dest, tag, comm, &request);
  return complete(code, request, MPI_STATUS_IGNORE);
}

RONDO_API int MPI_Recv(void *buf, int count, MPI_Datatype datatype, int source, int tag, MPI_Comm comm,
                       MPI_Status *status) {
  static constinit const Next next{"MPI_Recv", PMPI_Recv};
  if (!any_running()) {
    const Blocked blocked;
    return next(buf, count, datatype, source, tag, comm, status);
  }
  MPI_Request request = MPI_REQUEST_NULL;
  const int code = rondo::internal::pmpi::next_irecv(buf, count, datatype, source, tag, comm, &request);
  return complete(code, request, status);
}

RONDO_API int MPI_Sendrecv(const void *sendbuf, int sendcount, MPI_Datatype sendtype, int dest, int sendtag,
                           void *recvbuf, int recvcount, MPI_Datatype recvtype, int source, int recvtag, MPI_Comm comm,
                           MPI_Status *status) {
  static constinit const Next next{"MPI_Sendrecv", PMPI_Sendrecv};
  if (!any_running()) {
    const Blocked blocked;
    return next(sendbuf, sendcount, sendtype, dest, sendtag, recvbuf, recvcount, recvtype, source, recvtag, comm,
                status);
  }
  // Both are made before either is started: a bad argument of the one leaves nothing of the other under way.
  std::array<MPI_Request, 2> requests{};
  const int receive_code =
      rondo::internal::pmpi::next_recv_init(recvbuf, recvcount, recvtype, source, recvtag, comm, requests.data());
  if (receive_code != MPI_SUCCESS) return receive_code;
  const int send_code =
      rondo::internal::pmpi::next_send_init(sendbuf, sendcount, sendtype, dest, sendtag, comm, &requests[1]);
  if (send_code == MPI_SUCCESS) return rondo::internal::pmpi::exchange(requests, status);
  rondo::internal::pmpi::next_free(requests.data());
  return send_code;
}

RONDO_API int MPI_Probe(int source, int tag, MPI_Comm comm, MPI_Status *status) {
  static constinit const Next next{"MPI_Probe", PMPI_Probe};
  static constinit const Next next_iprobe{"MPI_Iprobe", PMPI_Iprobe};
  if (!any_running()) {
    const Blocked blocked;
    return next(source, tag, comm, status);
  }
  return poll_until([&](int *found) { return next_iprobe(source, tag, comm, found, status); });
}

RONDO_API int MPI_Mprobe(int source, int tag, MPI_Comm comm, MPI_Message *message, MPI_Status *status) {
  static constinit const Next next{"MPI_Mprobe", PMPI_Mprobe};
  static constinit const Next next_improbe{"MPI_Improbe", PMPI_Improbe};
  if (!any_running()) {
    const Blocked blocked;
    return next(source, tag, comm, message, status);
  }
  return poll_until([&](int *found) { return next_improbe(source, tag, comm, found, message, status); });
}
