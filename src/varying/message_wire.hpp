#pragma once

#include <mpi.h>

#include <cstddef>
#include <cstdint>
#include <vector>

#include "wire/wire_steps.hpp"

namespace rondo::internal {

// The messages of MPI that are under way between this rank and any other, for all links of a plan: one look at all of
// them is one call of MPI's.
class MessageWire {
 public:
  MessageWire(MPI_Comm comm, int tag, int ranks);

  // So many of a link's transfers are under way. It stays where it is until there are none.
  struct Pending {
    int count = 0;
  };
  // Both begin a transfer of bytes, in several messages where an int does not count them. The memory stays as it is
  // until it is complete.
  void send(const std::byte *data, std::int64_t bytes, int peer, Pending &pending);
  void receive(std::byte *to, std::int64_t bytes, int peer, Pending &pending);

  // Looks which have been completed.
  void look();
  [[nodiscard]] bool any() const { return !requests_.empty(); }

  // As Wire's: cancels receives, and counts what is still under way.
  Unfinished withdraw();

 private:
  struct Owner {
    Pending *pending;
    bool sends;
  };
  template <class Begin>
  void begin(std::int64_t bytes, Owner owner, Begin &&begin);

  MPI_Comm comm_;
  int tag_;
  std::vector<MPI_Request> requests_;
  std::vector<Owner> owners_;  // of each request
  std::vector<int> completed_;
};

}  // namespace rondo::internal
