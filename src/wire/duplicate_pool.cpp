#include "wire/duplicate_pool.hpp"

#include <array>
#include <limits>
#include <span>

#include "wire/agreement.hpp"
#include "wire/user_errors_returned.hpp"

namespace rondo::internal {

// Never destroyed, as MPI_Finalize may come after main().
DuplicatePool &DuplicatePool::of_process() {
  static auto *const pool = new DuplicatePool;
  return *pool;
}

DuplicatePool::Entry::Entry(OwnedGroup of, std::shared_ptr<Duplicate> made)
    : group(std::move(of)), duplicate(std::move(made)) {
  of_process().reserved_.fetch_add(1, std::memory_order_relaxed);
}

DuplicatePool::Entry::~Entry() {
  of_process().reserved_.fetch_sub(1, std::memory_order_relaxed);
}

// This rank's offer is nobody else's until the ranks have agreed.
std::shared_ptr<Duplicate> DuplicatePool::borrow(MPI_Comm user, Meanwhile meanwhile) {
  const UserErrorsReturned returned(user);
  std::shared_ptr<Duplicate> offered;
  std::int64_t number = std::numeric_limits<std::int64_t>::max();
  const auto fault = fault_of([&] {
    std::shared_ptr<Entry> first = take_first(OwnedGroup(user));
    if (!first) return;
    number = first->number;
    offered = lend(std::move(first));
  });
  std::array<std::int64_t, 2> numbers{number, -number};
  agree(user, numbers, fault, meanwhile);
  return numbers[0] == -numbers[1] ? offered : nullptr;
}

std::shared_ptr<DuplicatePool::Entry> DuplicatePool::take_first(const OwnedGroup &group) {
  const std::lock_guard lock(mutex_);
  std::shared_ptr<Entry> first;
  for (const std::shared_ptr<Entry> &entry : std::span(entries_).first(count_)) {
    const bool may_be = entry->is_free && (!first || entry->number < first->number);
    if (may_be && are_identical(entry->group.get(), group.get())) first = entry;
  }
  if (first) first->is_free = false;
  return first;
}

// An agreement that has been given up leaves nothing for others.
void DuplicatePool::give_back(Entry &entry) {
  const std::lock_guard lock(mutex_);
  entry.is_free = !entry.duplicate->agreement().has_stalled();
}

std::shared_ptr<DuplicatePool::Entry> DuplicatePool::reserve(OwnedGroup group,
                                                             const std::shared_ptr<Duplicate> &duplicate) {
  if (!within_world(group.get())) return nullptr;
  auto entry = std::make_shared<Entry>(std::move(group), duplicate);
  return reserved_.load(std::memory_order_relaxed) <= most ? entry : nullptr;
}

std::shared_ptr<Duplicate> DuplicatePool::lend(std::shared_ptr<Entry> entry) {
  Duplicate *const duplicate = entry->duplicate.get();
  return {duplicate, [entry = std::move(entry)](Duplicate *) { of_process().give_back(*entry); }};
}

void DuplicatePool::add(std::shared_ptr<Entry> entry, std::int64_t number) {
  const std::lock_guard lock(mutex_);
  entry->number = number;
  entries_[count_++] = std::move(entry);
}

std::int64_t DuplicatePool::draw_number() {
  int rank = 0;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  return (drawn_.fetch_add(1, std::memory_order_relaxed) << 32) | rank;
}

void DuplicatePool::forget_all() {
  std::array<std::shared_ptr<Entry>, most> forgotten;
  const std::lock_guard lock(mutex_);
  forgotten.swap(entries_);
  count_ = 0;
}

}  // namespace rondo::internal
