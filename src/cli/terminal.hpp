#pragma once

namespace rondo::internal::cli {

// Whether somebody sees at once what is written to standard error: it is a terminal, or goes through a pipe to an MPI
// launcher on this machine whose own standard error is one.
bool errors_reach_a_terminal();

}  // namespace rondo::internal::cli
