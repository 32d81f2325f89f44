#pragma once

#include <mpi.h>

#include <cstdint>
#include <vector>

#include "groups.hpp"
#include "script.hpp"

namespace rondo::random_programs {

// Two ints of data in four. One for the process.
MPI_Datatype gapped_pair();

// The buffers and arguments of one rank in an exchange. Every block of every act has data that can be told from any
// other, and what no block names has a mark of its own.
class Exchange {
 public:
  Exchange(const Layout &layout, const Group &group);
  ~Exchange();
  Exchange(const Exchange &) = delete;
  Exchange &operator=(const Exchange &) = delete;

  // Writes what the act sends, and marks in what it receives.
  void fill(int act);
  // How many ints, of both buffers, are not as they should be.
  [[nodiscard]] long wrong(int act);

  // Each gives the code of the call.
  int run();
  int begin(MPI_Request *request);
  int init(MPI_Info info, MPI_Request *request);

 private:
  struct Side {
    bool gaps = false;
    std::vector<int> peers;  // of each entry
    std::vector<int> counts, displs;
    std::vector<int> byte_displs;
    std::vector<MPI_Aint> long_displs;  // in bytes, too
    std::vector<int> pairs, at;         // in ints, from the first int of the buffer
    std::vector<MPI_Datatype> types;
    MPI_Datatype made = MPI_DATATYPE_NULL;  // what all of them are, where the addresses are in them
    std::vector<int> copy;                  // k for the k-th entry of the same peer
    std::vector<int> data;

    void add(int peer, int pairs, int space);
    void finish();
    void make_absolute();
    void free_types();
  };

  static constexpr int guard = 16;

  [[nodiscard]] int value(int act, int from, int to, int copy) const;
  void put(const Side &side, std::size_t entry, int first, std::vector<int> &data) const;
  void describe();
  void put_received(int act, std::vector<int> &data) const;
  [[nodiscard]] int self() const { return group_.others.empty() ? group_.rank : group_.number; }
  template <class Calls, class... Rest>
  int call(const Calls &calls, Rest... rest);

  const Layout layout_;
  const Group &group_;
  Side sent_, received_;
  std::vector<int> expected_;
  int act_ = -1;
};

}  // namespace rondo::random_programs
