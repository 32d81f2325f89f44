#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <vector>

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
  static constexpr std::size_t most_entries = 16;

  // One side's arguments, copied: counts, displacements and types, one after the other.
  struct KeptSide {
    std::vector<std::byte> arrays{};
    std::size_t count_bytes = 0;
    std::size_t displ_bytes = 0;
    std::size_t width = 0;
    std::size_t displ_width = 0;
    bool null_buffer = false;
    bool on_device = false;

    void keep(const SideArguments &given, int entries, bool each_type);
    [[nodiscard]] bool equals(const SideArguments &given) const;
    [[nodiscard]] bool has(MPI_Datatype type) const;
  };
  struct Kept {
    KeptSide send{};
    KeptSide receive{};
    bool in_place = false;
    std::uint64_t types_freed = 0;  // when it was read: a handle may mean another type since
    std::size_t bytes = 0;
    std::shared_ptr<Messages> messages{};
  };

  // The messages of one call whose arguments are not kept.
  struct Passing {
    std::shared_ptr<Messages> messages{};
    std::shared_ptr<const Messages> given{};  // the same
  };

  [[nodiscard]] static bool serves(const Kept &kept, const CallArguments &arguments);
  [[nodiscard]] std::size_t find_kept(const CallArguments &arguments, std::uint64_t print) const;
  const std::shared_ptr<const Messages> &use(std::size_t place);
  bool expects_others(std::uint64_t print);
  const std::shared_ptr<const Messages> &read_once(const CallArguments &arguments, const Peers &peers);
  static bool is_free(const std::shared_ptr<Messages> &messages, long references);
  std::size_t make_room();
  void read(std::size_t place, const CallArguments &arguments, const Peers &peers);
  void keep(std::size_t place, const CallArguments &arguments, const Peers &peers);
  std::size_t next_to_go();
  void drop(std::size_t place);

  std::int64_t most_bytes_;
  std::int64_t bytes_ = 0;
  MessageReader reader_{};
  std::vector<Kept> kept_{};
  std::array<std::uint64_t, most_entries> prints_{};  // of each: what tells most of the others apart at a glance
  std::array<bool, most_entries> used_again_{};       // likewise: since the hand has been there
  std::size_t hand_ = 0;                              // the place that goes next, unless it has been used again
  std::size_t last_ = 0;                              // the place that was used last, unless that has been dropped
  std::shared_ptr<const Messages> found_{};           // last of those that are kept; it may be in kept_ no more
  std::uint64_t last_print_ = 0;
  std::size_t misses_ = 0;            // since arguments have come again
  std::array<Passing, 2> passing_{};  // by turns: the last call's are left as they are
  bool passing_turn_ = false;
};

}  // namespace rondo::internal::call
