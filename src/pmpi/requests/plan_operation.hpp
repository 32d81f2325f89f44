#pragma once

#include "pmpi/requests/operation.hpp"
#include "rondo/rondo.h"

namespace rondo::internal::pmpi {

// A plan, made by one of the init calls of the C interface.
class PlanOperation : public Operation {
 public:
  explicit PlanOperation(RONDO_Request plan) : plan_(plan) {}
  ~PlanOperation() override;

  void start() override;
  bool test() override;
  bool look() override;
  void wait() override;

 private:
  RONDO_Request plan_;
};

}  // namespace rondo::internal::pmpi
