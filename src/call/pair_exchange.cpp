#include "call/pair_exchange.hpp"

#include <algorithm>
#include <array>
#include <optional>
#include <utility>
#include <vector>

#include "plan/progress.hpp"
#include "route/nodes.hpp"
#include "varying/metadata.hpp"
#include "wire/agreement.hpp"
#include "wire/attach.hpp"
#include "wire/device_memory.hpp"
#include "wire/given_side.hpp"
#include "wire/opposite_ranks.hpp"

namespace rondo::internal::call {

namespace {

// A block that would go round the ring so many times goes by MPI: with rings of 128 KiB, from 4 MiB on. What has gaps
// is packed as a whole for a link, so there is a limit to the memory which that takes; and two copies through a ring
// are the faster way up to there (docs/interposer.md).
constexpr std::int64_t long_data_rounds = 32;

// Blocks that are shorter go by a link. A library that knows GPUs copies from one to another faster than by way of the
// processors' memory. Where rings are slow, and ranks cannot read each other's memory, a link has no fast way for
// others.
std::int64_t least_by_message(const NodeLinks &links, bool may_have_device_memory, std::int64_t turns) {
  if (!links.memory) return 0;
  const bool only_short = may_have_device_memory || (!rings_are_faster(turns) && !links.reads_others);
  return only_short ? links.ring_bytes / 4 : long_data_rounds * links.ring_bytes;
}

}  // namespace

std::shared_ptr<CallLinks> CallLinks::open(const Channel &channel, const Wishes &wishes, WorldRanks world_ranks,
                                           std::optional<Error> fault, AgreedByAll &all) {
  const Node &node = channel.duplicate->node();
  std::array<std::int64_t, 7> agreed{wishes.messages_only ? 1 : 0,
                                     wishes.node_size,
                                     -wishes.node_size,
                                     may_have_device_memory() ? 1 : 0,
                                     node.turns(),
                                     all.repeated,
                                     all.tag};
  std::vector<int> node_of;
  std::shared_ptr<CallLinks> made;
  if (!fault) fault = wishes.fault;
  if (!fault) {
    fault = fault_of([&] {
      made = std::make_shared<CallLinks>();
      made->wishes_ = wishes;
      made->world_ranks_ = std::move(world_ranks);
      node_of = wishes.node_size > 0 ? pretend_nodes(node.node_of(), wishes.node_size) : node.node_of();
    });
  }
  Agreement &agreement = channel.duplicate->agreement();
  agreement.agree(agreed, fault, drive_what_runs);
  all = {agreed[5], agreed[6]};
  if (agreed[1] != -agreed[2]) throw Error(Fault::hint, "RONDO_NODE_SIZE is not the same on all ranks");
  const int ranks = channel.ranks();
  made->leaves_nodes_ = agreed[0] != 0 || node.local_ranks() < ranks || (agreed[1] > 0 && agreed[1] < ranks);
  made->patience_ = Patience::of(node.ranks_on_cores(), node.cores());
  // A node without memory for links goes on without them, as all its ranks know. If a rank fails in any other way, all
  // ranks fail.
  agreement.succeed_together([&] {
    if (agreed[0] != 0) return;
    const BeyondRing beyond_ring = rings_are_faster(agreed[4]) ? BeyondRing::parts : BeyondRing::read;
    made->links_ = open_node_links(channel, node_of, {Metadata::joined, beyond_ring, LinkMemory::own, &made->call_});
    made->least_by_message_ = least_by_message(made->links_, agreed[3] != 0, agreed[4]);
  });
  made->have_cores_ = agreed[4] <= 1;
  // Where each has a core of its own, measured up to so many ranks (docs/interposer.md).
  constexpr int most_gathering = 16;
  made->gathers_ =
      made->links_.memory && !made->leaves_nodes_ && agreed[3] == 0 && (ranks <= most_gathering || !made->have_cores_);
  return made;
}

// What others have sent for earlier calls in which this rank has failed must not fill the links.
void CallLinks::tell_failure() {
  if (broken_) return;
  for (const auto &link : links_.to) {
    if (!link) continue;
    link->pass_over();
    link->send_block({nullptr, 0});
  }
}

void CallLinks::break_off() {
  broken_ = true;
  for (const auto &link : links_.to) {
    if (link) link->withdraw();
  }
}

void CallLinks::sleep() {
  Bell *const bell = links_.memory ? links_.bell : &alone_;
  bell->sleep(std::chrono::microseconds(50), [] { return false; });
}

namespace {

std::shared_ptr<void> &kept_links(Duplicate &duplicate) {
  return duplicate.kept(Duplicate::Kept::call_links);
}

}  // namespace

bool PairExchange::has_links(Duplicate &known) {
  return kept_links(known) != nullptr;
}

std::shared_ptr<PairExchange> PairExchange::open(MPI_Comm user, const Wishes &wishes, Brought brought) {
  const Channel channel = open_channel(user, drive_what_runs);
  if (!WorldMessages::of_process().is_open()) channel.open_messages();
  return made_on(channel, wishes, std::move(brought));
}

std::shared_ptr<PairExchange> PairExchange::join(const std::shared_ptr<Duplicate> &known, Brought brought) {
  const Channel channel{known, known->draw_tag()};
  if (channel.tag < 0 && !brought.fault) {
    brought.fault = Error(Fault::comm, "there is no tag left for a further communicator of these ranks");
  }
  return made_on(channel, {}, std::move(brought));
}

// The links are those that are kept with the ranks. Where there are none, or some rank has given them up, new ones are
// made, by the wishes of the first.
std::shared_ptr<PairExchange> PairExchange::made_on(const Channel &channel, const Wishes &first, Brought &&brought) {
  WorldMessages &world = WorldMessages::of_process();
  std::shared_ptr<void> &kept = kept_links(*channel.duplicate);
  auto links = std::static_pointer_cast<CallLinks>(kept);  // on all ranks or on none
  std::shared_ptr<PairExchange> made;
  WorldRanks world_ranks;
  const auto fault = fault_of([&] {
    made = std::make_shared<PairExchange>();
    made->channel_ = channel;
    const bool has_two_groups = channel.duplicate->second_group() > 0;
    if (has_two_groups) {
      const std::vector<int> ranks = opposite_ranks(channel);
      made->opposite_ =
          Neighbors{.sources = ranks, .destinations = ranks, .matching = every_rank(static_cast<int>(ranks.size()))};
    }
    if (links == nullptr && world.is_open()) {
      world_ranks = WorldMessages::ranks_of(has_two_groups ? channel.comm() : *channel.user);
    }
  });
  if (!brought.fault) brought.fault = fault;
  AgreedByAll all{brought.repeated ? 1 : 0, world.proposed_tag()};
  if (links == nullptr) {
    kept = links = CallLinks::open(channel, first, std::move(world_ranks), std::move(brought.fault), all);
  } else {
    std::array<std::int64_t, 3> agreed{all.repeated, all.tag, links->broken() ? 1 : 0};
    channel.duplicate->agreement().agree(agreed, brought.fault, drive_what_runs);
    all = {agreed[0], agreed[1]};
    if (agreed[2] != 0) {
      kept = links = CallLinks::open(channel, links->wishes(), links->world_ranks(), std::nullopt, all);
    }
  }
  made->go_by(std::move(links), all);
  return made;
}

// What the ranks have made and agreed on.
void PairExchange::go_by(std::shared_ptr<CallLinks> links, const AgreedByAll &all) {
  WorldMessages &world = WorldMessages::of_process();
  repeated_neighbors_ = all.repeated != 0;
  comm_ = world.is_open() ? world.comm() : channel_.comm();
  tag_ = world.is_open() ? world.take(all.tag) : channel_.tag;
  addresses_ = links->world_ranks();
  links_ = std::move(links);
}

std::shared_ptr<PairExchange> PairExchange::open_for_started() const {
  std::shared_ptr<PairExchange> made;
  auto fault = fault_of([&] {
    made = std::make_shared<PairExchange>();
    made->channel_ = channel_;
    made->opposite_ = opposite_;
    made->started_calls_ = std::make_unique<StartedCalls>(*made);
  });
  AgreedByAll all{repeated_neighbors_ ? 1 : 0, WorldMessages::of_process().proposed_tag()};
  auto links = CallLinks::open(channel_, links_->wishes(), addresses_, std::move(fault), all);
  made->go_by(std::move(links), all);
  return made;
}

int PairExchange::peer_at(int address) const {
  if (!addresses_) return address;
  return static_cast<int>(std::find(addresses_->begin(), addresses_->end(), address) - addresses_->begin());
}

// What has been begun to be sent may change from now on.
void PairExchange::break_off() {
  broken_ = true;
  links_->break_off();
}

void PairExchange::throw_broken() {
  throw Error::of(Fault::internal, [] { return "an earlier call of these ranks has failed: they are out of step"; });
}

}  // namespace rondo::internal::call
