#include "api/open_plan.hpp"

#include <fmt/format.h>

#include <string_view>
#include <utility>

#include "api/report.hpp"
#include "api/thread_level.hpp"

namespace rondo::internal {

namespace {

// The report of a native plan: as if this rank sent its data straight to each rank that receives from it.
RONDO_Report native_report(const Channel &channel, const Inputs &inputs, const Agreed &agreed, const Choice &choice) {
  const Kind &kind = *inputs.exchange.kind;
  std::vector<std::int64_t> bytes;  // by receiver
  for (int peer = 0; peer < channel.ranks(); ++peer) {
    if (!kind.receives_by_route(agreed.topology(), peer, channel.rank())) continue;
    bytes.push_back(inputs.exchange.send_to(peer).length);
  }
  return report_of(choice, channel.ranks(), bytes);
}

// The choice only takes algorithms that can keep this rule; here the plan that was made is held to it.
void check_sends_at_start_only(const PlanParts &parts) {
  if (!parts.sends_after_start()) return;
  throw Error(Fault::algorithm, "the plan would send MPI messages after its start, which needs MPI_THREAD_MULTIPLE");
}

}  // namespace

std::string name_of_plan(const Channel &channel, const char *call, const RONDO_Report &report) {
  char comm[MPI_MAX_OBJECT_NAME] = {};
  int length = 0;
  MPI_Comm_get_name(*channel.user, comm, &length);
  return fmt::format("plan {}{}{}, {} on {} ranks by {}", channel.tag, length > 0 ? " of " : "", comm, call,
                     report.ranks, algorithm_text(report));
}

void open_memory(NodeAccess &node, const PlanBuffers &buffers, PlanParts &parts) {
  const BoundSpaces given = parts.spaces();
  parts.shared->open(node, given.send, given.receive);
  if (buffers.send) {
    parts.buffers.send = parts.shared->send_base();
    parts.send.move_to(parts.buffers.send);  // which nothing stands in for unless its blocks have gaps
  }
  if (buffers.receive) parts.buffers.receive = parts.shared->receive_base();
}

OpenedPlan open_plan(const Channel &channel, const Inputs &inputs, const Agreed &agreed, const Chosen &chosen,
                     PlanParts parts) {
  OpenedPlan opened;
  if (parts.native) {
    parts.native->open();
    parts.schedules = parts.bind_all();
    opened.report = native_report(channel, inputs, agreed, chosen.choice);
  } else {
    if (parts.shared) {
      if (!parts.shared->tables()) parts.shared->read_tables();
      opened.tables = parts.shared->tables();
    }
    parts.schedules = parts.bind_all();
    if (agreed.features.situation.sends_at_start_only) check_sends_at_start_only(parts);
    opened.others_read_send =
        parts.shared && !parts.send.image && parts.shared->layout().others_read(Base::process_send);
    opened.others_read_receive =
        parts.shared && !parts.receive.image && parts.shared->layout().others_read(Base::process_receive);
    opened.report = report_of(chosen.choice, *parts.schedule);
  }
  if (parts.policy.beside) {
    check_thread_level(parts.calls_mpi());
    std::string_view("thread").copy(opened.report.progress, sizeof(opened.report.progress) - 1);
  }
  opened.report.measured_seconds = chosen.measured;
  parts.name = name_of_plan(channel, name_of(inputs.arguments.collective), opened.report);
  opened.plan = std::make_unique<Plan>(std::move(parts));
  return opened;
}

}  // namespace rondo::internal
