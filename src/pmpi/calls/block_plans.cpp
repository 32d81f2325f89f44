#include "pmpi/calls/block_plans.hpp"

#include <algorithm>
#include <optional>

#include "plan/progress.hpp"
#include "plans/algorithm.hpp"
#include "pmpi/pass/blocked.hpp"
#include "pmpi/settings/settings.hpp"
#include "wire/agreement.hpp"
#include "wire/channel.hpp"
#include "wire/packing.hpp"

namespace rondo::internal::pmpi {

namespace {

// Whether what was chosen for the plan is more than to send each block by itself, which needs no plan.
bool forwards(RONDO_Request plan) {
  RONDO_Report report{};
  RONDO_Request_report(plan, &report, sizeof(report));
  const Algorithm *algorithm = find_algorithm(report.algorithm);
  return algorithm != nullptr && algorithm->layout != Layout::native && !one_hop(algorithm->layout);
}

}  // namespace

BlockPlan::BlockPlan(RONDO_Request plan, std::int64_t block_bytes) : plan_(plan), block_bytes_(block_bytes) {
  void *send = nullptr;
  void *receive = nullptr;
  RONDO_Request_buffers(plan, &send, &receive);
  send_ = static_cast<std::byte *>(send);
  receive_ = static_cast<std::byte *>(receive);
}

void BlockPlan::run(const call::Messages &messages, void *send, void *receive, MPI_Comm packing) {
  void *const from = messages.in_place ? receive : send;
  for (const call::Message &message : messages.sends) pack(message.elements(from), slot(send_, message), packing);
  for (const call::Message &message : messages.own_sends) pack(message.elements(from), slot(send_, message), packing);
  plan_.start();
  plan_.wait();
  for (const call::Message &message : messages.receives)
    unpack(message.elements(receive), slot(receive_, message), packing);
  for (const call::Message &message : messages.own_receives)
    unpack(message.elements(receive), slot(receive_, message), packing);
}

BlockPlan *BlockPlans::of(std::int64_t block_bytes) {
  if (block_bytes == 0 || block_bytes > most_bytes) return nullptr;
  const auto found =
      std::find_if(sizes_.begin(), sizes_.end(), [&](const Size &size) { return size.block_bytes == block_bytes; });
  if (found != sizes_.end()) {
    sizes_.splice(sizes_.begin(), sizes_, found);
  } else {
    sizes_.push_front({block_bytes});
    if (sizes_.size() > most_sizes) sizes_.pop_back();
  }
  Size &size = sizes_.front();
  if (++size.calls == settings().cache_after) size.plan = make(block_bytes);
  return size.plan.get();
}

// Init fails on all ranks or on none, and chooses the same on all; where there is no plan blocks go directly.
std::unique_ptr<BlockPlan> BlockPlans::make(std::int64_t block_bytes) const {
  const Blocked blocked;
  RONDO_Request plan = RONDO_REQUEST_NULL;
  // These hints are set here because environment variables of these names may be meant for the program's persistent
  // calls. A blocking call must not give up after a while, nor call an error handler because there is no plan.
  MPI_Info info = MPI_INFO_NULL;
  PMPI_Info_create(&info);
  PMPI_Info_set(info, "rondo_errors", "return");
  PMPI_Info_set(info, "rondo_stall_timeout", "0");
  PMPI_Info_set(info, "rondo_progress", "caller");
  const int code = RONDO_Alltoall_init_c(RONDO_PLAN_BUFFER, block_bytes, MPI_BYTE, RONDO_PLAN_BUFFER, block_bytes,
                                         MPI_BYTE, comm_, info, &plan);
  PMPI_Info_free(&info);
  if (code != MPI_SUCCESS) return nullptr;
  std::unique_ptr<BlockPlan> made;
  const auto fault = fault_of([&] { made = std::make_unique<BlockPlan>(plan, block_bytes); });
  if (fault) RONDO_Request_free(&plan);
  std::int64_t any_not = fault || !forwards(plan) ? 1 : 0;
  duplicate_of_channels(comm_)->agreement().agree({&any_not, 1}, std::nullopt, drive_what_runs);
  return any_not == 0 ? std::move(made) : nullptr;
}

}  // namespace rondo::internal::pmpi
