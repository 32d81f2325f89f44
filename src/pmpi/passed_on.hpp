#pragma once

// How calls that are not taken over, and may wait for other ranks, go on to the next layer: what runs is kept moving
// meanwhile.

#include "pmpi/blocked.hpp"
#include "pmpi/both_names.hpp"
#include "pmpi/next.hpp"
#include "rondo/rondo.h"

#define PASSED_ON(function, parameters, arguments)                                           \
  ALSO_AS_PMPI(function, parameters, arguments)                                              \
  RONDO_API int function parameters {                                                        \
    static constinit const rondo::internal::pmpi::Next next{#function, &library_##function}; \
    const rondo::internal::pmpi::Blocked blocked;                                            \
    return next arguments;                                                                   \
  }
