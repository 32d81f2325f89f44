#pragma once

#include <mpi.h>

#include <string>

#include "wire/channel.hpp"
#include "wire/side.hpp"

namespace rondo::internal {

// How the MPI library's own call is made. The persistent call is MPI-4's, or MPIX_ where a library has it under that
// name. Every MPI-3 library has the non-blocking one, so there is no need to fall back to the blocking.
enum class NativeKind { persistent, nonblocking };

// Which call the caller has made: names the plan, and says which of the MPI library's calls does the same.
enum class Collective { alltoallv, alltoallw, neighbor_alltoallv, neighbor_alltoallw, allgatherv };

// Its name in messages.
const char *name_of(Collective collective);

bool has_persistent_calls();

// The MPI library's own call as something that can be started again and again. It runs on Rondo's duplicate, so it
// does not meet the program's collectives; a non-blocking one on a duplicate of its own, because there the order of
// calls counts, and plans may be started in any order. So does one in place on Open MPI, whose ranks miscount it.
class NativeCall {
 public:
  // Local. Throws Error (algorithm) when a count or displacement does not fit the library's call.
  NativeCall(NativeKind kind, const Channel &channel, Collective collective, const Side &send, const Side &receive,
             bool in_place);
  ~NativeCall();
  NativeCall(const NativeCall &) = delete;
  NativeCall &operator=(const NativeCall &) = delete;

  // Collective; takes no memory of Rondo's.
  void open();
  void start();
  // True from a start until complete() or wait() has seen that the exchange is complete.
  [[nodiscard]] bool under_way() const { return under_way_; }
  // Looks whether it is complete.
  bool complete();
  void wait();
  // For a call that has failed, as a collective cannot be cancelled: waits for a short while, and says whether nothing
  // of it is under way then.
  bool ends_in_time();
  // Other buffers from the next start on; makes the request anew where it is persistent. Collective.
  void rebind(void *send, void *receive);

 private:
  // A side as the library's call takes it.
  struct Given {
    Given(const Side &side, Collective collective);
    void put(const Part &part);
    void *buffer;
    std::vector<HeldType> held;
    std::vector<int> counts;
    std::vector<int> displacements;   // or
    std::vector<MPI_Aint> addresses;  // as neighbor_alltoallw takes them: from MPI_BOTTOM, too
    std::vector<MPI_Datatype> types;  // one, or for alltoallw one for each entry
  };

  void clear_place() const;
  [[nodiscard]] MPI_Request make_persistent() const;
  // Calls the library with both sides, the communicator and the rest.
  template <class Call, class... Rest>
  int with_one_type(Call call, Rest... rest) const;
  template <class Call, class... Rest>
  int with_one_send(Call call, Rest... rest) const;
  template <class Call, class... Rest>
  int with_each_type(Call call, Rest... rest) const;
  template <class Call, class... Rest>
  int with_each_type_and_address(Call call, Rest... rest) const;
  void start_nonblocking(MPI_Request *request) const;

  Collective collective_;
  NativeKind kind_;
  Channel channel_;
  std::shared_ptr<Duplicate> duplicate_;  // that the call is made on
  Given send_;
  Given receive_;
  MPI_Request request_ = MPI_REQUEST_NULL;  // until the first start where the call is not persistent
  bool under_way_ = false;
};

}  // namespace rondo::internal
