#include "wire/merged_groups.hpp"

#include <array>

#include "wire/mpi_call.hpp"

namespace rondo::internal {

namespace {

// The ranks in MPI_COMM_WORLD of the first rank of this group and of the other; MPI_UNDEFINED for one that is not
// there.
std::array<int, 2> leaders_in_world(MPI_Comm inter) {
  std::array<int, 2> leaders = {MPI_UNDEFINED, MPI_UNDEFINED};
  if (!has_world()) return leaders;
  MPI_Group world = MPI_GROUP_NULL;
  std::array<MPI_Group, 2> groups = {MPI_GROUP_NULL, MPI_GROUP_NULL};
  MPI_Comm_group(MPI_COMM_WORLD, &world);
  MPI_Comm_group(inter, &groups[0]);
  MPI_Comm_remote_group(inter, &groups[1]);
  const int zero = 0;
  for (std::size_t i = 0; i < groups.size(); ++i) {
    MPI_Group_translate_ranks(groups[i], 1, &zero, world, &leaders[i]);
    MPI_Group_free(&groups[i]);
  }
  MPI_Group_free(&world);
  return leaders;
}

// Whether this group comes before the other: its first rank is the lower one in MPI_COMM_WORLD, or they have no world
// in common.
bool comes_first(MPI_Comm inter) {
  const auto [own, other] = leaders_in_world(inter);
  return own == MPI_UNDEFINED || other == MPI_UNDEFINED || own < other;
}

bool is_in_group_of(MPI_Comm inter, MPI_Comm merged, int rank) {
  MPI_Group of_merged = MPI_GROUP_NULL;
  MPI_Group own = MPI_GROUP_NULL;
  MPI_Comm_group(merged, &of_merged);
  MPI_Comm_group(inter, &own);
  int in_own = MPI_UNDEFINED;
  MPI_Group_translate_ranks(of_merged, 1, &rank, own, &in_own);
  MPI_Group_free(&of_merged);
  MPI_Group_free(&own);
  return in_own != MPI_UNDEFINED;
}

}  // namespace

// MPI leaves open which group comes first where neither asks for it, and the ranks of a group may be of several worlds,
// so that they do not know alike: one of them decides, and a second step puts the groups in that order, and each in its
// own.
int merge_groups(MPI_Comm inter, MPI_Comm *whole) {
  int own_rank = 0;
  int own_ranks = 0;
  int other_ranks = 0;
  check_mpi(MPI_Comm_rank(inter, &own_rank), "MPI_Comm_rank");
  check_mpi(MPI_Comm_size(inter, &own_ranks), "MPI_Comm_size");
  check_mpi(MPI_Comm_remote_size(inter, &other_ranks), "MPI_Comm_remote_size");
  MPI_Comm merged = MPI_COMM_NULL;
  check_mpi(MPI_Intercomm_merge(inter, 0, &merged), "MPI_Intercomm_merge");
  int decided = comes_first(inter) ? 1 : 0;
  int status = MPI_Bcast(&decided, 1, MPI_INT, 0, merged);
  const bool first = is_in_group_of(inter, merged, 0) == (decided != 0);
  if (status == MPI_SUCCESS) status = MPI_Comm_split(merged, 0, first ? own_rank : other_ranks + own_rank, whole);
  MPI_Comm_free(&merged);
  check_mpi(status, "MPI_Comm_split");
  return first ? own_ranks : other_ranks;
}

}  // namespace rondo::internal
