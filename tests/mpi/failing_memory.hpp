// Memory that runs out when a test says so: operator new of the whole program, and the calls by which shared memory is
// made. MPI has memory of its own (malloc), which never fails here. failing_memory.cpp goes into the program.
#pragma once

namespace rondo::failing_memory {

constexpr long never = -1;

// One allocation that fails, or all from there on.
enum class Lasting : bool { no, yes };

extern long live;         // allocations that have not been freed
extern long mpi_objects;  // datatypes, requests and communicators that have been made and not been freed
extern long refused;      // allocations that have failed in the last shortage

// While one lives, allocations fail on this rank after so many more.
class Shortage {
 public:
  Shortage(long succeeding, Lasting how);
  ~Shortage();
  Shortage(const Shortage &) = delete;
  Shortage &operator=(const Shortage &) = delete;
};

// Likewise for memory to share, if it is to fail here.
class NoSharedMemory {
 public:
  explicit NoSharedMemory(bool fails);
  ~NoSharedMemory();
  NoSharedMemory(const NoSharedMemory &) = delete;
  NoSharedMemory &operator=(const NoSharedMemory &) = delete;
};

// The ranks of a node that RONDO_NODE_SIZE pretends, which alone then share memory; 0 where nodes are as they are.
int pretended_node();

}  // namespace rondo::failing_memory
