#pragma once

#include <algorithm>
#include <cstddef>
#include <random>
#include <string>
#include <vector>

#include "exchange/exchange.hpp"
#include "schedule/check.hpp"
#include "schedule/run.hpp"

namespace rondo::internal {

// One space of one rank: the bytes that extents name, and guard bytes in every gap and at both ends.
class GuardedSpace {
 public:
  explicit GuardedSpace(const std::vector<Extent> &extents) {
    for (const Extent &extent : extents) {
      low_ = std::min(low_, extent.offset);
      high_ = std::max(high_, extent.end());
    }
    reset();
  }

  void reset() { bytes_.assign(static_cast<std::size_t>(high_ - low_ + 2 * margin), guard); }
  // Where offset 0 lies.
  [[nodiscard]] std::byte *zero() { return bytes_.data() + (margin - low_); }
  [[nodiscard]] bool ends_are_intact() const {
    const auto is_guard = [](std::byte byte) { return byte == guard; };
    return std::all_of(bytes_.begin(), bytes_.begin() + margin, is_guard) &&
           std::all_of(bytes_.end() - margin, bytes_.end(), is_guard);
  }
  friend bool operator==(const GuardedSpace &a, const GuardedSpace &b) { return a.bytes_ == b.bytes_; }

 private:
  static constexpr std::byte guard{0xA5};
  static constexpr std::int64_t margin = 64;

  std::int64_t low_ = 0;
  std::int64_t high_ = 0;
  std::vector<std::byte> bytes_;
};

// The memory of all ranks, and what must be in it when the exchange is done.
class Memory {
 public:
  Memory(const std::vector<Exchange> &world, const std::vector<Schedule> &schedules) : world_(world) {
    for (std::size_t rank = 0; rank < world.size(); ++rank) {
      send_.emplace_back(world[rank].send);
      receive_.emplace_back(world[rank].receive);
      scratch_.emplace_back(std::vector<Extent>{{0, schedules[rank].scratch_bytes}});
    }
  }

  // New data in the send spaces; the receive spaces and scratch hold guard bytes only.
  void fill(unsigned seed) {
    std::mt19937 random(seed);
    for (std::size_t rank = 0; rank < world_.size(); ++rank) {
      for (const Extent &extent : world_[rank].send) {
        std::generate_n(send_[rank].zero() + extent.offset, extent.length, [&] { return std::byte(random()); });
      }
      receive_[rank].reset();
      scratch_[rank].reset();
    }
    sent_ = send_;
    expected_ = delivered();
  }

  [[nodiscard]] std::vector<Spaces> spaces() {
    std::vector<Spaces> all;
    for (std::size_t rank = 0; rank < world_.size(); ++rank) {
      all.push_back({send_[rank].zero(), receive_[rank].zero(), scratch_[rank].zero()});
    }
    return all;
  }

  // The first space that is not as it must be; empty when all are.
  [[nodiscard]] std::string fault() {
    for (std::size_t rank = 0; rank < world_.size(); ++rank) {
      const std::string where = " of rank " + std::to_string(rank);
      if (send_[rank] != sent_[rank]) return "the send space" + where;
      if (receive_[rank] != expected_[rank]) return "the receive space" + where;
      if (!scratch_[rank].ends_are_intact()) return "what lies round the scratch" + where;
    }
    return {};
  }

 private:
  // The receive spaces as the extents of both sides say, computed block by block.
  [[nodiscard]] std::vector<GuardedSpace> delivered() {
    std::vector<GuardedSpace> result = receive_;
    for (std::size_t rank = 0; rank < world_.size(); ++rank) {
      for (std::size_t peer = 0; peer < world_.size(); ++peer) {
        const Extent &from = world_[peer].send_to(static_cast<int>(rank));
        const Extent &to = world_[rank].receive[peer];
        std::copy_n(send_[peer].zero() + from.offset, to.length, result[rank].zero() + to.offset);
      }
    }
    return result;
  }

  std::vector<Exchange> world_;
  std::vector<GuardedSpace> send_, receive_, scratch_;
  std::vector<GuardedSpace> sent_, expected_;
};

// What is wrong with the schedules of all ranks, or with what they deliver in three runs with new data each; empty when
// nothing is.
inline std::string delivery_fault(const std::vector<Schedule> &schedules, const std::vector<Exchange> &world) {
  if (std::string fault = check_schedules(schedules, world); !fault.empty()) return fault;
  Memory memory(world, schedules);
  for (unsigned run = 0; run < 3; ++run) {
    memory.fill(run);
    run_all(schedules, memory.spaces());
    if (std::string fault = memory.fault(); !fault.empty()) return fault + " after run " + std::to_string(run);
  }
  return {};
}

}  // namespace rondo::internal
