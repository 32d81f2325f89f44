#pragma once

#include "pmpi/operation.hpp"
#include "rondo/rondo.h"

namespace rondo::pmpi {

// A plan, made by one of the init calls of the C interface.
class Planned : public Operation {
 public:
  explicit Planned(RONDO_Request plan) : plan_(plan) {}
  ~Planned() override;

  void start() override;
  bool test() override;
  void help(bool may_call_mpi) override;
  void wait() override;

 private:
  RONDO_Request plan_;
};

}  // namespace rondo::pmpi
