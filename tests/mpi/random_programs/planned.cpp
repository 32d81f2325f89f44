#include "tests/mpi/random_programs/planned.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstring>
#include <utility>

#include "tests/random_programs/draw.hpp"
#include "tests/random_programs/watchdog.hpp"

namespace rondo::random_programs {

namespace {

constexpr std::int64_t guard = 128;

struct Shape {
  int extent;
  int integers;  // of an element; 0: one byte
  std::vector<std::pair<int, int>> runs;
};

const Shape &shape_of(Element element) {
  static const Shape shapes[] = {
      {1, 0, {{0, 1}}}, {4, 1, {{0, 4}}}, {12, 3, {{0, 12}}}, {12, 2, {{0, 4}, {8, 4}}}, {33'804, 8448, {{0, 33'792}}}};
  return shapes[static_cast<int>(element)];
}

int count_of(Element element, int units, int integers_of_a_unit) {
  const int integers = shape_of(element).integers;
  return integers == 0 ? units : units * integers_of_a_unit / integers;
}

// The runs of a block, (offset from the base, length), those side by side as one.
template <class Work>
void for_each_run(const Block &block, Work &&work) {
  const Shape &shape = shape_of(block.element);
  if (shape.runs.size() == 1 && shape.runs.front().second == shape.extent) {
    if (block.count > 0) work(block.displacement, std::int64_t{block.count} * shape.extent);
    return;
  }
  for (std::int64_t element = 0; element < block.count; ++element) {
    for (const auto &[offset, length] : shape.runs) work(block.displacement + element * shape.extent + offset, length);
  }
}

// The bytes of a block's data from position on.
void write_data(std::byte *to, std::uint64_t seed, std::int64_t position, std::int64_t bytes) {
  for (std::int64_t i = position; i < position + bytes; ++i) {
    *to++ = static_cast<std::byte>(seed + static_cast<std::uint64_t>(i * 167 + (i >> 7) * 13));
  }
}

}  // namespace

Types::Types() : types_{MPI_BYTE, MPI_INT} {
  MPI_Type_contiguous(3, MPI_INT, &types_[2]);
  MPI_Type_vector(2, 1, 2, MPI_INT, &types_[3]);
  MPI_Datatype integers = MPI_DATATYPE_NULL;
  MPI_Type_contiguous(8448, MPI_INT, &integers);
  MPI_Type_create_resized(integers, 0, 33'804, &types_[4]);
  MPI_Type_free(&integers);
  for (int made = 2; made < 5; ++made) MPI_Type_commit(&types_[made]);
}

Types::~Types() {
  for (int made = 2; made < 5; ++made) MPI_Type_free(&types_[made]);
}

Planned::Planned(const Exchange &exchange, const Place &place, const Types &types)
    : exchange_(exchange), place_(place), types_(types) {
  lay_out(receive_, false);
  if (exchange_.send != Buffer::in_place) lay_out(send_, true);
  if (exchange_.send == Buffer::in_place && exchange_.gathers()) {
    own_in_receive_ = receive_.blocks[static_cast<std::size_t>(place_.rank)];
    own_in_receive_.destination = -1;
  }
}

Planned::~Planned() {
  if (request != RONDO_REQUEST_NULL && RONDO_Request_free(&request) != MPI_SUCCESS) fail("its free failed");
}

void Planned::lay_out(Side &side, bool sends) {
  place_blocks(side, sends);
  for (const Block &block : side.blocks) {
    const int extent = shape_of(block.element).extent;
    const bool bytes = exchange_.kind == Kind::alltoallw;
    side.counts.push_back(block.count);
    side.displacements.push_back(static_cast<int>(bytes ? block.displacement : block.displacement / extent));
    side.types.push_back(types_.of(block.element));
  }
  side.type = types_.of(exchange_.element(sends, place_.rank, place_.rank));
  side.memory.resize(static_cast<std::size_t>(side.bytes + 2 * guard));
}

// Blocks with gaps between some of them, where the call lets its caller say where they lie.
void Planned::place_blocks(Side &side, bool sends) {
  const bool fixed = exchange_.kind == Kind::alltoall || exchange_.kind == Kind::allgather;
  const bool one_block = sends && exchange_.gathers();
  const std::vector<int> &peers = sends ? place_.destinations : place_.sources;
  for (const int peer : one_block ? std::vector<int>{-1} : peers) {
    const int source = sends ? place_.rank : peer;
    const int destination = sends ? peer : place_.rank;
    const Element element = exchange_.element(sends, source, destination);
    const int units = exchange_.units(source, destination, place_.ranks);
    side.blocks.push_back({source, exchange_.gathers() ? -1 : destination,
                           count_of(element, units, exchange_.integers_of_a_unit), element, 0, sends});
  }
  const auto place_next = [&](Block &block) {
    const int extent = shape_of(block.element).extent;
    const int gap = fixed || one_block ? 0 : static_cast<int>(mixed(exchange_.seed, block.source, 7) % 3);
    block.displacement = side.bytes;
    side.bytes += (std::int64_t{block.count} + gap) * extent;
    if (!fixed) side.bytes = (side.bytes + 11) / 12 * 12;
  };
  if (exchange_.backwards && !fixed) {
    std::for_each(side.blocks.rbegin(), side.blocks.rend(), place_next);
  } else {
    std::for_each(side.blocks.begin(), side.blocks.end(), place_next);
  }
}

const void *Planned::send_argument() {
  switch (exchange_.send) {
    case Buffer::in_place: return MPI_IN_PLACE;
    case Buffer::plans: return RONDO_PLAN_BUFFER;
    case Buffer::callers: break;
  }
  return send_.memory.data() + guard;
}

void *Planned::receive_argument() {
  return exchange_.receive == Buffer::plans ? RONDO_PLAN_BUFFER : receive_.memory.data() + guard;
}

int Planned::call_init(MPI_Info info) {
  const MPI_Comm comm = place_.comm;
  const void *from = send_argument();
  void *to = receive_argument();
  const auto first_count = [](const Side &side) { return side.counts.empty() ? 0 : side.counts.front(); };
  switch (exchange_.kind) {
    case Kind::alltoall:
      return RONDO_Alltoall_init(from, first_count(send_), send_.type, to, first_count(receive_), receive_.type, comm,
                                 info, &request);
    case Kind::alltoallv:
      return RONDO_Alltoallv_init(from, send_.counts.data(), send_.displacements.data(), send_.type, to,
                                  receive_.counts.data(), receive_.displacements.data(), receive_.type, comm, info,
                                  &request);
    case Kind::alltoallw:
      return RONDO_Alltoallw_init(from, send_.counts.data(), send_.displacements.data(), send_.types.data(), to,
                                  receive_.counts.data(), receive_.displacements.data(), receive_.types.data(), comm,
                                  info, &request);
    case Kind::neighbor_alltoallv:
      return RONDO_Neighbor_alltoallv_init(from, send_.counts.data(), send_.displacements.data(), send_.type, to,
                                           receive_.counts.data(), receive_.displacements.data(), receive_.type, comm,
                                           info, &request);
    case Kind::allgather:
      return RONDO_Allgather_init(from, first_count(send_), send_.type, to, first_count(receive_), receive_.type, comm,
                                  info, &request);
    case Kind::allgatherv:
      return RONDO_Allgatherv_init(from, first_count(send_), send_.type, to, receive_.counts.data(),
                                   receive_.displacements.data(), receive_.type, comm, info, &request);
  }
  return RONDO_ERR_INTERNAL;
}

void Planned::init() {
  MPI_Info info = MPI_INFO_NULL;
  MPI_Info_create(&info);
  for (const auto &[key, value] : exchange_.hints) MPI_Info_set(info, key.c_str(), value.c_str());
  int code = call_init(info);
  MPI_Info_free(&info);
  if (code == RONDO_ERR_ALGORITHM || code == RONDO_ERR_HINT) code = call_init(MPI_INFO_NULL);
  if (code != MPI_SUCCESS) {
    char text[RONDO_MAX_ERROR_STRING] = {};
    int length = 0;
    RONDO_Error_string(code, text, &length);
    fail(std::string("init: ") + text);
  }
  RONDO_Report report;
  RONDO_Request_report(request, &report, sizeof(report));
  native_ = std::strcmp(report.algorithm, "native") == 0;
}

bool Planned::may_rebind() const {
  return exchange_.send == Buffer::callers || exchange_.receive == Buffer::callers;
}

void Planned::rebind() {
  send_.memory = std::vector<std::byte>(send_.memory.size());
  receive_.memory = std::vector<std::byte>(receive_.memory.size());
  if (RONDO_Rebind(&request, send_argument(), receive_argument()) != MPI_SUCCESS) fail("its rebind failed");
}

std::byte *Planned::base_of(Side &side, Buffer buffer, bool sends) const {
  if (buffer == Buffer::callers) return side.memory.data() + guard;
  void *plans[2] = {};
  RONDO_Request_buffers(request, &plans[0], &plans[1]);
  return static_cast<std::byte *>(plans[sends ? 0 : 1]);
}

// Both halves of the ranks have the same numbers, so that the group is part of it where blocks go between two.
std::uint64_t Planned::data_seed(const Block &block) const {
  const int group = exchange_.group != Group::two_groups ? 0 : block.sent ? place_.own_group : 1 - place_.own_group;
  return mixed(exchange_.seed, block.source, block.destination, group, starts_);
}

void Planned::fill(std::byte *base, const Block &block) const {
  const std::uint64_t seed = data_seed(block);
  std::int64_t position = 0;
  for_each_run(block, [&](std::int64_t offset, std::int64_t length) {
    write_data(base + offset, seed, position, length);
    position += length;
  });
}

void Planned::prepare() {
  ++starts_;
  const bool in_place = exchange_.send == Buffer::in_place;
  std::byte *const to = base_of(receive_, exchange_.receive, false);
  write_data(receive_.memory.data(), exchange_.seed + 3, starts_, static_cast<std::int64_t>(receive_.memory.size()));
  expected_ = receive_.memory;
  if (exchange_.receive == Buffer::callers) {
    for (const Block &block : receive_.blocks) fill(expected_.data() + guard, block);
  }
  if (in_place && exchange_.gathers()) return fill(to, own_in_receive_);
  if (in_place) {
    for (Block block : receive_.blocks) {
      std::swap(block.source, block.destination);
      fill(to, block);
    }
    return;
  }
  write_data(send_.memory.data(), exchange_.seed + 5, starts_, static_cast<std::int64_t>(send_.memory.size()));
  std::byte *const from = base_of(send_, exchange_.send, true);
  for (const Block &block : send_.blocks) fill(from, block);
  sent_ = send_.memory;
}

std::string Planned::difference(const std::byte *base, const Block &block) const {
  const std::uint64_t seed = data_seed(block);
  std::int64_t position = 0;
  std::string found;
  std::vector<std::byte> wanted;
  for_each_run(block, [&](std::int64_t offset, std::int64_t length) {
    wanted.resize(static_cast<std::size_t>(length));
    write_data(wanted.data(), seed, position, length);
    if (found.empty() && std::memcmp(wanted.data(), base + offset, wanted.size()) != 0) {
      found = fmt::format("the block of rank {} is wrong within {} bytes from {} on", block.source, length, position);
    }
    position += length;
  });
  return found;
}

void Planned::check() const {
  auto &self = const_cast<Planned &>(*this);
  const std::byte *const to = base_of(self.receive_, exchange_.receive, false);
  for (const Block &block : receive_.blocks) {
    if (const std::string found = difference(to, block); !found.empty()) fail(found);
  }
  if (exchange_.receive == Buffer::callers && receive_.memory != expected_)
    fail("bytes that no block names are changed");
  if (exchange_.send != Buffer::in_place && send_.memory != sent_) fail("the send buffer is changed");
}

void Planned::fail(const std::string &what) const {
  give_up(fmt::format("start {} of {}: {}", starts_, exchange_.text(), what));
}

}  // namespace rondo::random_programs
