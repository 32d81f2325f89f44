#include "wire/known_groups.hpp"

#include <algorithm>
#include <cstdlib>
#include <numeric>
#include <string_view>
#include <utility>

#include "wire/channel.hpp"
#include "wire/mpi_call.hpp"

namespace rondo::internal {

namespace {

bool switched_off() {
  static const bool off = [] {
    const char *const value = std::getenv("RONDO_KNOWN_RANKS");
    return value != nullptr && std::string_view(value) == "0";
  }();
  return off;
}

}  // namespace

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

bool within_world(MPI_Group group) {
  MPI_Group world = MPI_GROUP_NULL;
  MPI_Comm_group(MPI_COMM_WORLD, &world);
  int ranks = 0;
  MPI_Group_size(group, &ranks);
  bool all = true;
  constexpr int at_once = 256;
  std::array<int, at_once> members;
  std::array<int, at_once> in_world;
  for (int first = 0; all && first < ranks; first += at_once) {
    const int count = std::min(at_once, ranks - first);
    std::iota(members.begin(), members.end(), first);
    MPI_Group_translate_ranks(group, count, members.data(), world, in_world.data());
    const auto *const end = in_world.begin() + count;
    all = std::find(in_world.cbegin(), end, MPI_UNDEFINED) == end;
  }
  MPI_Group_free(&world);
  return all;
}

// Never destroyed, as MPI_Finalize may come after main().
KnownGroups &KnownGroups::of_process() {
  static auto *const groups = new KnownGroups;
  return *groups;
}

std::shared_ptr<Duplicate> KnownGroups::find(MPI_Comm user) const {
  if (count_ == 0 || switched_off()) return nullptr;
  const OwnedGroup group(user);
  for (std::size_t i = 0; i < count_; ++i) {
    int result = MPI_UNEQUAL;
    MPI_Group_compare(known_[i].group.get(), group.get(), &result);
    if (result == MPI_IDENT && !known_[i].duplicate->agreement().has_stalled()) return known_[i].duplicate;
  }
  return nullptr;
}

bool KnownGroups::can_add(const OwnedGroup &group) const {
  return count_ < most && !switched_off() && has_world() && !threads_call_at_once() && within_world(group.get());
}

void KnownGroups::add(OwnedGroup group, std::shared_ptr<Duplicate> duplicate) {
  known_[count_++] = {std::move(group), std::move(duplicate)};
}

void KnownGroups::forget_all() {
  while (count_ > 0) known_[--count_] = {};
}

}  // namespace rondo::internal
