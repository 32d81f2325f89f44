#pragma once

#include <cstdint>
#include <memory>

#include "pmpi/report/tally.hpp"
#include "pmpi/requests/operation.hpp"
#include "rondo/rondo.h"

namespace rondo::internal::pmpi {

// A plan, made by one of the init calls of the C interface.
class PlanOperation : public Operation {
 public:
  // `tally` counts starts and the time in starts and waits; it may be null.
  explicit PlanOperation(RONDO_Request plan, std::shared_ptr<Tally> tally = nullptr);
  ~PlanOperation() override;

  void start() override;
  bool test() override;
  bool look() override;
  void wait() override;

 private:
  RONDO_Request plan_;
  std::shared_ptr<Tally> tally_;
  std::int64_t bytes_ = 0;  // that this rank sends in a start
};

}  // namespace rondo::internal::pmpi
