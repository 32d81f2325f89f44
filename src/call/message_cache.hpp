#pragma once

#include <cstddef>
#include <list>
#include <memory>
#include <vector>

#include "call/messages.hpp"

namespace rondo::internal::call {

// The messages of the last calls of a kind on a communicator, found again when the same arguments come: the same
// counts, displacements and types, wherever the buffers are. What has not been used for longest is dropped. Local: two
// ranks need not keep the same.
class MessageCache {
 public:
  explicit MessageCache(std::int64_t most_bytes) : most_bytes_(most_bytes) {}

  struct Found {
    const std::shared_ptr<const Messages> &messages;  // until the next call of find()
    bool hit;
  };
  // Throws Error for bad arguments, as read_messages does.
  Found find(const CallArguments &arguments, const Peers &peers);
  // Drops what it has of calls with this datatype. Not while one of them is under way. Local.
  void forget(MPI_Datatype type);

 private:
  static constexpr std::size_t most_entries = 16;

  // One side's arguments, copied.
  struct KeptSide {
    std::vector<std::byte> counts;
    std::vector<std::byte> displs;
    std::vector<MPI_Datatype> types;
    std::size_t width;
    std::size_t displ_width;
    bool null_buffer;
    bool on_device;

    KeptSide(const SideArguments &given, int entries, bool each_type);
    [[nodiscard]] bool equals(const SideArguments &given) const;
    [[nodiscard]] bool has(MPI_Datatype type) const;
    [[nodiscard]] std::size_t bytes() const;
  };
  struct Kept {
    KeptSide send;
    KeptSide receive;
    bool in_place;
    std::uint64_t types_freed;  // when it was read: a handle may mean another type since
    std::size_t bytes;
    std::shared_ptr<const Messages> messages;
  };

  [[nodiscard]] static bool serves(const Kept &kept, const CallArguments &arguments);
  void keep(const CallArguments &arguments, const Peers &peers, std::uint64_t types_freed,
            const std::shared_ptr<const Messages> &messages);
  void drop(std::list<Kept>::iterator kept);
  void evict();

  std::int64_t most_bytes_;
  std::int64_t bytes_ = 0;
  std::list<Kept> kept_;                     // the last used first
  std::shared_ptr<const Messages> found_{};  // last; it may be in kept_ no more
};

}  // namespace rondo::internal::call
