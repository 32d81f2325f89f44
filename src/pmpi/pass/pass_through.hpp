#pragma once

// Pass-through: calls that are not taken over, and may wait for other ranks, go on to the next definition (another
// tool's, or the MPI library's), and what runs is kept moving meanwhile.

#include <mpi.h>

#include <atomic>

#include "pmpi/pass/blocked.hpp"
#include "pmpi/pass/both_names.hpp"
#include "pmpi/pass/next_definition.hpp"
#include "rondo/rondo.h"

namespace rondo::internal::pmpi {

// How many communicators of this process have had calls that do not wait and for which there are no links yet. These
// are made in a collective call on such a communicator that may wait.
extern constinit std::atomic<int> links_wanted;
// In such a call: makes them, if this communicator is one. Gives the MPI error code.
int open_links_where_wanted(MPI_Comm comm);

inline bool any_links_wanted() {
  return links_wanted.load(std::memory_order_relaxed) > 0;
}

}  // namespace rondo::internal::pmpi

// Collective calls on `comm`.
#define PASS_THROUGH_COLLECTIVE(function, parameters, arguments)                             \
  ALSO_AS_PMPI(function, parameters, arguments)                                              \
  RONDO_API int function parameters {                                                        \
    static constinit const rondo::internal::pmpi::Next next{#function, &library_##function}; \
    if (rondo::internal::pmpi::any_links_wanted()) [[unlikely]] {                            \
      const int code = rondo::internal::pmpi::open_links_where_wanted(comm);                 \
      if (code != MPI_SUCCESS) return code;                                                  \
    }                                                                                        \
    const rondo::internal::pmpi::Blocked blocked;                                            \
    return next arguments;                                                                   \
  }

#define PASS_THROUGH(function, parameters, arguments)                                        \
  ALSO_AS_PMPI(function, parameters, arguments)                                              \
  RONDO_API int function parameters {                                                        \
    static constinit const rondo::internal::pmpi::Next next{#function, &library_##function}; \
    const rondo::internal::pmpi::Blocked blocked;                                            \
    return next arguments;                                                                   \
  }
