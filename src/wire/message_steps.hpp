#pragma once

#include <mpi.h>

#include <span>
#include <vector>

#include "wire/made_types.hpp"
#include "wire/pieces.hpp"
#include "wire/requests.hpp"
#include "wire/wire_steps.hpp"

namespace rondo::internal {

// The wires packed and datatype: each message is a persistent request of MPI's, over bytes in a row (in place or in
// staging) or over a datatype of its slices. On Open MPI what is sent is one of MPI_Isend, at each start: a persistent
// send waits there until the receiver has taken the message, however short that is, and one of MPI_Isend is complete at
// once.
class MessageSteps : public WireSteps {
 public:
  explicit MessageSteps(const Binding &binding);

  [[nodiscard]] bool in_use() const { return !requests_.list().empty(); }
  void open(const Start &) {
    if (starts_early_) start_requests(0);
  }
  void begin(std::size_t step, const Start &) {
    if (step > 0 || !starts_early_) start_requests(step);
  }
  bool arrived(std::size_t step, const Start &, bool may_call_mpi);
  void finish(std::size_t) {}
  void name_missing(std::size_t step, const Start &start, std::set<int> &ranks) const;
  [[nodiscard]] std::uint32_t arrivals(std::size_t step) const;

  [[nodiscard]] bool begin_calls_mpi(std::size_t step) const {
    return steps_[step].requests.count > 0 && (step > 0 || !starts_early_);
  }
  [[nodiscard]] bool calls_mpi() const { return true; }
  [[nodiscard]] bool waits_in_mpi() const { return true; }
  void wait_in_mpi(std::size_t step);
  [[nodiscard]] bool must_look() const { return under_way_; }
  Unfinished withdraw(std::size_t step);

 private:
  struct StepRequests {
    Range requests;
    std::uint32_t receives = 0;  // the first ones
  };

  void bind_step(const Binding &binding, const Step &step);
  void bind_transfer(const Binding &binding, const Transfer &transfer, bool receive);
  void start_requests(std::size_t step);
  void send(std::size_t request);
  [[nodiscard]] std::span<MPI_Request> requests_of(std::size_t step);

  std::vector<StepRequests> steps_;
  OwnedRequests requests_;
  std::vector<int> peers_;              // of the requests
  std::vector<TypedMessage> messages_;  // likewise
  MPI_Comm comm_ = MPI_COMM_NULL;
  int tag_ = 0;
  MadeTypes types_;
  bool starts_early_ = false;  // the first step's sends need no copy before: they send what lies in the send space
  bool under_way_ = false;     // requests of the step that has begun
};

}  // namespace rondo::internal
