#pragma once

#include <optional>

#include "exchange/error.hpp"
#include "pmpi/operation.hpp"
#include "rondo/rondo.h"

namespace rondo::internal::pmpi {

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
  void throw_stored_fault();

  RONDO_Request plan_;
  std::optional<Error> fault_{};  // met in help
};

}  // namespace rondo::internal::pmpi
