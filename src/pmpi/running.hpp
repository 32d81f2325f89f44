#pragma once

// What has been started and has not been told to be complete. MPI asks that a process that waits for one operation
// keeps its others moving, so whoever waits drives all that runs.

namespace rondo::internal::pmpi {

class Running {
 public:
  Running() = default;
  virtual ~Running() = default;
  Running(const Running &) = delete;
  Running &operator=(const Running &) = delete;

 protected:
  // From start to the moment when the program is told of the end, or has no more interest in it. Not called by
  // drive().
  void begin_running();
  void end_running();

 private:
  friend void drive_all();
  friend void help_all(bool may_call_mpi);

  // Does what can be done without waiting; nothing if another thread is at it, or if it is complete.
  virtual void drive() noexcept = 0;
  // The same from a thread of ours, while the program's is in a call of the MPI library's.
  virtual void help(bool may_call_mpi) noexcept = 0;
};

// How many run. One load.
int running_now();
inline bool any_running() {
  return running_now() != 0;
}

// Drives them, and now and then the MPI library, too. Returns at once where another thread drives them.
void drive_all();
// The same by Running::help.
void help_all(bool may_call_mpi);

}  // namespace rondo::internal::pmpi
