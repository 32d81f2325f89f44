#pragma once

// Pass-through: calls that are not taken over, and may wait for other ranks, go on to the next definition (another
// tool's, or the MPI library's), and what runs is kept moving meanwhile.

#include "pmpi/pass/blocked.hpp"
#include "pmpi/pass/both_names.hpp"
#include "pmpi/pass/next_definition.hpp"
#include "rondo/rondo.h"

#define PASS_THROUGH(function, parameters, arguments)                                        \
  ALSO_AS_PMPI(function, parameters, arguments)                                              \
  RONDO_API int function parameters {                                                        \
    static constinit const rondo::internal::pmpi::Next next{#function, &library_##function}; \
    const rondo::internal::pmpi::Blocked blocked;                                            \
    return next arguments;                                                                   \
  }
