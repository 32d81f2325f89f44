#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

#include "varying/outgoing.hpp"
#include "wire/looks.hpp"

namespace rondo::internal {

// What carries the messages between this rank and one other, in order, both ways. Each message says how long it is; the
// receiver knows of it only how many words its head has, by its route: one for each block, its length, and before these
// what else the ranks tell each other. None of the functions waits. Each is called again
// until it says true, and another message of the same direction is not begun before.
class Link {
 public:
  Link() = default;
  virtual ~Link() = default;
  Link(const Link &) = delete;
  Link &operator=(const Link &) = delete;

  // A message will be sent soon: fetches what it will be written to, if that saves time.
  virtual void prepare_send() {}
  // Sends what can be sent of a message; true once its data and its head may change.
  virtual bool send(Outgoing &message) = 0;
  // Sends a message of one block, whose head is its length alone, if that can be done at once; says whether it was.
  virtual bool send_block(const BlockData &) { return false; }
  // A message with a head of so many words will be received next.
  virtual void expect(std::size_t words) = 0;
  // It will be looked for, after those of other links: fetches where it will be seen, if that saves time.
  virtual void prepare_look() {}
  // Whether the head of that message is there; then it has been filled in. Until then it may come bit by bit, to the
  // same words at each call.
  virtual bool arrived(std::span<std::int64_t> head) = 0;
  // The same of the only message that is missing: may look again.
  virtual bool arrived(std::span<std::int64_t> head, Looks &) { return arrived(head); }
  // After that: where its data lies, if that stays as it is until the next start but one; the message has been taken
  // then. Null where it does not.
  virtual const std::byte *take_in_place() { return nullptr; }
  // Else: takes what can be taken of its data, which has so many bytes; true once all is at `to`.
  virtual bool take(std::byte *to, std::int64_t bytes) = 0;
  // This rank has given up an exchange: what it has begun to send may change from now on.
  virtual void withdraw() {}
  // How much has come and gone: a number that changes with it.
  [[nodiscard]] virtual std::uint64_t moved() const = 0;
};

}  // namespace rondo::internal
