#pragma once

#include <mpi.h>

#include <functional>

#include "api/request_table.hpp"
#include "wire/native.hpp"
#include "wire/side.hpp"

namespace rondo::internal {

// Where the MPI library's own call gives wrong results or fails, so that `native` is refused.
enum class NativeFault {
  none,
  types_in_place,
  repeated_neighbors,
  long_own_block,
  neighbors_uneven,
  backward_elements,
  pieces_differ,
  some_empty_in_place
};

// The arguments of one call, copied. With in_place, the send side is empty and the data of the receive side is sent;
// where blocks are segments, the send side is what lies in the receive buffer, and the receive side is without it.
struct Arguments {
  const Kind *kind = &all_to_all;
  Collective collective = Collective::alltoallv;
  Side send{};
  Side receive{};
  bool in_place = false;
  NativeFault native_fault = NativeFault::none;  // of this rank's arguments
  // Bytes of the pieces in which the library's own call would pass blocks on, which must be the same on all ranks; 0:
  // it passes them on whole.
  std::int64_t native_piece = 0;

  // In place: whether what arrives is written where what is sent lies.
  [[nodiscard]] bool overwrites_sent() const { return in_place && kind->blocks == Numbered::by_destination; }
};

// One call of the C interface. `read` reads its arguments; it may throw, and its Channel tells ranks and groups. The
// function is made of a reference to what reads (std::cref): a copy of that would take memory, of which a rank may have
// none, before there is a communicator to agree on it.
struct Call {
  std::function<Arguments(const Channel &)> read;
  bool takes_two_groups = false;  // an intercommunicator
};

// Throws Error (comm) for a communicator on which nothing can be planned: the one fault that ranks cannot agree on,
// since there is nothing to agree over. Local.
void check_communicator(MPI_Comm comm, bool takes_two_groups = false);

// While one lives, plans that this thread makes send all their MPI messages at their start: for programs of which a
// rank may then be in a call of the MPI library's where nothing of ours can call MPI. Those algorithms alone are
// chosen; another one is refused (algorithm). Ranks need not agree: what one asks for holds for all.
class SendsAtStartOnly {
 public:
  explicit SendsAtStartOnly(bool asked = true);
  ~SendsAtStartOnly();
  SendsAtStartOnly(const SendsAtStartOnly &) = delete;
  SendsAtStartOnly &operator=(const SendsAtStartOnly &) = delete;

  static bool asked();

 private:
  const bool before_;
};

// Makes the plan of one call: arguments -> Exchange -> Route -> Sizes -> Schedule -> Plan. Collective over
// comm: throws on all ranks or on none (but for a communicator that is itself bad).
OwnedRequest init(const Call &call, MPI_Comm comm, MPI_Info info);

// The same on a channel, of what `read` gives, which may throw. Collective, as init.
struct Inputs;
OwnedRequest plan_on(const Channel &channel, const std::function<Inputs()> &read);

}  // namespace rondo::internal
