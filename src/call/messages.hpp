#pragma once

// What one call moves, as this rank's arguments say it.

#include <mpi.h>

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "call/arguments.hpp"
#include "wire/datatype.hpp"
#include "wire/held_type.hpp"
#include "wire/neighbors.hpp"
#include "wire/packing.hpp"
#include "wire/type_runs.hpp"

namespace rondo::internal::call {

// What blocks are made of. Where they lie in memory of a GPU, they are taken for data with gaps whose runs are not
// known.
struct Element {
  MPI_Datatype type;
  DatatypeShape shape;
  std::span<const Extent> runs{};  // of one with gaps, which Messages::runs has; empty where they are not known
};

// One block that is not empty. A neighbour that is named twice has two. A call of many ranks has many, written anew
// where its arguments are new: what they have in common is not in them.
struct Message {
  int peer;
  bool by_runs;            // a link copies the runs one by one from or to where they lie, and nothing is packed
  const Element *element;  // of Messages
  std::int64_t count;
  std::int64_t offset;  // of the first element, from the buffer
  std::int64_t bytes;   // of data

  // Where MPI expects the first element.
  [[nodiscard]] std::byte *address(void *buffer) const { return static_cast<std::byte *>(buffer) + offset; }
  // The first byte, of data without gaps.
  [[nodiscard]] std::byte *data(void *buffer) const { return address(buffer) + element->shape.true_lower_bound; }
  [[nodiscard]] TypedElements elements(void *buffer) const {
    return {address(buffer), count, element->type, element->shape, element->runs};
  }
};

// The ranks between which a call exchanges: all of the communicator, or neighbours.
struct Peers {
  int rank;
  int ranks;
  const Neighbors *neighbors;  // null for all ranks

  [[nodiscard]] int destinations() const;  // how many entries the arrays of the send side have
  [[nodiscard]] int sources() const;
};

// What a plain call (MessageReader) has elements of: a type on either side, which means the same until types are freed.
struct PlainTypes {
  MPI_Datatype sent;
  MPI_Datatype received;
  std::uint64_t types_freed;

  bool operator==(const PlainTypes &) const = default;
};

// The messages to a rank stand in the order in which that rank has those from this one. The k-th of own_sends goes to
// the k-th of own_receives.
struct Messages {
  Messages() = default;
  Messages(Messages &&) = default;
  Messages(const Messages &) = delete;
  Messages &operator=(const Messages &) = delete;

  int rank = 0;
  std::vector<Message> sends{};
  std::vector<Message> receives{};
  std::vector<Message> own_sends{};
  std::vector<Message> own_receives{};
  std::vector<Element> sent_elements{};  // that messages refer to: room is made for all before the first stands there
  std::vector<Element> received_elements{};
  // Of receives that have gaps: another thread may free the program's own while a call waits.
  std::vector<HeldType> held{};
  std::vector<TypeRuns> runs{};       // that elements refer to
  std::optional<PlainTypes> plain{};  // if they are those of a plain call
  bool in_place = false;              // what is sent lies in the receive buffer
  bool for_all = false;               // one block goes to all
  bool repeated = false;              // there may be several to a rank, or from it
  bool lies_ready = true;             // nothing has gaps or is overwritten, so that a link needs nothing packed
  std::int64_t longest = 0;           // bytes of the longest message
  std::int64_t sent_bytes = 0;
  std::size_t most_pieces = 0;  // of all that a link may not take at once, each with its length
  std::size_t walks = 0;        // of receives by runs
  // Between the first and the last byte, from the buffers.
  Extent sent{};
  Extent received{};

  // Whether what is received comes where what is sent lies, which has to be packed first then.
  [[nodiscard]] bool overwritten() const { return in_place && !for_all; }
  // Whether runs may be sent from where they lie. The one block of an all-gather is packed once for all.
  [[nodiscard]] bool may_send_runs() const { return !overwritten() && !for_all; }
  [[nodiscard]] std::size_t memory() const;  // bytes, about

  // Become those of another call, whose blocks are still to be read.
  void belong_to(const CallArguments &arguments, const Peers &peers) {
    rank = peers.rank;
    in_place = arguments.in_place();
    for_all = arguments.gathers;
    repeated = peers.neighbors != nullptr && peers.neighbors->repeated;
  }
  // Likewise, without any blocks, elements and types. What memory there is stays.
  void start_anew(const CallArguments &arguments, const Peers &peers);
  // Finds what follows from the messages: `lies_ready` to `walks`.
  void sum_up();
  // The same, of messages without gaps that are not in place: their reader knows how many bytes are sent, and those of
  // the longest message.
  void sum_up_plain(std::int64_t bytes_sent, std::int64_t longest_message) {
    lies_ready = true;
    longest = longest_message;
    sent_bytes = bytes_sent;
    most_pieces = 2 * sends.size();
    walks = 0;
  }
};

// Throws Error (overlap) where a call would overwrite what it sends, as far as the data has no gaps. Local.
void check_apart(const Messages &messages, void *send, void *receive);

}  // namespace rondo::internal::call
