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
  // Does what can be done without waiting; true once it is complete.
  virtual bool test() = 0;
  // The same, of which the program is not told, from a thread of ours, which may call MPI or not. Throws nothing: the
  // next test or wait throws what it meets.
  virtual void help(bool may_call_mpi) = 0;
  // To the end. Called where nothing else runs that would have to be driven meanwhile.
  virtual void wait() = 0;
};

}  // namespace rondo::internal::pmpi
