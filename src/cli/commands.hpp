#pragma once

#include <functional>

namespace CLI {
class App;
}

namespace rondo::internal::cli {

// What the parsed command line asks for; returns the exit status.
using Action = std::function<int()>;

// Each adds one subcommand to the command line, which sets `action` when it is the one that was given.
void add_algorithms_command(CLI::App &app, Action &action);
void add_show_command(CLI::App &app, Action &action);
void add_verify_command(CLI::App &app, Action &action);
void add_bench_command(CLI::App &app, Action &action);
void add_overlap_command(CLI::App &app, Action &action);
void add_calibrate_command(CLI::App &app, Action &action);
void add_tune_command(CLI::App &app, Action &action);
void add_profile_command(CLI::App &app, Action &action);
void add_choices_command(CLI::App &app, Action &action);
void add_crossings_command(CLI::App &app, Action &action);
void add_compare_command(CLI::App &app, Action &action);
void add_run_command(CLI::App &app, Action &action);

}  // namespace rondo::internal::cli
