#include "pmpi/calls/meetings.hpp"

#include <array>
#include <bit>
#include <cstddef>

#include "exchange/error.hpp"
#include "plan/progress.hpp"
#include "pmpi/calls/communicator.hpp"
#include "pmpi/requests/raise.hpp"
#include "wire/agreement.hpp"
#include "wire/channel.hpp"

namespace rondo::internal::pmpi {

constinit std::atomic<int> reasons_to_meet{0};

namespace {

// Ranks that know each other, and have made communicators with a topology.
struct Group {
  const Duplicate *known;
  std::int64_t made;        // such communicators
  std::int64_t since_last;  // collective calls
};

// There are few: only so many groups are known (wire/known_groups.hpp). It takes no memory to add one, which one rank
// alone may not have.
struct Groups {
  std::array<Group, 16> groups;
  std::size_t count;

  Group *find(const Duplicate *known) {
    for (std::size_t i = 0; i < count; ++i) {
      if (groups[i].known == known) return &groups[i];
    }
    return nullptr;
  }
  Group *find_or_add(const Duplicate *known) {
    Group *const found = find(known);
    if (found != nullptr || count == groups.size()) return found;
    groups[count] = {known, 0, 0};
    if (count == 0) reasons_to_meet.fetch_add(1, std::memory_order_relaxed);
    return &groups[count++];
  }
};

constinit Groups all_groups{};

bool takes_started_calls_between_neighbors() {
  const Settings &all = settings();
  return all.takes(Call::ineighbor_alltoall) || all.takes(Call::ineighbor_alltoallv) ||
         all.takes(Call::ineighbor_alltoallw);
}

// Collective over the group. Where its ranks cannot agree any more, none of them finds anything.
void find_one_that_is_alone(Duplicate &known) {
  Communicator *const first = Communicator::first_that_wants_links(known);
  const std::int64_t number = first == nullptr ? 0 : first->number_among_topologies();
  const std::int64_t calls = first == nullptr ? 0 : first->calls_that_did_not_wait();
  std::array<std::int64_t, 4> figures{number, -number, calls, -calls};
  if (fault_of([&] { known.agreement().agree(figures, std::nullopt, drive_what_runs); })) return;
  const bool is_same = figures[0] == -figures[1] && figures[2] == -figures[3];
  if (is_same && first != nullptr) first->open_where_wanted();
}

}  // namespace

int meet_in(MPI_Comm comm) {
  return or_raise(comm, [&] {
    Communicator *const found = communicator(comm);
    if (found == nullptr) return MPI_SUCCESS;
    found->open_where_wanted();
    if (all_groups.count == 0) return MPI_SUCCESS;
    Duplicate *const known = found->known();
    Group *const group = known == nullptr || known->agreement().has_stalled() ? nullptr : all_groups.find(known);
    constexpr std::uint64_t first_time = 16;
    if (group == nullptr) return MPI_SUCCESS;
    const auto since = static_cast<std::uint64_t>(++group->since_last);
    if (since >= first_time && std::has_single_bit(since)) find_one_that_is_alone(*known);
    return MPI_SUCCESS;
  });
}

// Where threads call MPI at once no group is known, so that one thread at a time comes here.
int note_topology(int code, const MPI_Comm *made) {
  if (code != MPI_SUCCESS || made == nullptr || *made == MPI_COMM_NULL || !takes_started_calls_between_neighbors())
    return code;
  const auto known = Communicator::known_ranks_of(*made);
  Group *const group = known ? all_groups.find_or_add(known.get()) : nullptr;
  if (group == nullptr) return code;
  ++group->made;
  group->since_last = 0;
  // Without the memory for it this rank never says that it wants links for this communicator.
  const auto fault = fault_of([&] {
    if (Communicator *const kept = communicator(*made)) kept->set_number_among_topologies(group->made);
  });
  return code;
}

}  // namespace rondo::internal::pmpi
