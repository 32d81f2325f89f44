#include "cli/command_line.hpp"

int main(int argc, char **argv) {
  return rondo::cli::run_command(argc, argv);
}
