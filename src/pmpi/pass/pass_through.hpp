#pragma once

// Pass-through: calls that are not taken over, and may wait for other ranks, go on to the next definition (another
// tool's, or the MPI library's), and what runs is kept moving meanwhile.

#include "pmpi/calls/ending.hpp"
#include "pmpi/calls/meetings.hpp"
#include "pmpi/pass/blocked.hpp"
#include "pmpi/pass/both_names.hpp"
#include "pmpi/pass/next_definition.hpp"
#include "pmpi/settings/world.hpp"
#include "rondo/rondo.h"

// `before` and `after` may be empty; `after` knows the code that the next definition has given.
#define PASS_THROUGH_WITH(before, after, function, parameters, arguments)                    \
  ALSO_AS_PMPI(function, parameters, arguments)                                              \
  RONDO_API int function parameters {                                                        \
    static constinit const rondo::internal::pmpi::Next next{#function, &library_##function}; \
    before;                                                                                  \
    const rondo::internal::pmpi::Blocked blocked;                                            \
    const int code = next arguments;                                                         \
    after;                                                                                   \
    return code;                                                                             \
  }

#define PASS_THROUGH(function, parameters, arguments) PASS_THROUGH_WITH(, , function, parameters, arguments)

#define MEET_WHERE_WANTED \
  if (const int fault = rondo::internal::pmpi::meet_where_wanted(comm); fault != MPI_SUCCESS) return fault

// Collective calls on `comm`.
#define PASS_THROUGH_COLLECTIVE(function, parameters, arguments) \
  PASS_THROUGH_WITH(MEET_WHERE_WANTED, , function, parameters, arguments)

// Those that make a communicator: `made` is the argument for it.
#define PASS_THROUGH_MAKING(function, made, parameters, arguments) \
  PASS_THROUGH_WITH(, rondo::internal::pmpi::note_made(code, made), function, parameters, arguments)
#define PASS_THROUGH_COLLECTIVE_MAKING(function, made, parameters, arguments) \
  PASS_THROUGH_WITH(MEET_WHERE_WANTED, rondo::internal::pmpi::note_made(code, made), function, parameters, arguments)
// That which begins a session.
#define PASS_THROUGH_BEGINNING(function, parameters, arguments) \
  PASS_THROUGH_WITH(rondo::internal::pmpi::note_session(), , function, parameters, arguments)
// Those that make one with a topology.
#define PASS_THROUGH_TOPOLOGY(function, made, parameters, arguments)                                                  \
  PASS_THROUGH_WITH(,                                                                                                 \
                    (rondo::internal::pmpi::note_made(code, made), rondo::internal::pmpi::note_topology(code, made)), \
                    function, parameters, arguments)
