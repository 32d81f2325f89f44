#pragma once

#include <algorithm>
#include <array>
#include <cstdint>

#include "varying/arena.hpp"

namespace rondo::internal {

// Two buffers for what starts bring, used in turn, so that what one start has brought stays valid until the next but
// one. They grow together: where one is made larger, memory is taken for the other, too, which changes to it when its
// turn comes. So a start that is no larger than all before it takes no memory.
class ReceivedBanks {
 public:
  // The buffer of the next start, of at least so many bytes. The other one stays as it is.
  std::byte *next(std::int64_t bytes) {
    if (bytes > most_) [[unlikely]]
      grow(bytes);
    in_use_ = 1 - in_use_;
    Bank &bank = banks_[in_use_];
    if (bank.memory.size() < most_) [[unlikely]]
      bank.memory = std::move(bank.larger);
    return bank.memory.data();
  }
  [[nodiscard]] std::int64_t bytes() const {
    std::int64_t sum = 0;
    for (const Bank &bank : banks_) sum += bank.memory.size() + bank.larger.size();
    return sum;
  }

 private:
  struct Bank {
    RawMemory memory{};
    RawMemory larger{};
  };

  // By much, so that it is seldom done: pages that are never written cost nothing, while those of a new buffer cost a
  // fault each.
  void grow(std::int64_t bytes) {
    constexpr std::int64_t most_more = std::int64_t{1} << 30;
    const std::int64_t wanted = std::max(std::int64_t{1024}, bytes + std::min(3 * bytes, most_more));
    std::array<RawMemory, 2> larger{RawMemory(wanted), RawMemory(wanted)};
    for (std::size_t i = 0; i < banks_.size(); ++i) banks_[i].larger = std::move(larger[i]);
    most_ = wanted;
  }

  std::array<Bank, 2> banks_{};
  std::size_t in_use_ = 0;
  std::int64_t most_ = 0;
};

}  // namespace rondo::internal
