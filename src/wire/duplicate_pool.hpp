#pragma once

// What freed communicators have left for later ones of the same ranks, where threads may call MPI at once.
//
// There is an order of calls for each communicator alone then, so that two of them cannot have a duplicate in common
// as those of known ranks have (wire/known_groups.hpp). But one may have it after the other: the pool lends a
// duplicate, with all that is kept with it, to one communicator at a time. Its ranks agree on which, by a call of MPI's
// on the communicator: each offers that with the lowest number which is of these ranks and which nobody has in this
// process. Where they do not offer the same, since one rank has freed a communicator and another has not, nothing is
// lent.

#include <mpi.h>

#include <array>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <mutex>
#include <utility>

#include "wire/duplicate.hpp"
#include "wire/known_groups.hpp"
#include "wire/meanwhile.hpp"

namespace rondo::internal {

class DuplicatePool {
 public:
  // A duplicate of the pool's, or one that may become so.
  struct Entry {
    Entry(OwnedGroup of, std::shared_ptr<Duplicate> made);
    ~Entry();
    Entry(const Entry &) = delete;
    Entry &operator=(const Entry &) = delete;

    const OwnedGroup group;
    const std::shared_ptr<Duplicate> duplicate;
    std::int64_t number = 0;
    bool is_free = false;
  };

  static DuplicatePool &of_process();

  // In MPI_Init, by all ranks of MPI_COMM_WORLD or by none.
  void open() { open_.store(true, std::memory_order_relaxed); }
  [[nodiscard]] bool is_open() const { return open_.load(std::memory_order_relaxed); }

  // Collective over a communicator: a duplicate that nobody else has until the last reference to it ends; null where
  // there is none. Throws Error on all ranks or on none.
  std::shared_ptr<Duplicate> borrow(MPI_Comm user, Meanwhile meanwhile);

  // What this rank needs to add a duplicate of these ranks; null where it cannot take a further one, as there are so
  // many, or some of the ranks are another process's. Local; throws std::bad_alloc.
  std::shared_ptr<Entry> reserve(OwnedGroup group, const std::shared_ptr<Duplicate> &duplicate);
  // A reference to its duplicate, as borrow() gives it. Throws std::bad_alloc.
  static std::shared_ptr<Duplicate> lend(std::shared_ptr<Entry> entry);
  // All ranks of the group have reserved, and add it together, with one number, while it is lent. Takes no memory.
  void add(std::shared_ptr<Entry> entry, std::int64_t number);
  // One that no other process draws, and this one never again.
  std::int64_t draw_number();
  // MPI is about to end.
  void forget_all();

 private:
  std::shared_ptr<Entry> take_first(const OwnedGroup &group);
  void give_back(Entry &entry);

  static constexpr std::size_t most = 32;
  std::atomic<bool> open_{false};
  std::atomic<std::int64_t> drawn_{0};
  std::atomic<std::size_t> reserved_{0};  // entries that there are
  std::mutex mutex_;
  std::array<std::shared_ptr<Entry>, most> entries_{};
  std::size_t count_ = 0;
};

}  // namespace rondo::internal
