#pragma once

namespace rondo::internal::cli {

// The whole command: reads the arguments, does what they ask, returns the exit status. 0: all is well; 1: it is
// not, and standard error or the last line says how; 2: the arguments are not understood; 130: Ctrl-C or SIGTERM came.
int run_command(int argc, const char *const *argv);

}  // namespace rondo::internal::cli
