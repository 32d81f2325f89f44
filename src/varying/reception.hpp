#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "varying/outgoing.hpp"
#include "varying/received_bank.hpp"
#include "wire/copy.hpp"

namespace rondo::internal {

// What a start has brought: the blocks of all ranks, in rank order, one after the other; but for those that stay where
// their senders have them, for which there is room among the others.
struct ReceivedBlocks {
  std::byte *data = nullptr;
  std::span<const std::int64_t> bytes{};          // by source
  std::span<const std::int64_t> offsets{};        // likewise
  std::span<const std::byte *const> elsewhere{};  // likewise: where it lies that is not at its offset, else null
  bool in_one_piece = true;                       // all are at their offsets
  std::int64_t all_bytes = 0;

  [[nodiscard]] const std::byte *block(std::size_t source) const {
    return elsewhere[source] != nullptr ? elsewhere[source] : data + offsets[source];
  }
};

// Where an exchange puts what ends at this rank. For each start: begin(), then bytes_from() of all other ranks, then
// place(), and then their blocks, each to its place, unless it stays().
class Reception {
 public:
  // The banks live as long.
  Reception(int rank, int ranks, ReceivedBanks &banks)
      : rank_(static_cast<std::size_t>(rank)), banks_(banks), bytes_(ranks), offsets_(ranks), elsewhere_(ranks) {
    blocks_ = {nullptr, bytes_, offsets_, elsewhere_};
  }

  // Copies this rank's block to itself, while other ranks' blocks are on their way, to where it is likely to stay. The
  // block stays as it is until place(); or, if it is `lasting`, until the next start but one, and is not copied.
  void begin(const BlockData &own, bool lasting) {
    if (!blocks_.in_one_piece) [[unlikely]]
      forget_elsewhere();
    own_ = own;
    own_copied_ = banks_.begin(own.bytes);
    if (lasting) [[unlikely]] {
      stays(static_cast<int>(rank_), own.data);
      return;
    }
    if (own_copied_ != nullptr && own.bytes > 0) {
      copy_bytes(own_copied_, own.data, static_cast<std::size_t>(own.bytes));
    }
  }
  // How long the block of another rank is.
  [[nodiscard]] std::int64_t &bytes_from(int source) { return bytes_[source]; }
  // Makes room for all.
  void place() {
    bytes_[rank_] = own_.bytes;
    std::int64_t offset = 0;
    for (std::size_t source = 0; source < bytes_.size(); ++source) {
      offsets_[source] = offset;
      offset += bytes_[source];
    }
    const std::int64_t before = offsets_[rank_];
    blocks_.data = banks_.place(before, offset - before);
    blocks_.all_bytes = offset;
    std::byte *const own_place = blocks_.data + before;
    if (own_.bytes > 0 && own_place != own_copied_ && elsewhere_[rank_] == nullptr) [[unlikely]] {
      copy_bytes(own_place, own_.data, static_cast<std::size_t>(own_.bytes));
    }
  }
  [[nodiscard]] std::byte *place_of(int source) const { return blocks_.data + offsets_[source]; }
  // A block stays where it is, until the next start but one.
  void stays(int source, const std::byte *where) {
    elsewhere_[source] = where;
    blocks_.in_one_piece = false;
  }
  // Copies to their places the blocks of the last start that are elsewhere.
  void gather() {
    for (std::size_t source = 0; source < bytes_.size(); ++source) {
      if (elsewhere_[source] == nullptr || bytes_[source] == 0) continue;
      copy_bytes(blocks_.data + offsets_[source], elsewhere_[source], static_cast<std::size_t>(bytes_[source]));
    }
    forget_elsewhere();
  }
  // Of the last start of which all blocks have come; valid until the next start but one.
  [[nodiscard]] const ReceivedBlocks &blocks() const { return blocks_; }

 private:
  void forget_elsewhere() {
    std::ranges::fill(elsewhere_, nullptr);
    blocks_.in_one_piece = true;
  }

  const std::size_t rank_;
  ReceivedBanks &banks_;
  BlockData own_{};
  std::byte *own_copied_ = nullptr;  // where its copy lies already, if it does
  std::vector<std::int64_t> bytes_;  // by source
  std::vector<std::int64_t> offsets_;
  std::vector<const std::byte *> elsewhere_;
  ReceivedBlocks blocks_{};
};

}  // namespace rondo::internal
