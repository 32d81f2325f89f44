#pragma once

#include <mpi.h>

#include <optional>

#include "api/request_table.hpp"
#include "exchange/error.hpp"

namespace rondo::internal {

// Makes the plan of an exchange whose counts come with each start: types -> choice -> Route -> links -> VaryingPlan.
// Collective over comm: throws on all ranks or on none (but for a communicator that is itself bad). `refusal` is this
// rank's fault that was found before, if there is one.
OwnedRequest init_varying(MPI_Datatype send, MPI_Datatype receive, MPI_Comm comm, MPI_Info info,
                          std::optional<Error> refusal);

}  // namespace rondo::internal
