#pragma once

#include <mpi.h>

#include <functional>
#include <memory>

#include "api/request.hpp"
#include "wire/side.hpp"

namespace rondo {

// The arguments of one alltoallv, copied. With in_place, the send side is empty and the data of the receive side
// is sent.
struct Arguments {
  Side send;
  Side receive;
  bool in_place = false;
};

// Throws Error (comm) for a communicator on which nothing can be planned: the one fault that ranks cannot agree on,
// since there is nothing to agree over. Local.
void check_communicator(MPI_Comm comm);

// Makes the plan of one alltoallv: arguments -> Exchange -> Route -> Sizes -> Schedule -> Plan. Collective over
// comm: throws on all ranks or on none (but for a communicator that is itself bad). read_arguments is called with
// the number of ranks and may throw.
std::unique_ptr<RONDO_Request_object> init(const std::function<Arguments(int ranks)> &read_arguments, MPI_Comm comm,
                                           MPI_Info info);

}  // namespace rondo
