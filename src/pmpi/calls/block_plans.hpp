#pragma once

// Plans for calls of MPI_Alltoall.
//
// All blocks of such a call have one size, which all ranks know. So all ranks count the same number of calls with
// blocks of a size, and all make a plan for it at the same call, without having to agree first. A plan pays between
// nodes, where many small blocks travel faster if ranks forward them for each other than if each block is a message of
// its own. The plan has buffers of its own, to which the blocks are copied: they are small, and the program's buffers
// may be others in each call.

#include <mpi.h>

#include <cstdint>
#include <list>
#include <memory>

#include "call/messages.hpp"
#include "pmpi/requests/plan_operation.hpp"

namespace rondo::internal::pmpi {

class BlockPlan {
 public:
  explicit BlockPlan(RONDO_Request plan, std::int64_t block_bytes);

  // One call: what the messages say, from and to these buffers; `packing` as in wire/packing.hpp. Throws Error.
  void run(const call::Messages &messages, void *send, void *receive, MPI_Comm packing);

 private:
  [[nodiscard]] std::byte *slot(std::byte *buffer, const call::Message &message) const {
    return buffer + message.peer * block_bytes_;
  }

  PlanOperation plan_;
  std::int64_t block_bytes_;
  std::byte *send_ = nullptr;
  std::byte *receive_ = nullptr;
};

// The plans of one communicator, for the block sizes that were used last.
class BlockPlans {
 public:
  explicit BlockPlans(MPI_Comm comm) : comm_(comm) {}

  // The plan for this call, or null where its blocks go directly. Counts the call; collective where it makes a plan.
  BlockPlan *of(std::int64_t block_bytes);

 private:
  // Larger ones are not worth forwarding, and take more memory.
  static constexpr std::int64_t most_bytes = 4096;
  static constexpr std::size_t most_sizes = 16;

  struct Size {
    std::int64_t block_bytes;
    std::int64_t calls = 0;
    std::unique_ptr<BlockPlan> plan{};
  };

  std::unique_ptr<BlockPlan> make(std::int64_t block_bytes) const;

  MPI_Comm comm_;
  std::list<Size> sizes_;  // the last used first
};

}  // namespace rondo::internal::pmpi
