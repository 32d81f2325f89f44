#pragma once

// A plan without counts: what it sends is said at each start, and what arrives says how long it is.

#include <mpi.h>

#include <bit>
#include <chrono>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "plan/any_plan.hpp"
#include "varying/contest.hpp"
#include "varying/message_wire.hpp"
#include "varying/varying_exchange.hpp"
#include "wire/channel.hpp"
#include "wire/datatype.hpp"
#include "wire/held_type.hpp"
#include "wire/packing.hpp"

namespace rondo::internal {

// Of an element, in bytes.
class ElementSize {
 public:
  explicit ElementSize(std::int64_t bytes)
      : bytes_(bytes),
        shift_(std::has_single_bit(static_cast<std::uint64_t>(bytes))
                   ? std::countr_zero(static_cast<std::uint64_t>(bytes))
                   : -1) {}

  // How many elements so many bytes are; -1 where they are no whole number.
  [[nodiscard]] std::int64_t elements_in(std::int64_t bytes) const {
    if (shift_ >= 0) return (bytes & (bytes_ - 1)) == 0 ? bytes >> shift_ : -1;
    if (bytes == 0) return 0;
    return bytes_ > 0 && bytes % bytes_ == 0 ? bytes / bytes_ : -1;
  }

 private:
  std::int64_t bytes_;
  int shift_;  // the logarithm, where the size is a power of two
};

// The elements of one side of every start.
struct VaryingType {
  VaryingType(MPI_Datatype type, const char *side, MPI_Comm packing);

  DatatypeShape shape;  // before the type is held, which must be one
  HeldType held;
  ElementSize size;
  TypeRuns runs;  // of an element with gaps, where they are known

  // So many elements whose first is expected there.
  [[nodiscard]] TypedElements elements(std::byte *first, std::int64_t count) const {
    return {first, count, held.type(), shape, runs_in(runs)};
  }
};

// What a plan keeps alive for as long as it may run.
struct VaryingParts {
  Channel channel;
  std::string name{};
  WaitPolicy policy{};
  bool short_lengths = false;  // lengths travel as ShortLength
  std::unique_ptr<VaryingType> send{};
  std::unique_ptr<VaryingType> receive{};
  Lease memory{};                             // of the links inside the node
  Bell *bell = nullptr;                       // of this rank, in that memory; null where it has none
  std::unique_ptr<MessageWire> messages{};    // null where nothing goes by MPI
  std::unique_ptr<SendMemory> send_memory{};  // null until it is needed, where all goes by MPI
  std::vector<std::unique_ptr<Link>> links{};
  std::unique_ptr<VaryingMemory> resting = std::make_unique<VaryingMemory>();
  RawMemory packed{};                                         // what is sent of elements with gaps
  std::vector<std::unique_ptr<VaryingExchange>> exchanges{};  // the candidates for each start, one at least
};

// Blocks of elements, by rank, as the call has them. Without displacements they lie one after the other; each lies
// elsewhere where there are places.
struct VaryingBlocks {
  const void *buffer;
  const MPI_Count *counts;
  const MPI_Aint *displacements;
  const void *const *places = nullptr;

  // From where the displacement of a block counts.
  [[nodiscard]] const void *base_of(int peer) const { return places == nullptr ? buffer : places[peer]; }
  // In elements; `next` is the number of those for the ranks before.
  [[nodiscard]] std::int64_t displacement_of(int peer, std::int64_t next) const {
    if (places != nullptr) return 0;
    return displacements == nullptr ? next : displacements[peer];
  }
};

class VaryingPlan final : public AnyPlan {
 public:
  explicit VaryingPlan(VaryingParts parts);

  [[nodiscard]] const std::string &name() const override { return parts_.name; }

  // Memory for so many bytes that the next start of an inactive plan sends to a rank (varying/send_memory.hpp). Local.
  [[nodiscard]] void *send_memory(int rank, std::int64_t bytes);
  // Reads what the next start of an inactive plan is to send. Throws Error (count, buffer) for blocks that cannot be.
  // Local.
  void prepare(const VaryingBlocks &blocks);
  // Starts that. Local.
  void start();

  // Which of the candidates the last start has taken, or the first one will.
  [[nodiscard]] std::size_t candidate() const { return candidate_; }
  // What the last start has brought, as elements, once it is complete: both arrays have an entry for each rank, unless
  // they are null. Throws Error (mismatch) where a block is no whole number of elements; request, if there has been no
  // start. Local.
  void *received(MPI_Count *counts, MPI_Aint *displacements);
  // The same of each block: where it lies, which may be where its sender has it.
  void received_blocks(const void **blocks, MPI_Count *counts);
  // The same, copied to a buffer with room for so many elements. Throws Error (capacity) where they are too few.
  void copy_received(void *to, std::int64_t capacity, MPI_Count *counts, MPI_Aint *displacements);

 private:
  bool advance() override {
    Looks once;
    return advance_looking(once);
  }
  bool advance_looking(Looks &looks) override;
  // What goes through shared memory alone needs no call of MPI's.
  bool advance_beside_mpi() override { return !parts_.messages && advance(); }
  [[nodiscard]] std::size_t position() const override {
    return exchange_->step() + static_cast<std::size_t>(exchange_->moved());
  }
  [[nodiscard]] bool complete() const override { return exchange_->complete(); }
  [[nodiscard]] std::size_t steps() const override { return exchange_->steps(); }
  void let_mpi_progress() const override;
  [[nodiscard]] SleepingPlace sleeping_place() const override;
  [[nodiscard]] Progress progress() const override { return {exchange_->step(), exchange_->moved()}; }
  [[nodiscard]] std::set<int> missing_peers() const override;
  void give_up() override;
  Unfinished withdraw() override;
  void keep_for_late_messages() override;

  [[nodiscard]] bool has_several() const { return parts_.exchanges.size() > 1; }
  VaryingFigures choose_candidate();
  void learn();
  void read(const VaryingBlocks &blocks);
  void read_places(const VaryingBlocks &blocks);
  void check(const VaryingBlocks &blocks, int peer, std::int64_t next) const;
  void pack(const VaryingBlocks &blocks);
  [[noreturn]] void refuse_uneven(std::int64_t bytes, int source) const;
  [[noreturn]] void refuse_unreceived() const;
  std::int64_t tell(MPI_Count *counts, MPI_Aint *displacements) const;

  LivePlan live_;
  VaryingParts parts_;
  const bool may_be_on_device_;    // blocks that are sent
  std::vector<BlockData> blocks_;  // of the start under way
  ReceivedBanks unpacked_;
  void *unpacked_now_ = nullptr;  // what the last start has brought, as elements with gaps
  std::uint64_t starts_ = 0;
  VaryingContest contest_;
  std::size_t candidate_ = 0;
  VaryingExchange *exchange_;                      // of that candidate
  std::chrono::steady_clock::time_point begin_{};  // of the last start, where there are several candidates
  std::uint32_t time_ = 0;                         // of the start before, in VaryingFigures' units
};

}  // namespace rondo::internal
