#pragma once

// The caller's arguments of one side, read into 64-bit copies.

#include <fmt/format.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <map>
#include <numeric>
#include <span>
#include <type_traits>
#include <vector>

#include "exchange/error.hpp"
#include "rondo/rondo.h"
#include "wire/side.hpp"

namespace rondo::internal {

// MPI's interfaces take the send buffer as const; a Side serves both directions and is only read on that one.
inline void *readable(const void *buffer) {
  return const_cast<void *>(buffer);
}

// The numbers from 0 on, so many, as a list that takes no memory.
class FirstNumbers {
 public:
  explicit FirstNumbers(int count) : count_(count) {}

  [[nodiscard]] std::size_t size() const { return static_cast<std::size_t>(count_); }
  [[nodiscard]] bool empty() const { return count_ == 0; }
  int operator[](std::size_t i) const { return static_cast<int>(i); }

 private:
  int count_;
};

inline std::vector<int> every_rank(int ranks) {
  std::vector<int> peers(ranks);
  std::iota(peers.begin(), peers.end(), 0);
  return peers;
}

// Becomes a side without parts and types. What memory it has for these it keeps.
inline void empty(Side &side, void *buffer, int ranks) {
  side.plan_allocates = buffer == RONDO_PLAN_BUFFER;
  side.buffer = side.plan_allocates ? nullptr : buffer;
  side.ranks = ranks;
  side.for_all = false;
  side.entries = 0;
  side.parts.clear();
  side.types.clear();
  side.unit = Side::Unit::extents;
}

// Those of the same rank stay in their order.
inline void sort_by_peer(std::vector<Part> &parts) {
  const auto by_peer = [](const Part &a, const Part &b) { return a.peer < b.peer; };
  if (!std::is_sorted(parts.begin(), parts.end(), by_peer)) std::stable_sort(parts.begin(), parts.end(), by_peer);
}

// The types of a side, each once.
class TypeTable {
 public:
  explicit TypeTable(Side &side) : types_(side.types) {}

  std::int32_t add(MPI_Datatype type) {
    const auto [found, fresh] = known_.try_emplace(type, static_cast<std::int32_t>(types_.size()));
    if (fresh) types_.push_back({type});
    return found->second;
  }

 private:
  std::vector<SideType> &types_;
  std::map<MPI_Datatype, std::int32_t> known_;
};

// The datatype of all entries of a side, or one for each, as alltoallw has them.
struct EachType {
  const MPI_Datatype *types;
};

// One side as arrays of counts and displacements; Count and Displacement are int or their _c types. Type is
// MPI_Datatype, or EachType: then displacements are in bytes.
template <class Count, class Displacement, class Type = MPI_Datatype>
struct GivenSide {
  const char *name;  // of the counts argument, for messages
  void *buffer;
  const Count *counts;
  const Displacement *displacements;
  Type type;

  // `peers` is the rank that each entry is for, or MPI_PROC_NULL; `matching` the order in which entries of the same
  // rank make up its block. Both are lists of numbers.
  template <class Peers, class Matching>
  [[nodiscard]] Side read(int ranks, const Peers &peers, const Matching &matching) const {
    Side side;
    read_into(side, ranks, peers, matching);
    return side;
  }
  // The same, into a side whose memory is used again.
  template <class Peers, class Matching>
  void read_into(Side &side, int ranks, const Peers &peers, const Matching &matching) const {
    if (counts == nullptr && !peers.empty()) throw Error(Fault::buffer, fmt::format("{}counts is null", name));
    empty(side, buffer, ranks);
    side.entries = static_cast<int>(peers.size());
    side.parts.reserve(peers.size());
    TypeTable types(side);
    if constexpr (each) {
      side.unit = Side::Unit::bytes;
    } else {
      side.types.push_back({type});
    }
    for (std::size_t i = 0; i < matching.size(); ++i) {
      const int entry = matching[i];
      const int peer = peers[entry];
      if (peer == MPI_PROC_NULL) continue;
      const std::int64_t count = counts == nullptr ? 0 : counts[entry];  // null only where there are no entries
      if (displacements == nullptr && count != 0) {
        throw Error(Fault::buffer, fmt::format("{}displs is null, but the count for rank {} is {}", name, peer, count))
            .with_peer(peer)
            .with_values(count);
      }
      const std::int64_t displacement = displacements == nullptr ? 0 : displacements[entry];
      if constexpr (each) {
        if (count == 0) continue;  // whatever its type is
        if (type.types == nullptr) throw Error(Fault::type, fmt::format("{}types is null", name));
        side.parts.push_back({peer, count, displacement, types.add(type.types[entry]), entry});
      } else {
        side.parts.push_back({peer, count, displacement, 0, entry});
      }
    }
    sort_by_peer(side.parts);
  }

 private:
  static constexpr bool each = std::is_same_v<Type, EachType>;
};

// One side of an alltoall call, or one between neighbours: the same count for every entry, one after the other.
struct UniformSide {
  void *buffer;
  std::int64_t count;
  MPI_Datatype type;

  // As of a GivenSide.
  template <class Peers, class Matching>
  [[nodiscard]] Side read(int ranks, const Peers &peers, const Matching &matching) const {
    Side side;
    read_into(side, ranks, peers, matching);
    return side;
  }
  template <class Peers, class Matching>
  void read_into(Side &side, int ranks, const Peers &peers, const Matching &matching) const {
    empty(side, buffer, ranks);
    side.types.push_back({type});
    side.entries = static_cast<int>(peers.size());
    side.parts.reserve(peers.size());
    for (std::size_t i = 0; i < matching.size(); ++i) {
      const int entry = matching[i];
      if (peers[entry] == MPI_PROC_NULL) continue;
      side.parts.push_back({peers[entry], count, checked_multiply(entry, count, "a displacement"), 0, entry});
    }
    sort_by_peer(side.parts);
  }
};

// What an all-gather sends: one block, which is for all ranks.
inline void read_for_all(Side &side, void *buffer, std::int64_t count, MPI_Datatype type) {
  empty(side, buffer, 1);
  side.for_all = true;
  side.entries = 1;
  side.types.push_back({type});
  side.parts.push_back({0, count, 0});
}
inline Side side_for_all(void *buffer, std::int64_t count, MPI_Datatype type) {
  Side side;
  read_for_all(side, buffer, count, type);
  return side;
}

// What an all-gather in place sends: this rank's data lies where it would receive it, so its part is moved from the
// receive side to the send side.
inline Side take_own(Side &receive, int rank) {
  Side send{.buffer = receive.buffer,
            .plan_allocates = receive.plan_allocates,
            .ranks = 1,
            .for_all = true,
            .entries = 1,
            .types = receive.types};
  std::erase_if(receive.parts, [&](const Part &part) {
    if (part.peer != rank) return false;
    send.parts = {part};
    send.parts.front().peer = 0;
    return true;
  });
  return send;
}

}  // namespace rondo::internal
