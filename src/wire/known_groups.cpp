#include "wire/known_groups.hpp"

#include <algorithm>
#include <cstdlib>
#include <numeric>
#include <span>
#include <string_view>
#include <utility>

#include "exchange/fingerprint.hpp"
#include "wire/channel.hpp"
#include "wire/mpi_call.hpp"

namespace rondo::internal {

OwnedGroup::OwnedGroup(MPI_Comm comm) {
  check_mpi(MPI_Comm_group(comm, &group_), "MPI_Comm_group");
}

OwnedGroup OwnedGroup::remote_of(MPI_Comm inter) {
  OwnedGroup group;
  check_mpi(MPI_Comm_remote_group(inter, &group.group_), "MPI_Comm_remote_group");
  return group;
}

OwnedGroup::OwnedGroup(OwnedGroup &&other) noexcept : group_(std::exchange(other.group_, MPI_GROUP_NULL)) {}

OwnedGroup &OwnedGroup::operator=(OwnedGroup &&other) noexcept {
  std::swap(group_, other.group_);
  return *this;
}

void OwnedGroup::free() {
  if (group_ != MPI_GROUP_NULL && mpi_is_up()) MPI_Group_free(&group_);
  group_ = MPI_GROUP_NULL;
}

namespace {

// Calls look(ranks in the world) for all members, some at a time, as long as it says true.
template <class Look>
void look_at_members(MPI_Group group, Look &&look) {
  MPI_Group world = MPI_GROUP_NULL;
  MPI_Comm_group(MPI_COMM_WORLD, &world);
  int ranks = 0;
  MPI_Group_size(group, &ranks);
  constexpr int at_once = 256;
  std::array<int, at_once> members;
  std::array<int, at_once> in_world;
  bool more = true;
  for (int first = 0; more && first < ranks; first += at_once) {
    const int count = std::min(at_once, ranks - first);
    std::iota(members.begin(), members.end(), first);
    MPI_Group_translate_ranks(group, count, members.data(), world, in_world.data());
    more = look(std::span<const int>(in_world).first(count));
  }
  MPI_Group_free(&world);
}

}  // namespace

bool within_world(MPI_Group group) {
  bool all = true;
  look_at_members(group, [&](std::span<const int> members) {
    return all = std::find(members.begin(), members.end(), MPI_UNDEFINED) == members.end();
  });
  return all;
}

bool are_identical(MPI_Group one, MPI_Group other) {
  int result = MPI_UNEQUAL;
  MPI_Group_compare(one, other, &result);
  return result == MPI_IDENT;
}

std::int64_t fingerprint_of(MPI_Group group) {
  std::int64_t fingerprint = fingerprint_of(std::string_view());  // from 0 leading zeros would lead to 0
  look_at_members(group, [&](std::span<const int> members) {
    const std::string_view text(reinterpret_cast<const char *>(members.data()), members.size_bytes());
    fingerprint = fingerprint_of(text, static_cast<std::uint64_t>(fingerprint));
    return true;
  });
  return fingerprint;
}

// Never destroyed, as MPI_Finalize may come after main().
KnownGroups &KnownGroups::of_process() {
  static auto *const groups = new KnownGroups;
  return *groups;
}

bool KnownGroups::switched_off() {
  const char *const value = std::getenv("RONDO_KNOWN_RANKS");
  return value != nullptr && std::string_view(value) == "0";
}

bool KnownGroups::possible() {
  return !switched_off() && has_world() && !threads_call_at_once();
}

std::shared_ptr<Duplicate> KnownGroups::find(MPI_Comm user) const {
  if (count_ == 0) return nullptr;
  const OwnedGroup group(user);
  for (std::size_t i = 0; i < count_; ++i) {
    const Known &known = known_[i];
    if (are_identical(known.group.get(), group.get()) && !known.duplicate->agreement().has_stalled()) {
      return known.duplicate;
    }
  }
  return nullptr;
}

bool KnownGroups::can_add(const OwnedGroup &group) const {
  return count_ < most && possible() && within_world(group.get());
}

void KnownGroups::add(OwnedGroup group, std::shared_ptr<Duplicate> duplicate) {
  known_[count_++] = {std::move(group), std::move(duplicate)};
}

void KnownGroups::forget_all() {
  while (count_ > 0) known_[--count_] = {};
}

}  // namespace rondo::internal
