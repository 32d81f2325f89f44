#pragma once

// Pass-through: calls that are not taken over, and may wait for other ranks, go on to the next definition (another
// tool's, or the MPI library's), and what runs is kept moving meanwhile.

#include "pmpi/calls/meetings.hpp"
#include "pmpi/pass/blocked.hpp"
#include "pmpi/pass/both_names.hpp"
#include "pmpi/pass/next_definition.hpp"
#include "rondo/rondo.h"

// Collective calls on `comm`.
#define PASS_THROUGH_COLLECTIVE(function, parameters, arguments)                             \
  ALSO_AS_PMPI(function, parameters, arguments)                                              \
  RONDO_API int function parameters {                                                        \
    static constinit const rondo::internal::pmpi::Next next{#function, &library_##function}; \
    const int code = rondo::internal::pmpi::meet_where_wanted(comm);                         \
    if (code != MPI_SUCCESS) return code;                                                    \
    const rondo::internal::pmpi::Blocked blocked;                                            \
    return next arguments;                                                                   \
  }

// Those that make a communicator with a topology: `made` is the argument for it.
#define PASS_THROUGH_TOPOLOGY(function, made, parameters, arguments)                         \
  ALSO_AS_PMPI(function, parameters, arguments)                                              \
  RONDO_API int function parameters {                                                        \
    static constinit const rondo::internal::pmpi::Next next{#function, &library_##function}; \
    const rondo::internal::pmpi::Blocked blocked;                                            \
    return rondo::internal::pmpi::note_topology(next arguments, made);                       \
  }

#define PASS_THROUGH(function, parameters, arguments)                                        \
  ALSO_AS_PMPI(function, parameters, arguments)                                              \
  RONDO_API int function parameters {                                                        \
    static constinit const rondo::internal::pmpi::Next next{#function, &library_##function}; \
    const rondo::internal::pmpi::Blocked blocked;                                            \
    return next arguments;                                                                   \
  }
