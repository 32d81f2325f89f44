#pragma once

// Memory that the ranks of a node share, one segment per communicator, cached with it.
//
// A segment is made of regions; a plan leases one. A region that all ranks have given back is lent again, and a
// new one is made when none is large enough. Regions are files in memory (wire/memory_file.hpp).

#include <sys/types.h>

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "wire/board.hpp"
#include "wire/node.hpp"
#include "wire/page.hpp"

namespace rondo::internal {

class Region;

// A leased region; given back by the destructor. Local.
class Lease {
 public:
  Lease() = default;
  explicit Lease(std::shared_ptr<Region> region);
  Lease(Lease &&) noexcept = default;
  Lease &operator=(Lease &&other) noexcept {
    std::swap(region_, other.region_);
    return *this;
  }
  ~Lease();

  [[nodiscard]] explicit operator bool() const { return region_ != nullptr; }
  [[nodiscard]] std::byte *data() const;  // from a page on

 private:
  std::shared_ptr<Region> region_;
};

// A region that only this process, its threads and its children know. For tests.
std::shared_ptr<Region> private_region(std::int64_t bytes);

class Descriptor;

class Segment {
 public:
  static constexpr std::int64_t usual_most_free = 64 << 20;

  explicit Segment(const Node &node);  // of a node that has met. Local: takes memory
  ~Segment();
  Segment(const Segment &) = delete;
  Segment &operator=(const Segment &) = delete;

  // Local: this rank's part. The first rank of several makes the file of the board, where it can.
  void introduce(Introduction &own);
  // Local. Keeps what the others have told, and maps the board with a first region behind it: null where that cannot be
  // done, or this rank is alone.
  std::byte *meet(std::span<const Introduction> all);
  // All ranks of the node have their board, through which they agree from now on; it lives as long. Finds out what else
  // they can do, of which each tries its right neighbour. Collective over the node; takes no memory.
  void use(Board &board, const Introduction &neighbor);

  // Collective over the node, with arguments alike on all; `free` are the regions, a bit each, that no
  // rank of the node has said to use (used_regions). An empty lease on all ranks when memory cannot be shared; throws
  // on all when one has no memory to keep book of it. The memory may hold what an earlier plan left.
  Lease lend(std::int64_t bytes, std::uint64_t free);
  // The same, of which the pages of the first `made` bytes are there: who writes beyond them makes them first
  // (wire/make_pages.hpp). Asks which regions are free.
  Lease lend_growing(std::int64_t bytes, std::int64_t made);
  // The same of memory that nobody has had, all zero.
  Lease lend_zeroed(std::int64_t bytes, std::int64_t made);
  // Whether lend() finds a region there. It then needs nobody, and some ranks may call it while others do not: all
  // still have the same regions. Local, and alike on all ranks of the node.
  [[nodiscard]] bool has(std::int64_t bytes, std::uint64_t free) const { return find(bytes, bytes, free) >= 0; }
  // Of the regions that lend(bytes, free) leaves free, gives back to the system those beyond so many bytes. To be
  // called by all ranks of the node or by none. Gives those that are free still, as they are numbered then. Local;
  // takes no memory.
  std::uint64_t give_back(std::int64_t bytes, std::uint64_t free, std::int64_t most_free);
  // Gives back to the system, on this rank, the largest of the regions that it has no lease of, until the rest of these
  // have so many bytes. The others may do so at another time: to all a region that one rank has given back is one that
  // is in use.
  void drop_beyond(std::int64_t most);
  // A bit for each region that this rank has a lease of or has dropped, and for those that there are not. Local.
  [[nodiscard]] std::uint64_t used_regions() const;

  // Whether there are several ranks on the node, and they can share memory.
  [[nodiscard]] bool works() const { return board_ != nullptr; }
  // Whether all ranks of the node can read each other's memory directly (wire/attach.hpp).
  [[nodiscard]] bool can_attach() const { return can_attach_; }
  [[nodiscard]] pid_t process(int local_rank) const { return processes_[local_rank]; }

 private:
  // A region of so many bytes, of which the pages of the first `made` are there; -1 where there is none.
  [[nodiscard]] int find(std::int64_t bytes, std::int64_t made, std::uint64_t free) const;
  // How long a file is, and how much of it is there from the beginning.
  struct FileSize {
    std::int64_t bytes;
    std::int64_t made;
  };
  // Of which the pages of so many bytes are there, where the system makes others on request.
  static FileSize growing(std::int64_t size, std::int64_t made);
  enum class Kept : std::uint8_t { no, for_others };
  Lease lend_new(const FileSize &size, Kept kept);

  const Node &node_;
  std::vector<std::shared_ptr<Region>> regions_;  // the same on all ranks of the node, in the same order
  std::vector<pid_t> processes_;
  std::unique_ptr<Descriptor> board_file_;
  std::shared_ptr<Region> board_region_;
  Board *board_ = nullptr;
  bool can_attach_ = false;
};

}  // namespace rondo::internal
