#pragma once

#include <sys/types.h>

#include <cstdint>
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
  virtual void gather(std::int64_t mine, std::span<std::int64_t> all) = 0;  // by local rank; takes no memory
  // Of zero or stale memory; empty: cannot be had. After a gather.
  virtual Lease lend(std::int64_t bytes) = 0;
  virtual void barrier() = 0;
};

class BoardAccess : public NodeAccess {
 public:
  explicit BoardAccess(const Channel &channel) : duplicate_(*channel.duplicate) {}

  [[nodiscard]] int rank() const override { return duplicate_.rank(); }
  [[nodiscard]] int ranks() const override { return duplicate_.ranks(); }
  [[nodiscard]] std::span<const int> members() const override { return duplicate_.node().members(); }
  [[nodiscard]] pid_t process(int local_rank) const override { return duplicate_.segment().process(local_rank); }
  void gather(std::int64_t mine, std::span<std::int64_t> all) override;
  Lease lend(std::int64_t bytes) override { return duplicate_.segment().lend(bytes, free_regions_); }
  void barrier() override;

 private:
  Duplicate &duplicate_;
  std::uint64_t free_regions_ = 0;
};

}  // namespace rondo::internal
