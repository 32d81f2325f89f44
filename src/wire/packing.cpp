#include "wire/packing.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <memory>

#include "wire/copy.hpp"
#include "wire/mpi_call.hpp"
#include "wire/run_walk.hpp"

namespace rondo::internal {

namespace {

// MPI_Pack counts bytes in an int: at most this many at once.
constexpr std::int64_t most_bytes = std::int64_t{1} << 30;

// Calls move(address of elements, number of elements, offset of the packed data, its bytes) for all elements, as many
// at once as MPI can count.
template <class Move>
void for_each_piece(const TypedElements &elements, Move &&move) {
  const DatatypeShape &shape = elements.shape;
  const std::int64_t piece = std::max<std::int64_t>(1, most_bytes / shape.size);
  for (std::int64_t done = 0; done < elements.count; done += piece) {
    const std::int64_t count = std::min(piece, elements.count - done);
    move(elements.first + done * shape.extent, static_cast<int>(count), done * shape.size,
         static_cast<int>(count * shape.size));
  }
}

// The elements as MPI's own functions take them: these refuse a null buffer, which MPI_BOTTOM is in some libraries,
// also where the type has the addresses in it. Then the type begins with the first byte instead, which lies `shift`
// bytes further.
class AtBuffer {
 public:
  explicit AtBuffer(const TypedElements &elements) : type_(elements.type) {
    if (elements.first != nullptr) return;
    shift_ = elements.shape.true_lower_bound;
    const int one = 1;
    const MPI_Aint back = -shift_;
    MPI_Datatype moved = MPI_DATATYPE_NULL;
    check_mpi(MPI_Type_create_hindexed(1, &one, &back, elements.type, &moved), "MPI_Type_create_hindexed");
    const int code = MPI_Type_create_resized(moved, 0, elements.shape.extent, &made_);
    MPI_Type_free(&moved);
    check_mpi(code, "MPI_Type_create_resized");
    MPI_Type_commit(&made_);
    type_ = made_;
  }
  ~AtBuffer() {
    if (made_ != MPI_DATATYPE_NULL) MPI_Type_free(&made_);
  }
  AtBuffer(const AtBuffer &) = delete;
  AtBuffer &operator=(const AtBuffer &) = delete;

  [[nodiscard]] std::int64_t shift() const { return shift_; }
  [[nodiscard]] MPI_Datatype type() const { return type_; }

 private:
  std::int64_t shift_ = 0;
  MPI_Datatype type_;
  MPI_Datatype made_ = MPI_DATATYPE_NULL;
};

void copy_run(std::byte *to, const std::byte *from, std::int64_t bytes) {
  copy_bytes(to, from, static_cast<std::size_t>(bytes));
}

template <std::size_t length>
void copy_short(std::byte *to, const std::byte *from, std::int64_t) {
  std::memcpy(to, from, length);
}

// Short runs of one length are most of what types with gaps are made of: their copies take no call.
template <class Work>
void with_length(std::span<const Extent> runs, Work &&work) {
  const std::int64_t length = runs.front().length;
  const bool alike = std::all_of(runs.begin(), runs.end(), [&](const Extent &run) { return run.length == length; });
  if (alike && length == 4) return work([](auto... given) { copy_short<4>(given...); });
  if (alike && length == 8) return work([](auto... given) { copy_short<8>(given...); });
  if (alike && length == 16) return work([](auto... given) { copy_short<16>(given...); });
  work([](auto... given) { copy_run(given...); });
}

// Calls copy(address of a run, packed address, bytes) for every run of every element, in order.
template <class Packed, class Copy>
void for_each_run(const TypedElements &elements, Packed *packed, Copy &&copy) {
  std::byte *element = elements.first;
  for (std::int64_t i = 0; i < elements.count; ++i, element += elements.shape.extent) {
    for (const Extent &run : elements.runs) {
      copy(element + run.offset, packed, run.length);
      packed += run.length;
    }
  }
}

bool has_known_runs(const TypedElements &elements) {
  return elements.shape.dense || !elements.runs.empty();
}

bool share_memory(const TypedElements &a, const TypedElements &b) {
  const auto reach = [](const TypedElements &elements) {
    const Extent span = elements.shape.span(elements.count);
    const auto first = reinterpret_cast<std::intptr_t>(elements.first) + span.offset;
    return Extent{first, span.length};
  };
  const Extent one = reach(a);
  const Extent other = reach(b);
  return one.offset < other.end() && other.offset < one.end();
}

}  // namespace

void pack(const TypedElements &elements, std::byte *packed, MPI_Comm comm) {
  if (elements.shape.dense) return copy_run(packed, elements.data(), elements.bytes());
  if (!elements.runs.empty()) {
    return with_length(elements.runs, [&](auto copy) {
      for_each_run(elements, packed,
                   [copy](std::byte *run, std::byte *to, std::int64_t bytes) { copy(to, run, bytes); });
    });
  }
  const AtBuffer at_buffer(elements);
  for_each_piece(elements, [&](const std::byte *first, int count, std::int64_t at, int bytes) {
    int position = 0;
    check_mpi(MPI_Pack(first + at_buffer.shift(), count, at_buffer.type(), packed + at, bytes, &position, comm),
              "MPI_Pack");
  });
}

void unpack(const TypedElements &elements, const std::byte *packed, MPI_Comm comm) {
  if (elements.shape.dense) return copy_run(elements.data(), packed, elements.bytes());
  if (!elements.runs.empty()) {
    return with_length(elements.runs, [&](auto copy) {
      for_each_run(elements, packed,
                   [copy](std::byte *run, const std::byte *from, std::int64_t bytes) { copy(run, from, bytes); });
    });
  }
  const AtBuffer at_buffer(elements);
  for_each_piece(elements, [&](std::byte *first, int count, std::int64_t at, int bytes) {
    int position = 0;
    const int code =
        MPI_Unpack(packed + at, bytes, &position, first + at_buffer.shift(), count, at_buffer.type(), comm);
    check_mpi(code, "MPI_Unpack");
  });
}

void copy_with_gaps(const TypedElements &from, const TypedElements &to, MPI_Comm comm) {
  const std::int64_t bytes = from.bytes();
  if (!has_known_runs(from) || !has_known_runs(to) || share_memory(from, to)) {
    const auto packed = std::make_unique_for_overwrite<std::byte[]>(static_cast<std::size_t>(bytes));
    pack(from, packed.get(), comm);
    return unpack(to, packed.get(), comm);
  }
  const Extent all_sent{from.shape.true_lower_bound, bytes};
  const Extent all_received{to.shape.true_lower_bound, bytes};
  const auto walk = [](const TypedElements &elements, const Extent &all) {
    const bool dense = elements.shape.dense;
    return RunWalk(elements.first, dense ? std::span(&all, 1) : elements.runs, elements.shape.extent);
  };
  RunWalk source = walk(from, all_sent);
  RunWalk target = walk(to, all_received);
  for (std::int64_t left = bytes; left > 0;) {
    const std::int64_t stretch = std::min({left, source.left(), target.left()});
    copy_stretch(target.address(), source.address(), stretch);
    source.pass(stretch);
    target.pass(stretch);
    left -= stretch;
  }
}

}  // namespace rondo::internal
