#include "varying/varying_plan.hpp"

#include <fmt/format.h>

#include <bit>
#include <limits>
#include <utility>

#include "exchange/error.hpp"
#include "varying/metadata.hpp"
#include "wire/device_memory.hpp"
#include "wire/library_progress.hpp"
#include "wire/packing.hpp"

namespace rondo::internal {

namespace {

std::int64_t displacement_of(const VaryingBlocks &blocks, int peer, std::int64_t after_those_before) {
  return blocks.displacements == nullptr ? after_those_before : blocks.displacements[peer];
}

}  // namespace

VaryingType::VaryingType(MPI_Datatype type, const char *side, MPI_Comm packing)
    : shape(shape_of(type, side, packing)), held(type) {
  if (std::has_single_bit(static_cast<std::uint64_t>(shape.size))) {
    shift = std::countr_zero(static_cast<std::uint64_t>(shape.size));
  }
  if (!shape.dense) runs = byte_runs(type, shape, packing).value_or(std::vector<Extent>{});
}

VaryingPlan::VaryingPlan(VaryingParts parts)
    : AnyPlan(true, parts.policy),
      parts_(std::move(parts)),
      may_be_on_device_(may_have_device_memory()),
      blocks_(parts_.links.size()),
      contest_(parts_.exchanges.size()) {}

// Where each block lies, and how long it is.
void VaryingPlan::read(const VaryingBlocks &blocks) {
  const DatatypeShape &shape = parts_.send->shape;
  const bool may_be_refused = blocks.buffer == nullptr || parts_.short_lengths || may_be_on_device_;
  std::int64_t next = 0;  // in elements
  for (int peer = 0; peer < static_cast<int>(blocks_.size()); ++peer) {
    const std::int64_t count = blocks.counts[peer];
    BlockData &block = blocks_[peer];
    block = {static_cast<const std::byte *>(blocks.buffer), 0};
    if (count > 0) {  // the displacement of nothing may be anything
      block.bytes = checked_multiply(count, shape.size, "a block that is sent");
      block.data += checked_multiply(displacement_of(blocks, peer, next), shape.extent, "a displacement") +
                    shape.true_lower_bound;
      next = checked_add(next, count, "what is sent");
    }
    if (count < 0 || (count > 0 && may_be_refused)) check(blocks, peer);
  }
}

// Refuses what cannot be sent to a rank.
void VaryingPlan::check(const VaryingBlocks &blocks, int peer) const {
  const std::int64_t count = blocks.counts[peer];
  const BlockData &block = blocks_[peer];
  if (count < 0) {
    throw Error(Fault::count, fmt::format("the send count for rank {} is {}", peer, count))
        .with_peer(peer)
        .with_values(count);
  }
  if (block.bytes == 0) return;
  if (blocks.buffer == nullptr) {
    throw Error(Fault::buffer, fmt::format("the send buffer is null, but the count for rank {} is {}", peer, count))
        .with_peer(peer)
        .with_values(count);
  }
  constexpr std::int64_t longest = std::numeric_limits<ShortLength>::max();
  if (parts_.short_lengths && block.bytes > longest) {
    throw Error(Fault::count, fmt::format("the block for rank {} has {} bytes, and rondo_metadata=separate has 4 bytes "
                                          "for a length",
                                          peer, block.bytes))
        .with_peer(peer)
        .with_values(block.bytes, longest);
  }
  if (may_be_on_device_ && is_device_memory(block.data)) {
    throw Error(Fault::buffer, fmt::format("the block for rank {} lies in memory of a GPU", peer)).with_peer(peer);
  }
}

void VaryingPlan::pack(const VaryingBlocks &blocks) {
  const VaryingType &type = *parts_.send;
  std::int64_t all = 0;
  for (const BlockData &block : blocks_) all = checked_add(all, block.bytes, "what is sent");
  if (parts_.packed.size() < all) parts_.packed = RawMemory(all);
  std::byte *to = parts_.packed.data();
  std::int64_t next = 0;
  auto *const base = static_cast<std::byte *>(const_cast<void *>(blocks.buffer));
  for (int peer = 0; peer < static_cast<int>(blocks_.size()); ++peer) {
    BlockData &block = blocks_[peer];
    if (block.bytes > 0) {
      const std::int64_t first = displacement_of(blocks, peer, next) * type.shape.extent;
      internal::pack(type.elements(base + first, blocks.counts[peer]), to, parts_.channel.packing());
    }
    next += blocks.counts[peer];
    block.data = to;
    to += block.bytes;
  }
}

void VaryingPlan::prepare(const VaryingBlocks &blocks) {
  read(blocks);
  if (!parts_.send->shape.dense) pack(blocks);
}

void VaryingPlan::start() {
  const Hold hold(*this);
  ++starts_;
  unpacked_now_ = nullptr;
  forget_last_look();
  const bool several = parts_.exchanges.size() > 1;
  VaryingFigures figures{.time = time_};
  if (several) {
    candidate_ = contest_.next();
    begin_ = std::chrono::steady_clock::now();
    std::int64_t bytes = 0;
    for (const BlockData &block : blocks_) bytes += block.bytes;
    figures.bytes = VaryingFigures::in_units(bytes);
  }
  begin_running();
  or_end_running([&] {
    exchange().start(blocks_, figures);
    if (complete()) end_running();
  });
  leave_to_thread();
}

bool VaryingPlan::advance() {
  if (complete()) return true;
  if (parts_.messages) parts_.messages->look();
  if (!exchange().advance()) return false;
  if (parts_.exchanges.size() > 1) learn();
  end_running();
  return true;
}

// Of an exchange that has just been completed.
void VaryingPlan::learn() {
  const auto taken = std::chrono::steady_clock::now() - begin_;
  time_ = VaryingFigures::in_units(std::chrono::duration_cast<std::chrono::nanoseconds>(taken).count());
  contest_.learn(exchange().figures());
}

void VaryingPlan::let_mpi_progress() const {
  let_library_move();
}

AnyPlan::SleepingPlace VaryingPlan::sleeping_place() const {
  return {.bell = parts_.bell, .must_look = parts_.messages != nullptr};
}

std::set<int> VaryingPlan::missing_peers() const {
  std::set<int> missing;
  exchange().name_missing(missing);
  return missing;
}

void VaryingPlan::give_up() {
  for (const auto &link : parts_.links) {
    if (link) link->withdraw();
  }
}

Unfinished VaryingPlan::withdraw() {
  give_up();
  return parts_.messages ? parts_.messages->withdraw() : Unfinished{};
}

// Other ranks may still write to this one's slots, and MPI to its buffers.
void VaryingPlan::keep_for_late_messages() {
  keep_for_good(parts_);
}

void VaryingPlan::refuse(std::int64_t bytes, int source) const {
  const std::int64_t size = parts_.receive->shape.size;
  throw Error(
      Fault::mismatch,
      fmt::format("rank {} has sent {} bytes, which is no whole number of elements of {} bytes", source, bytes, size))
      .with_peer(source)
      .with_values(bytes, size);
}

// Gives the number of all elements.
std::int64_t VaryingPlan::tell(MPI_Count *counts, MPI_Aint *displacements) const {
  if (starts_ == 0) throw Error(Fault::request, "nothing has been received: there has been no start");
  if (!complete()) throw Error(Fault::request, "nothing has been received: MPI_Finalize has ended the exchange");
  const ReceivedBlocks &received = exchange().received();
  const VaryingType &type = *parts_.receive;
  std::int64_t sum = 0;
  for (int source = 0; source < static_cast<int>(received.bytes.size()); ++source) {
    const std::int64_t count = type.elements_in(received.bytes[source]);
    if (count < 0) refuse(received.bytes[source], source);
    if (counts != nullptr) counts[source] = count;
    if (displacements != nullptr) displacements[source] = sum;
    sum += count;
  }
  return sum;
}

void *VaryingPlan::received(MPI_Count *counts, MPI_Aint *displacements) {
  const std::int64_t elements = tell(counts, displacements);
  const VaryingType &type = *parts_.receive;
  std::byte *const data = exchange().received().data;
  if (type.shape.dense) return data - type.shape.true_lower_bound;
  if (unpacked_now_ == nullptr && elements > 0) {
    const Extent span = type.shape.span(elements);
    std::byte *const first = unpacked_.next(span.length) - span.offset;
    unpack(type.elements(first, elements), data, parts_.channel.packing());
    unpacked_now_ = first;
  }
  return unpacked_now_;
}

void VaryingPlan::copy_received(void *to, std::int64_t capacity, MPI_Count *counts, MPI_Aint *displacements) {
  const std::int64_t elements = tell(counts, displacements);
  if (elements > capacity) {
    throw Error(Fault::capacity,
                fmt::format("{} elements have been received, and the buffer has room for {}", elements, capacity))
        .with_values(elements, capacity);
  }
  if (elements == 0) return;
  if (to == nullptr) {
    throw Error(Fault::buffer, fmt::format("the receive buffer is null, but {} elements have been received", elements))
        .with_values(elements);
  }
  const VaryingType &type = *parts_.receive;
  const ReceivedBlocks &received = exchange().received();
  auto *const first = static_cast<std::byte *>(to);
  if (!type.shape.dense) return unpack(type.elements(first, elements), received.data, parts_.channel.packing());
  copy_bytes(first + type.shape.true_lower_bound, received.data, static_cast<std::size_t>(received.all_bytes));
}

}  // namespace rondo::internal
