#pragma once

// One rank on its way through a program: everything that is its own affair is drawn from a seed of its own.

#include <mpi.h>

#include <list>
#include <memory>
#include <string>
#include <vector>

#include "tests/mpi/random_programs/planned.hpp"
#include "tests/random_programs/draw.hpp"
#include "tests/random_programs/watchdog.hpp"

namespace rondo::random_programs {

class Traveller {
 public:
  // `world`: for the program's own messages and collectives. `doing`: of its thread.
  Traveller(const Program &program, const Communicators &communicators, const Types &types, MPI_Comm world,
            Doing &doing);

  void go();

 private:
  using Plan = std::unique_ptr<Planned>;

  struct OwnMessage {
    MPI_Request request = MPI_REQUEST_NULL;
    std::vector<int> data{};
    const Message *message = nullptr;
    bool received = false;
  };

  void make_plans();
  void rebind_native();
  void reduce();
  void start_all();
  void start_some(std::vector<Planned *> &plans);
  void begin_messages();
  void wait_for_some();
  void complete(std::vector<Planned *> plans);
  void complete_one(Planned &plan);
  void complete_all_of(std::vector<Planned *> plans);
  void completed(Planned &plan);
  void complete_message(OwnMessage &message);
  void complete_messages(bool all);
  void dawdle();
  void test_one();
  void complete_driving(MPI_Request &request, MPI_Status *status);
  void free_some();
  void say(const std::string &what) const;

  [[nodiscard]] bool is_active(const Planned &plan) const;
  [[nodiscard]] bool starts_in(const Planned &plan, int phase) const;
  [[nodiscard]] std::vector<RONDO_Request> requests_of(const std::vector<Planned *> &plans) const;
  void check(int code, const char *call) const;

  const Program &program_;
  const Communicators &communicators_;
  const Types &types_;
  MPI_Comm world_;
  Doing &doing_;
  int rank_ = 0;
  Draw draw_;
  int phase_ = 0;
  std::vector<Plan> plans_;
  std::vector<Planned *> active_;
  std::list<OwnMessage> messages_;
};

}  // namespace rondo::random_programs
