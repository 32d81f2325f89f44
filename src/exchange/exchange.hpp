#pragma once

// What must move, as one rank knows it, in bytes.
//
// The send space and the receive space are two byte ranges. Where the datatypes of the call are dense they are
// the user's buffers; where they are not, they are packed images of them (wire/image.hpp). send[d] is the block
// (rank, d) in the send space, receive[s] the block (s, rank) in the receive space. An extent of length 0 names
// nothing, wherever it points.
//
// Where the kind of the exchange has segments for blocks (kind.hpp), send holds one extent, what this rank has for all
// that receive from it, and receive[s] is all that it receives from s. Blocks are segments of these (cut.hpp).
//
// An exchange is also the postcondition: when it is done, receive[s] of rank d holds what send[d] of rank s
// held, send spaces are as they were, and no byte of a receive space that no extent names has been touched.

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "exchange/block.hpp"
#include "exchange/cut.hpp"
#include "exchange/kind.hpp"

namespace rondo::internal {

struct Extent {
  std::int64_t offset = 0;  // bytes from the start of the space; negative where a datatype's lower bound is
  std::int64_t length = 0;  // bytes

  [[nodiscard]] std::int64_t end() const { return offset + length; }
  friend bool operator==(const Extent &, const Extent &) = default;
};

struct Exchange {
  int rank = 0;
  std::vector<Extent> send;     // by destination; one, where blocks are segments
  std::vector<Extent> receive;  // by source
  const Kind *kind = &all_to_all;
  std::shared_ptr<const Cut> cut{};  // the same on all ranks; null where blocks are no segments, or not cut yet

  [[nodiscard]] int ranks() const { return static_cast<int>(receive.size()); }
  // What this rank has for one that receives from it, in the send space.
  [[nodiscard]] const Extent &send_to(int peer) const { return send[kind->send_entry(peer)]; }
  // How many parts this rank's data has; its own blocks are numbered by them.
  [[nodiscard]] int own_parts() const;
  // Where one of this rank's own blocks lies in the send space.
  [[nodiscard]] Extent sent(const Block &block) const;
  // Where a block that ends here lies in the receive space.
  [[nodiscard]] Extent received(const Block &block) const;
  [[nodiscard]] bool ends_here(const Block &block) const;
  // Bytes of a block, as far as this rank knows by itself; else 0.
  [[nodiscard]] std::int64_t known_size(const Block &block) const;
  // What this rank has for itself, in the send space; it goes to receive[rank].
  [[nodiscard]] Extent for_itself() const;
};

// Bytes of the block that is received from a rank, or sent to it.
struct NamedExtent {
  Extent extent;
  int peer = 0;
  // Of a run of the block that a rank has for itself: where its first byte would lie if all of it lay in a row with the
  // run. Of what is sent and what is received, runs with the same origin hold the same bytes.
  std::optional<std::int64_t> origin{};
};

// Throws Error (overlap), with the two ranks and the first shared byte, when two of the extents share bytes.
void check_overlap(std::vector<NamedExtent> extents);
// Throws Error (overlap) likewise when an extent that is sent shares bytes with one that is received, unless they have
// the same origin. No two of the received extents share bytes. All offsets count from the receive buffer.
void check_apart(const std::vector<NamedExtent> &sent, std::vector<NamedExtent> received);
void check_overlap(const Exchange &exchange);

// Throws Error (mismatch), found by the receiver, when the two ends of a message do not have the same size in bytes.
void check_sizes_meet(int sender, std::int64_t sent, int receiver, std::int64_t expected);

// a + b and a * b in 64 bits; throws Error (count) that names both values and `what` when the result overflows.
[[noreturn]] void refuse_overflow(std::int64_t a, char operation, std::int64_t b, const char *what);
inline std::int64_t checked_add(std::int64_t a, std::int64_t b, const char *what) {
  std::int64_t result = 0;
  if (__builtin_add_overflow(a, b, &result)) [[unlikely]]
    refuse_overflow(a, '+', b, what);
  return result;
}
inline std::int64_t checked_multiply(std::int64_t a, std::int64_t b, const char *what) {
  std::int64_t result = 0;
  if (__builtin_mul_overflow(a, b, &result)) [[unlikely]]
    refuse_overflow(a, '*', b, what);
  return result;
}

// One line an extent, for people.
std::string to_string(const Exchange &exchange);

}  // namespace rondo::internal
