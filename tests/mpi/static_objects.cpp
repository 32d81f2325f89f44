// Objects of static life: MPI_Finalize is called by a destructor that runs after main(), as C++ programs have it that
// keep their environment in one, and plans and hints are freed before and after it. Not a GoogleTest program, as what
// comes after main() is what it is about.

#include <mpi.h>

#include <cstdio>
#include <rondo/rondo.hpp>
#include <vector>

namespace {

class Environment {
 public:
  Environment() {
    int level = 0;
    MPI_Init_thread(nullptr, nullptr, MPI_THREAD_MULTIPLE, &level);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank_);
  }
  ~Environment() {
    MPI_Finalize();
    std::printf("rank %d: finalized\n", rank_);
  }
  Environment(const Environment &) = delete;
  Environment &operator=(const Environment &) = delete;

 private:
  int rank_ = 0;
};

class LastWord {
 public:
  ~LastWord() { std::puts("all is destroyed"); }
};

// Destroyed from the last to the first, all after what main() has made the library make.
const LastWord last_word;
std::vector<int> sent;
std::vector<int> received;
std::vector<rondo::Request> freed_after_finalize;
rondo::Hints hints_freed_after_finalize;
const Environment environment;
std::vector<rondo::Request> freed_before_finalize;

rondo::Request plan(const char *algorithm, const char *progress) {
  const rondo::Hints hints{{"rondo_algorithm", algorithm}, {"rondo_progress", progress}};
  return rondo::alltoall_init<int, int>(sent, received, MPI_COMM_WORLD, hints);
}

}  // namespace

int main() {
  int ranks = 0;
  MPI_Comm_size(MPI_COMM_WORLD, &ranks);
  sent.resize(static_cast<std::size_t>(ranks) * 20000);
  received.resize(sent.size());
  hints_freed_after_finalize.set("rondo_algorithm", "linear");
  for (const char *algorithm : {"spread_out", "tuna", "native"}) {
    for (const char *progress : {"caller", "thread"}) {
      for (auto *plans : {&freed_before_finalize, &freed_after_finalize}) {
        plans->push_back(plan(algorithm, progress));
        plans->back().run();
      }
    }
  }
  freed_before_finalize.front().start();  // its destructor completes it
  std::puts("main ends");
}
