#pragma once

#include <rondo/rondo.hpp>
#include <string>
#include <vector>

#include "cli/operation.hpp"
#include "cli/problem.hpp"
#include "exchange/exchange.hpp"
#include "schedule/run.hpp"

namespace rondo::internal::cli {

// An exchange as the arguments of MPI_Alltoallv, in bytes.
struct Arguments {
  std::vector<int> send_counts;
  std::vector<int> send_displacements;
  std::vector<int> receive_counts;
  std::vector<int> receive_displacements;
};

// Throws UsageError, on all ranks or none, when the problem's displacements might not fit in an int.
void check_ints(const Problem &problem);

// The arguments of a problem whose displacements fit in an int.
Arguments arguments_of(const Exchange &exchange);

// What a plan is to be made with besides its problem.
struct PlanWishes {
  bool plan_buffers = false;     // in buffers that the plan allocates
  bool progress_thread = false;  // rondo_progress=thread
  bool measured = false;         // rondo_tune=measure
  double tune_budget = 0;        // rondo_tune_budget; 0: not said
  std::string profile = {};      // rondo_profile; empty: not said
};

// A plan of Rondo's, made through the public interface with the problem's algorithm and parameters as hints.
class RondoPlan {
 public:
  // Collective. When init fails, code() and message() say how, on all ranks.
  RondoPlan(const Operation &operation, const Problem &problem, Spaces spaces, const PlanWishes &wishes = {});
  ~RondoPlan();
  RondoPlan(const RondoPlan &) = delete;
  RondoPlan &operator=(const RondoPlan &) = delete;

  [[nodiscard]] std::byte *send_buffer() const;
  [[nodiscard]] std::byte *receive_buffer() const;

  // One exchange, from start to wait; the code of the first that fails.
  int run();
  int start() { return RONDO_Start(&request_); }
  int wait() { return RONDO_Wait(&request_, MPI_STATUS_IGNORE); }

  [[nodiscard]] int code() const { return code_; }
  [[nodiscard]] const std::string &message() const { return message_; }
  [[nodiscard]] RONDO_Report report() const;
  RONDO_Request &request() { return request_; }

 private:
  RONDO_Request request_ = RONDO_REQUEST_NULL;
  int code_ = MPI_SUCCESS;
  std::string message_;
};

// The problem's wishes as hints, and these.
rondo::Hints hints_of(const Problem &problem, const PlanWishes &wishes = {});

// What RONDO_Error_string says of the code.
std::string error_text(int code);

}  // namespace rondo::internal::cli
