#include "api/varying_init.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <memory>
#include <new>
#include <optional>
#include <utility>

#include "api/agreed.hpp"
#include "api/earlier.hpp"
#include "api/init.hpp"
#include "api/inputs.hpp"
#include "api/message_costs.hpp"
#include "api/open_plan.hpp"
#include "api/phases.hpp"
#include "api/report.hpp"
#include "api/reserve.hpp"
#include "api/thread_level.hpp"
#include "model/choose_varying.hpp"
#include "plan/progress.hpp"
#include "route/nodes.hpp"
#include "varying/message_link.hpp"
#include "varying/slot_link.hpp"
#include "varying/varying_route.hpp"

namespace rondo::internal {

namespace {

// What one rank brings.
struct VaryingInputs {
  Hints hints{};
  std::unique_ptr<VaryingType> send{};
  std::unique_ptr<VaryingType> receive{};
  Topology topology{};
};

VaryingInputs read(const Channel &channel, MPI_Datatype send, MPI_Datatype receive, MPI_Info info) {
  VaryingInputs inputs{.hints = parse_hints(info)};
  inputs.send = std::make_unique<VaryingType>(send, "send", channel.packing());
  inputs.receive = std::make_unique<VaryingType>(receive, "receive", channel.packing());
  inputs.topology = topology_of(channel, inputs.hints);
  return inputs;
}

// By one reduction all ranks learn what the choice is made from, or all throw the fault of the lowest that has one.
Features agree_on_features(const Channel &channel, std::optional<Error> fault, const VaryingInputs &inputs) {
  std::array<std::int64_t, 4> values{};
  Features features;
  if (!fault) {
    fault = fault_of([&] {
      features = varying_features(inputs.topology, inputs.hints.expected_bytes);
      EarlierPlans::of(channel);  // takes its memory now: learn_message_costs keeps there what it has measured
    });
  }
  if (!fault) {
    const Node &node = channel.duplicate->node();
    values = {inputs.hints.fingerprint(), -inputs.hints.fingerprint(), shares_memory(channel, inputs.hints) ? 0 : 1,
              node.turns()};
  }
  channel.duplicate->agreement().agree(values, fault, drive_what_runs, inputs.hints.stall_timeout);
  // From here on no memory is taken, since other ranks could not be told if there were none.
  if (values[0] != -values[1]) tell_difference(channel, inputs.hints);
  features.shares_memory = values[2] == 0;
  features.turns = values[3];
  if (!features.shares_memory || count_nodes(inputs.topology) > 1) channel.open_messages();
  return features;
}

// The memory of the links between the ranks of a node: a bell for each, and slots for each ordered pair.
struct LinkPlaces {
  explicit LinkPlaces(int ranks) : members(ranks) {
    constexpr std::int64_t most_in_all = std::int64_t{16} << 20;
    constexpr std::int64_t least = 1024;
    constexpr std::int64_t most = 65536;
    slots.slot_bytes =
        std::clamp(most_in_all / (SlotPlaces::slots * members * members) / cache_line * cache_line, least, most);
  }
  [[nodiscard]] std::int64_t bell(std::int64_t member) const { return member * cache_line; }
  [[nodiscard]] std::int64_t link(std::int64_t from, std::int64_t to) const {
    return members * cache_line + (from * members + to) * slots.bytes();
  }
  [[nodiscard]] std::int64_t bytes() const { return link(members, 0); }

  std::int64_t members;
  SlotPlaces slots{};
};

// Collective over the node: takes the memory of the links inside it, and clears this rank's part. Empty where there is
// none.
Lease meet_node(const Channel &channel, const LinkPlaces &places) {
  Segment &segment = channel.duplicate->segment();
  if (!segment.works()) return Lease();
  Lease memory = segment.lend(places.bytes());
  if (!memory) return memory;
  const int self = channel.duplicate->node().local_rank();
  new (memory.data() + places.bell(self)) Bell;
  for (std::int64_t from = 0; from < places.members; ++from) {
    SlotEnd::clear(memory.data() + places.link(from, self), places.slots);
  }
  channel.duplicate->agreement().board()->show({}, nullptr, nullptr);
  return memory;
}

// The data of a message is read from where it lies, by the kernel, from so many bytes on: two copies through slots that
// stay in the caches are faster up to there (docs/performance.md). Where ranks take turns on a core, all that needs
// several cuts is read so, since each cut would need a turn of both ranks.
constexpr std::int64_t long_data = std::int64_t{1} << 20;

void open_slot_links(const Channel &channel, const VaryingInputs &inputs, const LinkPlaces &places, Metadata metadata,
                     VaryingParts &parts) {
  if (!parts.memory) return;
  const Node &node = channel.duplicate->node();
  const std::vector<int> &node_of = inputs.topology.node_of;
  std::byte *const memory = parts.memory.data();
  const int self = node.local_rank();
  parts.bell = reinterpret_cast<Bell *>(memory + places.bell(self));
  for (int member = 0; member < node.local_ranks(); ++member) {
    const int peer = node.members()[member];
    if (member == self || node_of[peer] != node_of[channel.rank()]) continue;
    SlotPeer other{peer, reinterpret_cast<Bell *>(memory + places.bell(member))};
    if (channel.duplicate->segment().can_attach()) {
      other.process = channel.duplicate->segment().process(member);
      other.least_read = node.turns() > 1 ? places.slots.slot_bytes : long_data;
    }
    parts.links[peer] = std::make_unique<SlotLink>(memory + places.link(self, member),
                                                   memory + places.link(member, self), places.slots, other, metadata);
  }
}

void open_message_links(const Channel &channel, Metadata metadata, VaryingParts &parts) {
  for (int peer = 0; peer < channel.ranks(); ++peer) {
    if (peer == channel.rank() || parts.links[peer]) continue;
    if (!parts.messages) {
      parts.messages = std::make_unique<MessageWire>(channel.comm(), channel.tag, channel.ranks());
    }
    parts.links[peer] = std::make_unique<MessageLink>(*parts.messages, peer, metadata);
  }
}

std::string_view wires_of(const VaryingParts &parts) {
  if (parts.links.size() == 1) return "none";
  if (!parts.messages) return "shared";
  return parts.memory ? "shared+packed" : "packed";
}

// Everything of the plan that this rank makes by itself, once the memory of the node is there.
void open_links(const Channel &channel, const VaryingInputs &inputs, std::span<const Route> routes,
                const LinkPlaces &places, const MessageForm &form, VaryingParts &parts) {
  parts.links.resize(channel.ranks());
  open_slot_links(channel, inputs, places, form.metadata, parts);
  open_message_links(channel, form.metadata, parts);
  std::vector<Link *> links;
  for (const auto &link : parts.links) links.push_back(link.get());
  for (const Route &route : routes) {
    parts.exchanges.push_back(std::make_unique<VaryingExchange>(route, links, *parts.resting, form));
  }
  if (inputs.hints.progress_thread) check_thread_level(parts.messages != nullptr);
}

}  // namespace

OwnedRequest init_varying(MPI_Datatype send, MPI_Datatype receive, MPI_Comm comm, MPI_Info info,
                          std::optional<Error> refusal) {
  check_communicator(comm);
  const double begin = MPI_Wtime();
  const Channel channel = open_channel(comm, drive_what_runs);
  const Phases phases(channel.duplicate->agreement());

  VaryingInputs inputs;
  if (!refusal) refusal = fault_of([&] { inputs = read(channel, send, receive, info); });
  Features features = agree_on_features(channel, std::move(refusal), inputs);
  learn_message_costs(channel, inputs.hints.wish, features);
  const std::vector<Choice> choices = phases.alike(
      [&] { return choose_varying(features, inputs.hints.wish, inputs.hints.metadata == Metadata::separate); });
  const std::vector<Route> routes = phases.alone([&] {
    std::vector<Route> all;
    for (const Choice &choice : choices) {
      all.push_back(varying_route(*choice.algorithm, channel.rank(), inputs.topology, choice.parameters));
    }
    return all;
  });
  OwnedRequest request = phases.alone([] { return OwnedRequest::make(); });
  // Candidates are alike in it: where they are several, none pads, and lengths are at the head of the data.
  const MessageForm form =
      form_of(*choices.front().algorithm, inputs.hints.metadata == Metadata::separate, choices.size() > 1);
  const LinkPlaces places(channel.duplicate->node().local_ranks());
  VaryingParts parts = phases.alone([&] {
    return VaryingParts{.channel = channel,
                        .policy = policy_for(channel, inputs.hints),
                        .short_lengths = form.metadata == Metadata::separate};
  });
  phases.agree();

  channel.duplicate->agreement().succeed_together([&] {
    if (!inputs.hints.messages_only()) parts.memory = meet_node(channel, places);
    // No rank of the node has any, then; and ranks of several nodes have the duplicate already.
    if (!parts.memory && channel.ranks() > 1) channel.open_messages();
    open_links(channel, inputs, routes, places, form, parts);
    const int messages_each = form.metadata == Metadata::joined ? 1 : 2;
    for (std::size_t i = 0; i < routes.size(); ++i) {
      RONDO_Report report = report_of(choices[i], routes[i], messages_each, wires_of(parts));
      if (inputs.hints.progress_thread) std::string_view("thread").copy(report.progress, sizeof(report.progress) - 1);
      request->reports.push_back(report);
    }
    request->report = request->reports.front();
    parts.name = name_of_plan(channel, "alltoallv of varying counts", request->report);
    parts.send = std::move(inputs.send);
    parts.receive = std::move(inputs.receive);
    auto plan = std::make_unique<VaryingPlan>(std::move(parts));
    request->varying = plan.get();
    request->plan = std::move(plan);
  });

  if (inputs.hints.errors_to_handler) request->errors_to = channel.user;
  request->rank = channel.rank();
  for (RONDO_Report &report : request->reports) report.init_seconds = MPI_Wtime() - begin;
  request->report = request->reports.front();
  if (inputs.hints.report && channel.rank() == 0) {
    fault_of([&] { log_report(request->plan->name(), request->report); });
  }
  return request;
}

}  // namespace rondo::internal
