#pragma once

#include <span>
#include <string>
#include <string_view>

#include "model/choose.hpp"
#include "rondo/rondo.h"
#include "schedule/schedule.hpp"

namespace rondo::internal {

// What was planned, for this rank. init_seconds is left 0, and progress is "caller".
RONDO_Report report_of(const Choice &choice, const Schedule &schedule);
// The report of a native plan. How the MPI library sends is not known, so it tells the messages of a direct exchange:
// `bytes` has the bytes for each rank that this one sends to.
RONDO_Report report_of(const Choice &choice, int ranks, std::span<const std::int64_t> bytes);

// The report of a plan for counts that come with each start, in which each message of the route travels in so many
// messages. Bytes are not known.
RONDO_Report report_of(const Choice &choice, const Route &route, int messages_each, std::string_view wires);

// As one JSON object.
std::string to_json(const RONDO_Report &report);

// The algorithm and its parameters.
std::string algorithm_text(const RONDO_Report &report);

// The same of a choice.
std::string algorithm_text(const Choice &choice);

// The candidates with the least estimates, which come first, as a line on standard error: for rondo_report=explain.
void log_estimates(std::span<const Choice> candidates);

// One line on standard error, for rondo_report=1.
void log_report(const std::string &plan, const RONDO_Report &report);

}  // namespace rondo::internal
