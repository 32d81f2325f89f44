#include "pmpi/calls/meetings.hpp"

#include <array>
#include <bit>
#include <cstddef>

#include "exchange/error.hpp"
#include "plan/progress.hpp"
#include "pmpi/calls/communicator.hpp"
#include "pmpi/requests/raise.hpp"
#include "pmpi/settings/world.hpp"
#include "wire/agreement.hpp"
#include "wire/channel.hpp"
#include "wire/handle_table.hpp"
#include "wire/known_groups.hpp"

namespace rondo::internal::pmpi {

constinit std::atomic<int> reasons_to_meet{0};

namespace {

// Ranks that know each other, and have made communicators with a topology.
struct Group {
  Duplicate *known;
  std::int64_t made;         // such communicators
  std::uint64_t since_last;  // collective calls

  [[nodiscard]] bool looks_in_next() const {
    constexpr std::uint64_t first_time = 16;
    return since_last + 1 >= first_time && std::has_single_bit(since_last + 1);
  }
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
  Group *find_or_add(Duplicate *known) {
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

// What a thread's last collective calls on a few communicators have found, as long as no communicator has ended and no
// ranks have met since.
struct LastMeeting {
  std::uint64_t comm = 0;  // bits of the handle
  std::uint64_t drops = 0;
  std::size_t groups_known = 0;
  std::size_t groups = 0;
  Communicator *found = nullptr;
  Group *group = nullptr;

  [[nodiscard]] bool serves(MPI_Comm asked) const {
    return found != nullptr && comm == bits_of(asked) &&
           drops == dropped_communicators.load(std::memory_order_relaxed) &&
           groups_known == KnownGroups::of_process().count() && groups == all_groups.count;
  }
};
constinit thread_local std::array<LastMeeting, 4> last_meetings [[gnu::tls_model("initial-exec")]];

LastMeeting &last_meeting_on(MPI_Comm comm) {
  return last_meetings[(bits_of(comm) * 0x9E3779B97F4A7C15U) >> 62];
}

// The group is null where its ranks have made no communicator with a topology, or do not know each other.
const LastMeeting &meeting_on(MPI_Comm comm) {
  LastMeeting &last = last_meeting_on(comm);
  if (last.serves(comm)) return last;
  const std::uint64_t drops = dropped_communicators.load(std::memory_order_relaxed);
  Communicator *const found = communicator(comm);
  Duplicate *const known = found == nullptr || all_groups.count == 0 ? nullptr : found->known();
  last = {bits_of(comm),    drops, KnownGroups::of_process().count(),
          all_groups.count, found, known == nullptr ? nullptr : all_groups.find(known)};
  return last;
}

int meet(MPI_Comm comm) {
  return or_raise(comm, [&] {
    const LastMeeting here = meeting_on(comm);
    if (here.found != nullptr) here.found->open_where_wanted();
    if (here.group == nullptr) return MPI_SUCCESS;
    const bool looks = here.group->looks_in_next();
    ++here.group->since_last;
    if (looks && !here.group->known->agreement().has_stalled()) find_one_that_is_alone(*here.group->known);
    return MPI_SUCCESS;
  });
}

}  // namespace

// In most calls there is nothing to be done. What ranks do together is the main thread's, where others must not call
// MPI: these find nothing here.
int meet_in(MPI_Comm comm) {
  if (const LastMeeting &last = last_meeting_on(comm); last.serves(comm) && !last.found->wants_links()) {
    const bool looks = last.group != nullptr && last.group->looks_in_next();
    if (!looks && last.group != nullptr) ++last.group->since_last;
    if (!looks) return MPI_SUCCESS;
  }
  return is_stray_thread() ? MPI_SUCCESS : meet(comm);
}

// Where threads call MPI at once no group is known, so that one thread at a time comes here.
void note_topology(int code, const MPI_Comm *made) {
  if (code != MPI_SUCCESS || made == nullptr || *made == MPI_COMM_NULL || is_stray_thread() ||
      !takes_started_calls_between_neighbors())
    return;
  const KnownGroups &groups = KnownGroups::of_process();
  if (groups.count() == 0) return;
  // Without the memory for it this rank never says that it wants links for this communicator.
  Communicator *kept = nullptr;
  fault_of([&] { kept = communicator(*made); });
  const auto known = kept != nullptr ? kept->scope().known : groups.find(*made);
  Group *const group = known ? all_groups.find_or_add(known.get()) : nullptr;
  if (group == nullptr) return;
  ++group->made;
  group->since_last = 0;
  if (kept != nullptr) kept->set_number_among_topologies(group->made);
}

}  // namespace rondo::internal::pmpi
