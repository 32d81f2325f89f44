#include "varying/varying_plan.hpp"

#include <fmt/format.h>
#include <rondo/rondo.h>

#include <bit>
#include <limits>
#include <utility>

#include "exchange/error.hpp"
#include "varying/metadata.hpp"
#include "wire/device_memory.hpp"
#include "wire/library_progress.hpp"
#include "wire/null_buffer.hpp"
#include "wire/packing.hpp"

namespace rondo::internal {

namespace {

[[noreturn]] void refuse_name(const char *argument, const char *name) {
  throw Error(Fault::buffer,
              fmt::format("{} is {}, which has no meaning where counts come with a start", argument, name));
}

// Buffers that are known by name, and are none.
void check_is_memory(const void *buffer, const char *argument) {
  if (buffer == MPI_IN_PLACE) [[unlikely]]
    refuse_name(argument, "MPI_IN_PLACE");
  if (buffer == RONDO_PLAN_BUFFER) [[unlikely]]
    refuse_name(argument, "RONDO_PLAN_BUFFER");
}

}  // namespace

VaryingType::VaryingType(MPI_Datatype type, const char *side, MPI_Comm packing)
    : shape(shape_of(type, side, packing)), held(type), size(shape.size) {
  if (!shape.dense) runs = byte_runs(type, packing);
}

VaryingPlan::VaryingPlan(VaryingParts parts)
    : AnyPlan(true, parts.policy),
      parts_(std::move(parts)),
      may_be_on_device_(may_have_device_memory()),
      blocks_(parts_.links.size()),
      contest_(parts_.exchanges.size()),
      exchange_(parts_.exchanges.front().get()) {}

void *VaryingPlan::send_memory(int rank, std::int64_t bytes) {
  const auto ranks = static_cast<int>(parts_.links.size());
  if (rank < 0 || rank >= ranks)
    throw Error(Fault::argument, fmt::format("rank {} of {}", rank, ranks)).with_peer(rank);
  if (bytes < 0) throw Error(Fault::count, fmt::format("{} bytes", bytes)).with_peer(rank).with_values(bytes);
  if (!parts_.send_memory) parts_.send_memory = std::make_unique<SendMemory>(ranks, std::vector<int>{});
  parts_.resting->sent = parts_.send_memory.get();
  return parts_.send_memory->take(rank, bytes);
}

// Of blocks that lie anywhere.
void VaryingPlan::read_places(const VaryingBlocks &blocks) {
  std::int64_t before = 0;
  for (int peer = 0; peer < static_cast<int>(blocks_.size()); ++peer) {
    const auto *const place = static_cast<const std::byte *>(blocks.places[peer]);
    const std::int64_t count = blocks.counts[peer];
    if (count == 0) {
      blocks_[peer] = {nullptr, 0};
      continue;
    }
    check_is_memory(place, "a block");
    check(blocks, peer, before);
    blocks_[peer] = {place + parts_.send->shape.true_lower_bound, count * parts_.send->shape.size};
    before += count;
  }
}

// Where each block lies, and how long it is.
void VaryingPlan::read(const VaryingBlocks &blocks) {
  const VaryingBlocks given = blocks;  // which no store to blocks_ can change
  const std::int64_t size = parts_.send->shape.size;
  const std::int64_t extent = parts_.send->shape.extent;
  const std::int64_t lower_bound = parts_.send->shape.true_lower_bound;
  const auto *const first = static_cast<const std::byte *>(given.buffer);
  check_is_memory(given.buffer, "sendbuf");
  const bool may_be_refused = first == nullptr || parts_.short_lengths || may_be_on_device_;
  const std::span<BlockData> data(blocks_);
  std::int64_t next = 0;  // in elements
  for (std::size_t peer = 0; peer < data.size(); ++peer) {
    const std::int64_t count = given.counts[peer];
    if (count == 0) {  // its displacement may be anything
      data[peer] = {first, 0};
      continue;
    }
    const std::int64_t before = next;
    const std::int64_t displacement = given.displacements == nullptr ? before : given.displacements[peer];
    std::int64_t bytes = 0;
    std::int64_t offset = 0;
    if (count < 0 || __builtin_mul_overflow(count, size, &bytes) ||
        __builtin_mul_overflow(displacement, extent, &offset) || __builtin_add_overflow(before, count, &next) ||
        may_be_refused) [[unlikely]] {
      check(blocks, static_cast<int>(peer), before);
    }
    data[peer] = {first + offset + lower_bound, bytes};
  }
}

// Refuses what cannot be sent to a rank; `next` is the number of elements for the ranks before it.
void VaryingPlan::check(const VaryingBlocks &blocks, int peer, std::int64_t next) const {
  const DatatypeShape &shape = parts_.send->shape;
  const std::int64_t count = blocks.counts[peer];
  if (count < 0) {
    throw Error(Fault::count, fmt::format("the send count for rank {} is {}", peer, count))
        .with_peer(peer)
        .with_values(count);
  }
  const std::int64_t bytes = checked_multiply(count, shape.size, "a block that is sent");
  const std::int64_t offset = checked_multiply(blocks.displacement_of(peer, next), shape.extent, "a displacement");
  checked_add(next, count, "what is sent");
  if (bytes == 0) return;
  const std::int64_t first_byte = checked_add(offset, shape.true_lower_bound, "an offset");
  if (is_of_null_buffer(blocks.base_of(peer), static_cast<std::uintptr_t>(first_byte))) {
    throw Error(Fault::buffer, fmt::format("the send buffer is null, but the count for rank {} is {}", peer, count))
        .with_peer(peer)
        .with_values(count);
  }
  constexpr std::int64_t longest = std::numeric_limits<ShortLength>::max();
  if (parts_.short_lengths && bytes > longest) {
    throw Error(Fault::count, fmt::format("the block for rank {} has {} bytes, and rondo_metadata=separate has 4 bytes "
                                          "for a length",
                                          peer, bytes))
        .with_peer(peer)
        .with_values(bytes, longest);
  }
  const auto *const data = static_cast<const std::byte *>(blocks.base_of(peer)) + first_byte;
  if (may_be_on_device_ && is_device_memory(data)) {
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
  for (int peer = 0; peer < static_cast<int>(blocks_.size()); ++peer) {
    BlockData &block = blocks_[peer];
    if (block.bytes > 0) {
      auto *const base = static_cast<std::byte *>(const_cast<void *>(blocks.base_of(peer)));
      const std::int64_t first = blocks.displacement_of(peer, next) * type.shape.extent;
      internal::pack(type.elements(base + first, blocks.counts[peer]), to, parts_.channel.packing());
    }
    next += blocks.counts[peer];
    block.data = to;
    to += block.bytes;
  }
}

// This and received() are each compiled in one piece, as the exchange's own start is.
[[gnu::flatten]] void VaryingPlan::prepare(const VaryingBlocks &blocks) {
  exchange_->prepare_start();
  if (blocks.places != nullptr) [[unlikely]]
    read_places(blocks);
  else
    read(blocks);
  if (!parts_.send->shape.dense) pack(blocks);
}

void VaryingPlan::start() {
  const Hold hold(*this);
  ++starts_;
  unpacked_now_ = nullptr;
  forget_last_look();
  VaryingFigures figures{};
  if (has_several()) figures = choose_candidate();
  begin_running();
  if (parts_.resting->sent != nullptr) [[unlikely]]
    parts_.resting->sent->begin_start();
  or_end_running([&] {
    exchange_->start(blocks_, figures);
    if (exchange_->complete()) end_running();
  });
  leave_to_thread();
}

// Gives what this rank tells the others with the start.
VaryingFigures VaryingPlan::choose_candidate() {
  candidate_ = contest_.next();
  exchange_ = parts_.exchanges[candidate_].get();
  begin_ = std::chrono::steady_clock::now();
  std::int64_t bytes = 0;
  for (const BlockData &block : blocks_) bytes += block.bytes;
  return {.bytes = VaryingFigures::in_units(bytes), .time = time_};
}

bool VaryingPlan::advance_looking(Looks &looks) {
  if (exchange_->complete()) return true;
  if (parts_.messages) parts_.messages->look();
  Looks once;
  if (!exchange_->advance(parts_.messages ? once : looks)) return false;
  if (has_several()) learn();
  end_running();
  return true;
}

// Of an exchange that has just been completed.
void VaryingPlan::learn() {
  const auto taken = std::chrono::steady_clock::now() - begin_;
  time_ = VaryingFigures::in_units(std::chrono::duration_cast<std::chrono::nanoseconds>(taken).count());
  contest_.learn(exchange_->figures());
}

void VaryingPlan::let_mpi_progress() const {
  let_library_move();
}

AnyPlan::SleepingPlace VaryingPlan::sleeping_place() const {
  return {.bell = parts_.bell, .must_look = parts_.messages != nullptr};
}

std::set<int> VaryingPlan::missing_peers() const {
  std::set<int> missing;
  exchange_->name_missing(missing);
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

void VaryingPlan::refuse_uneven(std::int64_t bytes, int source) const {
  const std::int64_t size = parts_.receive->shape.size;
  throw Error(
      Fault::mismatch,
      fmt::format("rank {} has sent {} bytes, which is no whole number of elements of {} bytes", source, bytes, size))
      .with_peer(source)
      .with_values(bytes, size);
}

void VaryingPlan::refuse_unreceived() const {
  throw Error(Fault::request, starts_ == 0 ? "nothing has been received: there has been no start"
                                           : "nothing has been received: MPI_Finalize has ended the exchange");
}

// Gives the number of all elements.
std::int64_t VaryingPlan::tell(MPI_Count *counts, MPI_Aint *displacements) const {
  if (starts_ == 0 || !exchange_->complete()) [[unlikely]]
    refuse_unreceived();
  const std::span<const std::int64_t> lengths = exchange_->received().bytes;
  const ElementSize size = parts_.receive->size;
  std::int64_t sum = 0;
  for (std::size_t source = 0; source < lengths.size(); ++source) {
    const std::int64_t count = size.elements_in(lengths[source]);
    if (count < 0) [[unlikely]]
      refuse_uneven(lengths[source], static_cast<int>(source));
    if (counts != nullptr) counts[source] = count;
    if (displacements != nullptr) displacements[source] = sum;
    sum += count;
  }
  return sum;
}

[[gnu::flatten]] void *VaryingPlan::received(MPI_Count *counts, MPI_Aint *displacements) {
  const std::int64_t elements = tell(counts, displacements);
  const VaryingType &type = *parts_.receive;
  std::byte *const data = exchange_->received_in_one_piece().data;
  if (elements == 0) return data;
  if (type.shape.dense) return data - type.shape.true_lower_bound;
  if (unpacked_now_ == nullptr) {
    const Extent span = type.shape.span(elements);
    std::byte *const first = unpacked_.next(span.length) - span.offset;
    unpack(type.elements(first, elements), data, parts_.channel.packing());
    unpacked_now_ = first;
  }
  return unpacked_now_;
}

void VaryingPlan::received_blocks(const void **blocks, MPI_Count *counts) {
  const VaryingType &type = *parts_.receive;
  const std::size_t ranks = parts_.links.size();
  if (type.shape.dense) {
    tell(counts, nullptr);
    const ReceivedBlocks &received = exchange_->received();
    for (std::size_t source = 0; source < ranks; ++source) {
      blocks[source] = received.block(source) - type.shape.true_lower_bound;
    }
    return;
  }
  const auto *next = static_cast<const std::byte *>(received(counts, nullptr));
  for (std::size_t source = 0; source < ranks; ++source) {
    blocks[source] = next;
    next += type.size.elements_in(exchange_->received().bytes[source]) * type.shape.extent;
  }
}

void VaryingPlan::copy_received(void *to, std::int64_t capacity, MPI_Count *counts, MPI_Aint *displacements) {
  const std::int64_t elements = tell(counts, displacements);
  if (elements > capacity) {
    throw Error(Fault::capacity,
                fmt::format("{} elements have been received, and the buffer has room for {}", elements, capacity))
        .with_values(elements, capacity);
  }
  check_is_memory(to, "recvbuf");
  if (elements == 0) return;
  const VaryingType &type = *parts_.receive;
  if (is_of_null_buffer(to, static_cast<std::uintptr_t>(type.shape.true_lower_bound))) {
    throw Error(Fault::buffer, fmt::format("the receive buffer is null, but {} elements have been received", elements))
        .with_values(elements);
  }
  const ReceivedBlocks &received = exchange_->received_in_one_piece();
  auto *const first = static_cast<std::byte *>(to);
  if (!type.shape.dense) return unpack(type.elements(first, elements), received.data, parts_.channel.packing());
  copy_bytes(first + type.shape.true_lower_bound, received.data, static_cast<std::size_t>(received.all_bytes));
}

}  // namespace rondo::internal
