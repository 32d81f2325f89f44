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
#include <vector>

#include "wire/node.hpp"

namespace rondo {

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
  [[nodiscard]] std::byte *data() const;

 private:
  std::shared_ptr<Region> region_;
};

// A region that only this process, its threads and its children know. For tests.
std::shared_ptr<Region> private_region(std::int64_t bytes);

class Segment {
 public:
  explicit Segment(const Node &node);  // collective over the node
  ~Segment();
  Segment(const Segment &) = delete;
  Segment &operator=(const Segment &) = delete;

  // Collective over the node, `bytes` alike on all. An empty lease on all ranks when memory cannot be shared.
  // The memory may hold what an earlier plan left.
  Lease lend(std::int64_t bytes);

  // Whether there are several ranks on the node, and they can share memory.
  [[nodiscard]] bool works() const { return works_; }
  // Whether all ranks of the node can read each other's memory directly (wire/attach.hpp).
  [[nodiscard]] bool can_attach() const { return can_attach_; }
  [[nodiscard]] pid_t process(int local_rank) const { return processes_[static_cast<std::size_t>(local_rank)]; }

 private:
  [[nodiscard]] int find_free(std::int64_t bytes) const;
  bool all_agree(bool mine) const;

  const Node &node_;
  std::vector<std::shared_ptr<Region>> regions_;
  std::vector<pid_t> processes_;
  bool works_ = false;
  bool can_attach_ = false;
};

}  // namespace rondo
