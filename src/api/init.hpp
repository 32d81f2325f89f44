#pragma once

#include <mpi.h>

#include <functional>
#include <memory>

#include "api/request.hpp"
#include "wire/native.hpp"
#include "wire/side.hpp"

namespace rondo {

// The arguments of one call, copied. With in_place, the send side is empty and the data of the receive side is sent.
struct Arguments {
  Operation operation = Operation::alltoallv;
  Side send{};
  Side receive{};
  bool in_place = false;
  const char *native_fault = nullptr;  // see Case; the same on all ranks
};

// Throws Error (comm) for a communicator on which nothing can be planned: the one fault that ranks cannot agree on,
// since there is nothing to agree over. Local.
void check_communicator(MPI_Comm comm);

// Makes the plan of one call: arguments -> Exchange -> Route -> Sizes -> Schedule -> Plan. Collective over
// comm: throws on all ranks or on none (but for a communicator that is itself bad). read_arguments may throw.
std::unique_ptr<RONDO_Request_object> init(const std::function<Arguments()> &read_arguments, MPI_Comm comm,
                                           MPI_Info info);

}  // namespace rondo
