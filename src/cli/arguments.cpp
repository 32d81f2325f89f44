#include "cli/arguments.hpp"

#include <fmt/format.h>

#include <limits>

#include "cli/usage_error.hpp"
#include "plans/parameter_words.hpp"

namespace rondo::internal::cli {

namespace {

void split(const std::vector<Extent> &extents, std::vector<int> &counts, std::vector<int> &displacements) {
  for (const Extent &extent : extents) {
    counts.push_back(static_cast<int>(extent.length));
    displacements.push_back(static_cast<int>(extent.offset));
  }
}

}  // namespace

rondo::Hints hints_of(const Problem &problem, const PlanWishes &wishes) {
  rondo::Hints hints;
  if (!problem.algorithm.empty()) hints.set("rondo_algorithm", problem.algorithm);
  for (const ParameterWord &word : parameter_words()) {
    const std::string value = word.write(problem.parameters);
    if (!value.empty()) hints.set(fmt::format("rondo_{}", word.name), value);
  }
  if (!problem.wire.empty()) hints.set("rondo_wire", problem.wire);
  if (wishes.progress_thread) hints.set("rondo_progress", "thread");
  if (wishes.measured) hints.set("rondo_tune", "measure");
  if (wishes.tune_budget > 0) hints.set("rondo_tune_budget", fmt::format("{}", wishes.tune_budget));
  if (!wishes.profile.empty()) hints.set("rondo_profile", wishes.profile);
  if (problem.node != 0) hints.set("rondo_node_size", std::to_string(problem.node));
  return hints;
}

void check_ints(const Problem &problem) {
  const double most = static_cast<double>(problem.ranks) * static_cast<double>(problem.largest + problem.gap);
  if (most <= std::numeric_limits<int>::max()) return;
  throw UsageError(
      fmt::format("p x (max + gap), {:.0f} bytes, does not fit in MPI_Alltoallv's int "
                  "displacements: {}",
                  most, to_string(problem)));
}

Arguments arguments_of(const Exchange &exchange) {
  Arguments arguments;
  split(exchange.send, arguments.send_counts, arguments.send_displacements);
  split(exchange.receive, arguments.receive_counts, arguments.receive_displacements);
  return arguments;
}

std::string error_text(int code) {
  char text[RONDO_MAX_ERROR_STRING] = {};
  int length = 0;
  RONDO_Error_string(code, text, &length);
  return text;
}

RondoPlan::RondoPlan(const Operation &operation, const Problem &problem, Spaces spaces, const PlanWishes &wishes) {
  if (wishes.plan_buffers) {
    spaces.send = static_cast<const std::byte *>(RONDO_PLAN_BUFFER);
    spaces.receive = static_cast<std::byte *>(RONDO_PLAN_BUFFER);
  }
  code_ = operation.plan(spaces, hints_of(problem, wishes).info(), &request_);
  if (code_ != MPI_SUCCESS) message_ = error_text(code_);
}

RondoPlan::~RondoPlan() {
  if (request_ != RONDO_REQUEST_NULL) RONDO_Request_free(&request_);
}

std::byte *RondoPlan::send_buffer() const {
  void *buffer = nullptr;
  RONDO_Request_buffers(request_, &buffer, nullptr);
  return static_cast<std::byte *>(buffer);
}

std::byte *RondoPlan::receive_buffer() const {
  void *buffer = nullptr;
  RONDO_Request_buffers(request_, nullptr, &buffer);
  return static_cast<std::byte *>(buffer);
}

int RondoPlan::run() {
  const int started = start();
  return started != MPI_SUCCESS ? started : wait();
}

RONDO_Report RondoPlan::report() const {
  RONDO_Report report{};
  RONDO_Request_report(request_, &report, sizeof(report));
  return report;
}

}  // namespace rondo::internal::cli
