#include "api/trial_data.hpp"

#include <algorithm>
#include <cstring>
#include <span>

#include "wire/packing.hpp"

namespace rondo::internal {

namespace {

// Of each byte of a block, or where all of a source's blocks are the same data, of its block for rank 0. Never 0, which
// is what has not arrived; neither the blocks of neighbouring ranks nor those for them have the same.
std::byte value_of(std::int64_t source, std::int64_t destination) {
  return static_cast<std::byte>(1 + (source + 89 * destination) % 251);
}

std::int64_t length_of(const Side &side) {
  return side.parts.empty() ? 0 : reach(side).length;
}

std::int64_t data_of(const Side &side) {
  std::int64_t sum = 0;
  for (const Part &part : side.parts) sum += side.bytes(part);
  return sum;
}

// The side in this buffer.
Side at(std::byte *buffer, const Side &side) {
  Side moved = side;
  moved.buffer = buffer;
  return moved;
}

std::span<std::byte> dense_bytes(const Side &side, const Part &part) {
  return {static_cast<std::byte *>(side.buffer) + side.first_byte(part), static_cast<std::size_t>(side.bytes(part))};
}

TypedElements elements_of(const Side &side, const Part &part) {
  const SideType &type = side.types[part.type];
  const std::span<const Extent> runs = type.runs ? std::span<const Extent>(*type.runs) : std::span<const Extent>{};
  return {side.address(part), part.count, type.type, type.shape, runs};
}

void write(const Side &side, const Part &part, std::byte value, MPI_Comm packing) {
  if (side.bytes(part) == 0) return;
  if (side.shape(part).dense) {
    std::ranges::fill(dense_bytes(side, part), value);
    return;
  }
  const std::vector<std::byte> packed(static_cast<std::size_t>(side.bytes(part)), value);
  unpack(elements_of(side, part), packed.data(), packing);
}

bool has(const Side &side, const Part &part, std::byte value, MPI_Comm packing) {
  const auto is_value = [&](std::byte byte) { return byte == value; };
  if (side.bytes(part) == 0) return true;
  if (side.shape(part).dense) return std::ranges::all_of(dense_bytes(side, part), is_value);
  std::vector<std::byte> packed(static_cast<std::size_t>(side.bytes(part)));
  pack(elements_of(side, part), packed.data(), packing);
  return std::ranges::all_of(packed, is_value);
}

// Nothing of those of a type whose runs are not known, or are many.
std::vector<Extent> runs_of(const Side &side) {
  constexpr std::int64_t most = 65536;
  std::vector<Extent> all;
  for (const Part &part : side.parts) {
    const std::int64_t bytes = side.bytes(part);
    if (bytes == 0) continue;
    if (side.shape(part).dense) {
      all.push_back({side.first_byte(part), bytes});
      continue;
    }
    const SideType &type = side.types[part.type];
    if (!type.runs || static_cast<std::int64_t>(type.runs->size()) * part.count > most) continue;
    for (std::int64_t element = 0; element < part.count; ++element) {
      for (const Extent &run : *type.runs) {
        all.push_back({side.offset(part) + element * type.shape.extent + run.offset, run.length});
      }
    }
  }
  return all;
}

// Memory for these bytes of a buffer, as the buffer.
std::byte *take(RawMemory &memory, const Extent &bytes) {
  memory = RawMemory(std::max<std::int64_t>(bytes.length, 1));
  return memory.data() - bytes.offset;
}

}  // namespace

TrialData::TrialData(const Arguments &given, int rank, MPI_Comm packing)
    : arguments_(given), rank_(rank), packing_(packing), runs_(runs_of(given.send)) {
  Side &send = arguments_.send;
  Side &receive = arguments_.receive;
  if (given.in_place) {
    if (!receive.plan_allocates) send.buffer = receive.buffer = take(receive_, reach(receive, send));
    return;
  }
  if (!receive.plan_allocates) receive.buffer = take(receive_, reach(receive));
  if (!send.plan_allocates) send.buffer = take(send_, reach(send));
}

// A plan may have buffers of its own, packed copies of both sides, and scratch and staging, of which most algorithms
// take no more than about as much as is sent and received.
std::int64_t TrialData::bytes_for(const Arguments &given, std::int64_t plans) {
  const std::int64_t send = given.in_place ? 0 : length_of(given.send);
  const std::int64_t receive = length_of(given.receive);
  const std::int64_t data = data_of(given.send) + data_of(given.receive);
  const std::int64_t of_plan =
      (given.send.plan_allocates ? send : 0) + (given.receive.plan_allocates ? receive : 0) + 2 * data;
  return checked_add(checked_add(send, receive, "a trial's memory"), checked_multiply(plans, of_plan, "plans' memory"),
                     "all memory of trials");
}

void TrialData::prepare(std::byte *send, std::byte *receive) const {
  const Side received = at(receive, arguments_.receive);
  for (const Part &part : received.parts) write(received, part, std::byte{0}, packing_);
  const Side sent = at(send, arguments_.send);
  for (const Part &part : sent.parts) write(sent, part, value_of(rank_, by_destination() ? part.peer : 0), packing_);
}

bool TrialData::is_right(std::byte *receive) const {
  const Side received = at(receive, arguments_.receive);
  const int destination = by_destination() ? rank_ : 0;
  return std::ranges::all_of(received.parts, [&](const Part &part) {
    return has(received, part, value_of(part.peer, destination), packing_);
  });
}

void TrialData::renew(std::byte *send) const {
  for (const Extent &run : runs_) {
    for (std::int64_t at = run.offset; at < run.end(); at += cache_line) {
      ++*reinterpret_cast<unsigned char *>(send + at);
    }
  }
}

}  // namespace rondo::internal
