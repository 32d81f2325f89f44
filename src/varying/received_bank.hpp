#pragma once

#include <algorithm>
#include <array>
#include <cstdint>

#include "varying/raw_memory.hpp"
#include "wire/copy.hpp"
#include "wire/page.hpp"

namespace rondo::internal {

// Two buffers for what starts bring, used in turn, so that what one start has brought stays valid until the next but
// one. They grow together: where one is made larger, memory is taken for the other, too, which changes to it when its
// turn comes. So a start that is no larger than all before it takes no memory.
//
// What a start brings lies in one piece. The rank's own block has the same place in the buffer in each start, if there
// is room, however long the blocks before it are: so it can be copied while these are on their way. What comes before
// it ends there, so that where all of it begins differs from start to start.
class ReceivedBanks {
 public:
  // To be called once a start, which brings an own block of so many bytes. Gives where that is likely to lie; null
  // where there is no room. From now on what the start before the last has brought may be overwritten.
  std::byte *begin(std::int64_t own) {
    in_use_ = 1 - in_use_;
    Bank &bank = banks_[in_use_];
    if (bank.memory.size() < most_) [[unlikely]]
      bank.memory = std::move(bank.larger);
    return room_before_ + own <= bank.memory.size() ? bank.memory.data() + room_before_ : nullptr;
  }
  // Where all of it begins: so many bytes before the own block, and so many from there on.
  std::byte *place(std::int64_t before, std::int64_t from_own) {
    Bank &bank = banks_[in_use_];
    if (before > room_before_ || room_before_ + from_own > bank.memory.size()) [[unlikely]]
      return place_anew(bank, before, from_own);
    return bank.memory.data() + room_before_ - before;
  }
  // The buffer of the next start, of at least so many bytes, where there is no own block. The other one stays as it is;
  // both do where there is no memory (std::bad_alloc), so that the caller may try again.
  std::byte *next(std::int64_t bytes) {
    if (bytes > most_) [[unlikely]]
      grow(bytes);
    begin(0);
    return place(0, bytes);
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

  std::byte *place_anew(Bank &bank, std::int64_t before, std::int64_t from_own) {
    if (before + from_own > bank.memory.size()) {
      grow(before + from_own);
      bank.memory = std::move(bank.larger);
    }
    room_before_ = std::max(room_before_, up_to(cache_line, before));
    return bank.memory.data();
  }

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
  std::int64_t room_before_ = 0;  // the own block, where there is room for all
};

}  // namespace rondo::internal
