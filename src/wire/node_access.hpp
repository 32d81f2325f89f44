#pragma once

#include <sys/types.h>

#include <cstdint>
#include <optional>
#include <span>

#include "wire/channel.hpp"
#include "wire/segment.hpp"

namespace rondo::internal {

// What making a shared wire needs of the ranks of a node. By their board in the library; tests put threads in the place
// of ranks. The functions without const are collective over the node.
class NodeAccess {
 public:
  virtual ~NodeAccess() = default;

  [[nodiscard]] virtual int rank() const = 0;                      // of this one in the communicator
  [[nodiscard]] virtual int ranks() const = 0;                     // of the communicator
  [[nodiscard]] virtual std::span<const int> members() const = 0;  // of the node: ranks of the communicator
  [[nodiscard]] virtual pid_t process(int local_rank) const = 0;
  // Both return when all have come, and throw on all where one has come with a fault instead. What each brings is told
  // to all, by local rank. They take no memory.
  virtual void gather(std::int64_t mine, std::span<std::int64_t> all) = 0;
  virtual void barrier() = 0;
  // Of zero or stale memory; empty: cannot be had.
  virtual Lease lend(std::int64_t bytes) = 0;
};

// `free_regions` are those of the segment that no rank has said to use, where all have told; a gather asks again.
// `most_free` is as in Segment::give_back.
class BoardAccess : public NodeAccess {
 public:
  BoardAccess(const Channel &channel, std::optional<std::uint64_t> free_regions, std::int64_t most_free)
      : duplicate_(*channel.duplicate), free_regions_(free_regions), most_free_(most_free) {}

  [[nodiscard]] int rank() const override { return duplicate_.rank(); }
  [[nodiscard]] int ranks() const override { return duplicate_.ranks(); }
  [[nodiscard]] std::span<const int> members() const override { return duplicate_.node().members(); }
  [[nodiscard]] pid_t process(int local_rank) const override { return duplicate_.segment().process(local_rank); }
  void gather(std::int64_t mine, std::span<std::int64_t> all) override;
  void barrier() override;
  Lease lend(std::int64_t bytes) override { return duplicate_.segment().lend(bytes, *free_regions_); }
  // Before or after lend(bytes), where all ranks of the node are known to have come so far.
  void give_back(std::int64_t bytes) {
    free_regions_ = duplicate_.segment().give_back(bytes, *free_regions_, most_free_);
  }
  // Whether lend() finds a region of so many bytes, and needs nobody for that. Alike on all ranks of the node.
  [[nodiscard]] bool has(std::int64_t bytes) const {
    return free_regions_ && duplicate_.segment().has(bytes, *free_regions_);
  }

 private:
  Duplicate &duplicate_;
  std::optional<std::uint64_t> free_regions_;
  std::int64_t most_free_;
};

}  // namespace rondo::internal
