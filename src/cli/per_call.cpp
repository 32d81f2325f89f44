#include "cli/per_call.hpp"

#include "api/report.hpp"
#include "plan/plan.hpp"
#include "schedule/lower.hpp"
#include "wire/bind.hpp"

namespace rondo::internal::cli {

PerCall::PerCall(const Problem &problem, const Selection &selection, const Exchange &exchange, const Spaces &spaces,
                 MPI_Comm comm, Entries::Form form)
    : selection_(selection),
      situation_(case_of(problem)),
      exchange_(exchange),
      spaces_(spaces),
      form_(form),
      channel_(open_channel(comm, drive_what_runs)),
      route_(selection.algorithm->route(exchange.rank, situation_.topology, selection.parameters)),
      forwarding_(forwarding_table_of(route_)) {
  channel_.open_messages();
  make_schedule();
  scratch_ = Storage(schedule_.scratch_bytes);
  staging_ = Storage(schedule_.staging_bytes);
  report_ = report_of(Choice{selection_.algorithm, selection_.parameters, {}}, schedule_);
}

void PerCall::make_schedule() {
  const Layout layout = selection_.algorithm->layout;
  const Sizes sizes =
      one_hop(layout) ? known_sizes(route_, exchange_) : SizeLearner(route_, forwarding_, exchange_).run(channel_);
  schedule_ = lower(layout, {route_, forwarding_, sizes, exchange_, situation_.largest_block, {}, Wire::datatype});
}

void PerCall::run() {
  if (!situation_.uniform()) make_schedule();
  PlanParts parts{.channel = channel_};
  parts.schedules.push_back(bind(schedule_,
                                 {.send = spaces_.send,
                                  .receive = spaces_.receive,
                                  .scratch = scratch_.data(),
                                  .staging = staging_.data(),
                                  .entries = {form_, situation_.largest_block}},
                                 channel_));
  Plan plan(std::move(parts));
  plan.start();
  plan.wait();
}

}  // namespace rondo::internal::cli
