#pragma once

#include <string>

#include "exchange/exchange.hpp"
#include "model/choose.hpp"
#include "rondo/rondo.h"
#include "schedule/schedule.hpp"

namespace rondo {

// What was planned, for this rank. init_seconds is left 0, and progress is "caller".
RONDO_Report report_of(const Choice &choice, const Schedule &schedule);
// Of a native plan, whose messages are the MPI library's affair: what a direct exchange would send.
RONDO_Report report_of(const Choice &choice, const Exchange &exchange);

// As one JSON object.
std::string to_json(const RONDO_Report &report);

// One line on standard error, for rondo_report=1.
void log_report(const RONDO_Report &report);

}  // namespace rondo
