#pragma once

// The calls of an exchange that do not wait, and are under way: MPI_Ialltoallv and its like. A program may have started
// several, and complete them in any order; their blocks go by the same links, one call after the other, as all ranks
// have started them in one order. Who waits for one of them, or for anything else of this process, moves all
// (plan/progress.hpp).

#include <cstddef>
#include <cstdint>
#include <vector>

#include "exchange/error.hpp"
#include "plan/progress.hpp"

namespace rondo::internal::call {

class PairCall;
class PairExchange;

class StartedCalls : private Driven {
 public:
  // Throws std::bad_alloc.
  explicit StartedCalls(PairExchange &exchange) : Driven(true), exchange_(exchange) {}
  ~StartedCalls() override = default;
  StartedCalls(const StartedCalls &) = delete;
  StartedCalls &operator=(const StartedCalls &) = delete;

  // Counts a call, also one that is not started as its arguments are bad, and gives its number. To be called by each
  // rank in the order of the calls.
  std::uint64_t count() { return ++count_; }
  // This rank has failed in the call of that number before it has sent anything: tells the others, if nothing that has
  // to go before is left. Where it is, the others find out when a later call's blocks come.
  void tell_failure(std::uint64_t number);

  void start(PairCall &call);
  // Moves what can be moved of all calls without waiting. Whether all of this one is done that goes by links. Throws
  // Error if it has failed.
  bool move(PairCall &call);
  // Drives what else runs in this process.
  void drive_the_rest() const {
    if (others_run()) drive_others();
  }
  // Fails the calls that wait for a rank which has failed in one and brings nothing more.
  void check_peers();
  // The call is nothing to the links any more.
  void strike_out(PairCall &call);

 private:
  bool advance() override;
  bool advance_beside_mpi() override { return advance(); }
  [[nodiscard]] std::size_t position() const override { return static_cast<std::size_t>(moves_); }

  [[nodiscard]] bool all_sent() const;
  void move_all();
  void find_lost();
  void fail_all(const PairCall &failed, const Error &fault);
  void end_done();

  PairExchange &exchange_;
  std::uint64_t count_ = 0;
  std::uint64_t moves_ = 0;        // that calls have ended in
  std::uint64_t looks_ = 0;        // at calls that are waited for
  std::vector<PairCall *> calls_;  // the oldest first
};

}  // namespace rondo::internal::call
