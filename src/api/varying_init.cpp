#include "api/varying_init.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <memory>
#include <new>
#include <optional>
#include <utility>

#include "api/agreed.hpp"
#include "api/init.hpp"
#include "api/inputs.hpp"
#include "api/open_plan.hpp"
#include "api/phases.hpp"
#include "api/prices.hpp"
#include "api/report.hpp"
#include "api/reserve.hpp"
#include "api/thread_level.hpp"
#include "model/choose_varying.hpp"
#include "plan/progress.hpp"
#include "route/nodes.hpp"
#include "varying/message_link.hpp"
#include "varying/node_links.hpp"
#include "varying/varying_route.hpp"

namespace rondo::internal {

namespace {

// What one rank brings.
struct VaryingInputs {
  Hints hints{};
  std::unique_ptr<VaryingType> send{};
  std::unique_ptr<VaryingType> receive{};
  Topology topology{};
  bool prices_decide = false;  // see api/prices.hpp
};

VaryingInputs read(const Channel &channel, MPI_Datatype send, MPI_Datatype receive, MPI_Info info) {
  VaryingInputs inputs{.hints = parse_hints(info)};
  inputs.send = std::make_unique<VaryingType>(send, "send", channel.packing());
  inputs.receive = std::make_unique<VaryingType>(receive, "receive", channel.packing());
  inputs.topology = topology_of(channel, inputs.hints);
  inputs.prices_decide = prepare_prices(channel, inputs.hints, all_to_all, inputs.topology);
  return inputs;
}

// By one reduction all ranks learn what the choice is made from, or all throw the fault of the lowest that has one.
Features agree_on_features(const Channel &channel, std::optional<Error> fault, const VaryingInputs &inputs) {
  std::array<std::int64_t, 4> values{};
  Features features;
  if (!fault) {
    fault = fault_of([&] { features = varying_features(inputs.topology, inputs.hints.expected_bytes); });
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

// For this rank, and for those that share memory with it; `node_of` may pretend nodes. Null where none does.
std::unique_ptr<SendMemory> send_memory_of(const Channel &channel, const Hints &hints, std::span<const int> node_of) {
  if (hints.messages_only()) return nullptr;
  std::vector<int> sharing;
  for (const int member : channel.duplicate->node().members()) {
    const bool is_near = channel.duplicate->segment().works() && node_of[member] == node_of[channel.rank()];
    if (is_near || member == channel.rank()) sharing.push_back(member);
  }
  return std::make_unique<SendMemory>(channel.ranks(), std::move(sharing));
}

// Collective: the links, and what this rank makes by itself on them.
void open_links(const Channel &channel, const VaryingInputs &inputs, std::span<const Route> routes,
                const MessageForm &form, VaryingParts &parts) {
  NodeLinks inside;
  if (!inputs.hints.messages_only()) {
    const bool reads = reads_senders(inputs.hints.long_messages, channel.duplicate->node().turns());
    const BeyondRing asked = reads ? BeyondRing::read : BeyondRing::parts;
    inside = open_node_links(channel, inputs.topology.node_of,
                             {.metadata = form.metadata,
                              .beyond_ring = asked,
                              .memory = LinkMemory::lent,
                              .send_memory = parts.send_memory.get()});
  }
  // No rank of the node has memory, then; and ranks of several nodes have the duplicate already.
  if (!inside.memory && channel.ranks() > 1) channel.open_messages();
  parts.memory = std::move(inside.memory);
  parts.bell = inside.bell;
  parts.links.resize(channel.ranks());
  std::move(inside.to.begin(), inside.to.end(), parts.links.begin());
  open_message_links(channel, form.metadata, parts);
  std::vector<Link *> links;
  for (const auto &link : parts.links) links.push_back(link.get());
  for (const Route &route : routes) {
    parts.exchanges.push_back(make_varying_exchange(route, links, *parts.resting, form));
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
  if (inputs.prices_decide) learn_prices(channel, inputs.hints, true, features);
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
  VaryingParts parts = phases.alone([&] {
    return VaryingParts{.channel = channel,
                        .policy = policy_for(channel, inputs.hints),
                        .short_lengths = form.metadata == Metadata::separate,
                        .send_memory = send_memory_of(channel, inputs.hints, inputs.topology.node_of)};
  });
  phases.agree();

  channel.duplicate->agreement().succeed_together([&] {
    open_links(channel, inputs, routes, form, parts);
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
