#pragma once

// Memory that the ranks of a node share, one segment per communicator, cached with it.
//
// A segment is made of regions; a plan leases one. A region that all ranks have given back is lent again, and a
// new one is made when none is large enough. Regions are anonymous memory files (memfd), opened by the others
// through /proc: they never have a name, so nothing is left behind whatever happens to the processes, and only
// processes of the same user can open them.

#include <sys/types.h>

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <vector>

#include "exchange/error.hpp"
#include "wire/node.hpp"
#include "wire/page.hpp"

namespace rondo::internal {

class Region;

// A leased region; given back by the destructor. Local.
class Lease {
 public:
  Lease() = default;
  explicit Lease(std::shared_ptr<Region> region) : region_(std::move(region)) {}
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

class Segment {
 public:
  explicit Segment(const Node &node);  // local: takes memory
  ~Segment();
  Segment(const Segment &) = delete;
  Segment &operator=(const Segment &) = delete;

  // Finds out what the ranks of the node, which have met, can do. Collective over the node; throws on all or on none.
  void meet();

  // Collective over the node, `bytes` alike on all. An empty lease on all ranks when memory cannot be shared; throws on
  // all when one has no memory to keep book of it. The memory may hold what an earlier plan left.
  Lease lend(std::int64_t bytes);

  // Whether there are several ranks on the node, and they can share memory.
  [[nodiscard]] bool works() const { return works_; }
  // Whether all ranks of the node can read each other's memory directly (wire/attach.hpp).
  [[nodiscard]] bool can_attach() const { return can_attach_; }
  [[nodiscard]] pid_t process(int local_rank) const {
    return static_cast<pid_t>(processes_[static_cast<std::size_t>(local_rank)].id);
  }

 private:
  // A process, and a number in its memory to try to read.
  struct Process {
    std::int64_t id;
    std::uint64_t address, value;
  };

  [[nodiscard]] int find_free(std::int64_t bytes) const;
  [[nodiscard]] bool all_agree(bool mine, std::optional<Error> fault = std::nullopt) const;

  const Node &node_;
  std::vector<std::shared_ptr<Region>> regions_;
  std::vector<Process> processes_;
  bool works_ = false;
  bool can_attach_ = false;
};

}  // namespace rondo::internal
