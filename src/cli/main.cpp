#include <cstdio>

#include "cli/command_line.hpp"

int main(int argc, char **argv) {
  std::setvbuf(stdout, nullptr, _IOLBF, BUFSIZ);  // through a pipe, too, a line is there when it has been written
  return rondo::internal::cli::run_command(argc, argv);
}
