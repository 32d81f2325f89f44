#pragma once

// Memory in which a program builds what it sends, and in which the other ranks of its node read it: what lies there is
// copied by none of them (varying/peer_memory.hpp).
//
// Each rank that is sent to has three places there, used in turn, one for each start. What a start has brought stays
// valid until the next start but one. A rank whose start n is complete has heard from all others in it: they have begun
// it, and what start n - 2 has brought them is not valid any more. So the places of that start are free for start
// n + 1.
//
// The places are parts of one file in memory, far longer than blocks are: a block grows where it is. Pages are made as
// they are needed, and stay.

#include <cstddef>
#include <cstdint>
#include <limits>
#include <span>
#include <utility>
#include <vector>

#include "varying/outgoing.hpp"
#include "varying/raw_memory.hpp"
#include "wire/copy.hpp"
#include "wire/memory_file.hpp"

namespace rondo::internal {

// Where another process finds a block in such memory.
struct SharedBlock {
  std::int64_t bytes;   // of the part of the file that it maps: its three places
  std::int64_t at;      // where this begins in the file
  std::int64_t offset;  // of the block from there
  Invitation file;
};

class SendMemory {
 public:
  static constexpr int turns = 3;
  // Places are of whole pages, whatever the system's pages are.
  static constexpr std::int64_t granule = std::int64_t{64} << 10;

  // Of so many ranks, those that can map this process's memory are `near`, this one itself too. What others are sent
  // lies in ordinary memory, and so does what is longer than a place, which has at most so many bytes, a multiple of
  // the granule. Nothing is made before the first take.
  SendMemory(int ranks, std::vector<int> near, std::int64_t most_place_bytes = std::numeric_limits<std::int64_t>::max())
      : ranks_(static_cast<std::size_t>(ranks)), near_(std::move(near)), place_bytes_(most_place_bytes) {}
  ~SendMemory();
  SendMemory(const SendMemory &) = delete;
  SendMemory &operator=(const SendMemory &) = delete;

  // So many bytes at least for what the next start sends to a rank, from a cache line on, of any contents; with those
  // that it has if it has been asked for before, but perhaps elsewhere. Where others cannot read it, ordinary memory,
  // which serves as well but is copied. Throws std::bad_alloc or Error (no_memory) where there is none, and leaves what
  // there is.
  std::byte *take(int rank, std::int64_t bytes);
  // A start begins: what is taken from now on is for the one after it.
  void begin_start();

  // Whether a block of the start under way, or of the last one, lies where the rank that it goes to can read it, and at
  // a cache line: so elements of any type are as well aligned there as in a buffer.
  [[nodiscard]] bool has(int rank, const BlockData &block) const {
    if (memory_ == nullptr) return false;
    const Place &place = place_of(started_, rank);
    return place.made > 0 && lies_in(block, memory_ + place.at, place.made);
  }
  // Whether a block of that start for this rank itself stays as it is until the next start but one.
  [[nodiscard]] bool lasts(int self, const BlockData &block) const {
    if (places_.empty()) return false;
    const RawMemory &ordinary = place_of(started_, self).ordinary;
    return has(self, block) || lies_in(block, ordinary.data(), ordinary.size());
  }
  // Where another process finds a block that it can read.
  [[nodiscard]] SharedBlock shared(int rank, const BlockData &block) const;

 private:
  struct Place {
    std::int64_t at = -1;    // in the file; -1: it is not in there
    std::int64_t taken = 0;  // bytes
    std::int64_t made = 0;   // whose pages are there
    RawMemory ordinary{};    // instead
  };

  static bool lies_in(const BlockData &block, const std::byte *begin, std::int64_t bytes) {
    const bool is_aligned = reinterpret_cast<std::uintptr_t>(block.data) % cache_line == 0;
    return block.data != nullptr && is_aligned && block.data >= begin && block.data + block.bytes <= begin + bytes;
  }
  void make_places();
  void make_file(std::span<Place> places);
  static std::byte *take_ordinary(Place &place, const std::byte *before, std::int64_t bytes);
  [[nodiscard]] std::span<Place> places_of(int turn) { return std::span(places_).subspan(turn * ranks_, ranks_); }
  [[nodiscard]] const Place &place_of(int turn, int rank) const { return places_[turn * ranks_ + rank]; }

  const std::size_t ranks_;
  const std::vector<int> near_;
  std::byte *memory_ = nullptr;  // the file, if there is one
  std::int64_t file_bytes_ = 0;
  std::int64_t place_bytes_;  // at most, before there are places
  Descriptor descriptor_;
  std::uint64_t cookie_ = 0;
  std::vector<Place> places_;  // by turn, and by rank; none before the first take
  int next_ = 0;               // the turn of the next start
  int started_ = turns - 1;    // of the last one
};

}  // namespace rondo::internal
