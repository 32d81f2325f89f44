#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <vector>

#include "call/kept_arguments.hpp"
#include "call/message_reader.hpp"
#include "call/messages.hpp"

namespace rondo::internal::call {

// The messages of the last calls of a kind on a communicator, found again when the same arguments come: the same
// counts, displacements and types, wherever the buffers are. What has not been used again for long makes room, and its
// memory is used again: a program whose counts are new in each call takes none after the first few. Local: two ranks
// need not keep the same.
class MessageCache {
 public:
  explicit MessageCache(std::int64_t most_bytes) : most_bytes_(most_bytes) {}

  struct Found {
    const std::shared_ptr<const Messages> &messages;  // until the next call of find()
    bool hit;
  };
  // Throws Error for bad arguments, as MessageReader::read does.
  Found find(const CallArguments &arguments, const Peers &peers);
  // Drops what it has of calls with this datatype. Not while one of them is under way. Local.
  void forget(MPI_Datatype type);

 private:
  static constexpr std::size_t most_kept = 16;
  static constexpr std::size_t nowhere = most_kept;  // in place of a place

  struct Kept {
    KeptArguments arguments{};
    std::shared_ptr<Messages> messages{};
    std::size_t bytes = 0;
  };
  // The messages of a call whose arguments are not kept.
  struct Passing {
    std::shared_ptr<Messages> messages{};
    std::shared_ptr<const Messages> given{};  // the same
  };

  [[nodiscard]] std::size_t find_kept(const CallArguments &arguments, std::uint64_t fingerprint) const;
  const std::shared_ptr<const Messages> &use(std::size_t place);
  bool keeps_missing();
  const std::shared_ptr<const Messages> &read_once(const CallArguments &arguments, const Peers &peers);
  static bool are_free(const std::shared_ptr<Messages> &messages, long references);
  std::size_t make_room();
  void read(std::size_t place, std::uint64_t fingerprint, const CallArguments &arguments, const Peers &peers);
  std::size_t next_to_go();
  void drop(std::size_t place);

  std::int64_t most_bytes_;
  std::int64_t bytes_ = 0;
  MessageReader reader_{};
  std::vector<Kept> kept_{};
  std::array<std::uint64_t, most_kept> fingerprints_{};  // of what is kept
  std::array<bool, most_kept> used_again_{};             // likewise: since the hand has been there
  std::size_t hand_ = 0;                                 // the place that goes next, unless it has been used again
  std::size_t last_ = nowhere;               // the place that was used by the last call, if it is still there
  std::shared_ptr<const Messages> found_{};  // last of those that are kept; it may be in kept_ no more
  std::size_t misses_ = 0;                   // since arguments have come again
  Passing passing_{};  // the last; the one before it is read into next, so that the last is left as it is
  Passing passing_before_{};
};

}  // namespace rondo::internal::call
