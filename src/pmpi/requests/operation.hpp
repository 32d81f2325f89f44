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
  // Does what can be done without waiting, of all that has been started in this process; true once this is complete.
  virtual bool test() = 0;
  // The same of this alone.
  virtual bool look() = 0;
  // To the end, and drives the others meanwhile.
  virtual void wait() = 0;
};

}  // namespace rondo::internal::pmpi
