#pragma once

#include <cstdint>
#include <exception>
#include <new>
#include <string>

namespace rondo::internal {

// The kinds of fault, in the order of the RONDO_ERR_ codes of the C interface.
enum class Fault : std::int32_t {
  none = 0,
  count,
  buffer,
  overlap,
  type,
  comm,
  request,
  hint,
  algorithm,
  mismatch,
  no_memory,
  mpi,
  argument,
  internal,
  stalled,
  capacity,
};

// One fault with its values. It travels between ranks as plain data (see wire/agreement.hpp), so the
// values are members and the message is whole.
class Error : public std::exception {
 public:
  Error(Fault kind, std::string message) : fault(kind), message_(std::move(message)) {}

  // An error whose message is what text() returns, or empty where there is no memory for the message: a fault that all
  // ranks must report alike is then still of its kind on a rank that has run out of memory.
  template <class Text>
  static Error of(Fault kind, Text &&text) {
    try {
      return {kind, text()};
    } catch (const std::bad_alloc &) {
      return {kind, {}};
    }
  }

  [[nodiscard]] const char *what() const noexcept override { return message_.c_str(); }
  [[nodiscard]] const std::string &message() const noexcept { return message_; }

  Error &&with_peer(int new_peer) && {
    peer = new_peer;
    return std::move(*this);
  }
  Error &&with_values(std::int64_t new_value, std::int64_t new_other = -1) && {
    value = new_value;
    other = new_other;
    return std::move(*this);
  }

  Fault fault;
  int rank = -1;            // the rank that found it; filled in when ranks agree
  int peer = -1;            // the other rank of the pair at fault
  std::int64_t value = -1;  // the offending value
  std::int64_t other = -1;  // the value that it was compared with

 private:
  std::string message_;
};

}  // namespace rondo::internal
