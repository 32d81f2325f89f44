#pragma once

namespace rondo::internal::pmpi {

// What an MPI request of ours stands for: an exchange that is started and completed, once or many times. Each function
// throws Error.
class Operation {
 public:
  Operation() = default;
  virtual ~Operation() = default;
  Operation(const Operation &) = delete;
  Operation &operator=(const Operation &) = delete;

  virtual void start() = 0;
  // Does what can be done without waiting, for all that has been started in this process. True once this operation is
  // complete.
  virtual bool test() = 0;
  // The same, for this operation alone.
  virtual bool look() = 0;
  // Waits until this operation is complete, and drives the others meanwhile.
  virtual void wait() = 0;
};

}  // namespace rondo::internal::pmpi
