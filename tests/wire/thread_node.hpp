#pragma once

// Threads in the place of the ranks of a node: the shared wire without MPI, for the thread sanitizer and for speed.

#include <algorithm>
#include <barrier>
#include <cstring>
#include <memory>
#include <numeric>
#include <vector>

#include "wire/node_access.hpp"

namespace rondo::internal::test {

// What the threads of one node have in common.
class ThreadNode {
 public:
  explicit ThreadNode(int ranks) : members(static_cast<std::size_t>(ranks)), numbers(members.size()), meeting(ranks) {
    std::iota(members.begin(), members.end(), 0);
  }

  std::vector<int> members;
  std::vector<std::int64_t> numbers;
  std::shared_ptr<Region> region;
  std::barrier<> meeting;
};

class ThreadAccess : public NodeAccess {
 public:
  ThreadAccess(ThreadNode &node, int rank) : node_(node), rank_(rank) {}

  [[nodiscard]] int rank() const override { return rank_; }
  [[nodiscard]] int ranks() const override { return static_cast<int>(node_.members.size()); }
  [[nodiscard]] std::span<const int> members() const override { return node_.members; }
  [[nodiscard]] pid_t process(int) const override { return 0; }

  void gather(std::int64_t mine, std::span<std::int64_t> all) override {
    node_.numbers[static_cast<std::size_t>(rank_)] = mine;
    barrier();
    std::copy(node_.numbers.begin(), node_.numbers.end(), all.begin());
    barrier();
  }

  Lease lend(std::int64_t bytes) override {
    if (rank_ == 0) {
      node_.region = private_region(bytes);
      std::memset(Lease(node_.region).data(), 0xff, static_cast<std::size_t>(bytes));  // stale
    }
    barrier();
    return Lease(node_.region);
  }

  void barrier() override { node_.meeting.arrive_and_wait(); }

 private:
  ThreadNode &node_;
  int rank_;
};

}  // namespace rondo::internal::test
