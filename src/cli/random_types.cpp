#include "cli/random_types.hpp"

#include <array>

#include "cli/hash.hpp"

namespace rondo::internal::cli {

namespace {

// Takes draws off a word, and stirs it.
class Draws {
 public:
  explicit Draws(std::uint64_t word) : word_(word) {}
  int operator()(int below) {
    word_ = hash(word_, 1);
    return static_cast<int>(word_ % static_cast<std::uint64_t>(below));
  }

 private:
  std::uint64_t word_;
};

MPI_Datatype contiguous(int bytes) {
  MPI_Datatype type = MPI_DATATYPE_NULL;
  MPI_Type_contiguous(bytes, MPI_BYTE, &type);
  return type;
}

// Several runs with gaps between them, in ascending order or not.
MPI_Datatype runs(int bytes, Draws &draw) {
  const int pieces = std::min(bytes, 1 + draw(4));
  std::vector<int> lengths;
  std::vector<MPI_Aint> offsets;
  MPI_Aint at = draw(9) - 4;
  for (int piece = 0; piece < pieces; ++piece) {
    const int left = bytes - (pieces - piece - 1);
    const int length = piece + 1 == pieces ? bytes : 1 + draw(left);
    lengths.push_back(length);
    offsets.push_back(at);
    at += length + draw(8);
    bytes -= length;
  }
  if (draw(3) == 0) {
    std::swap(lengths.front(), lengths.back());
    std::swap(offsets.front(), offsets.back());
  }
  MPI_Datatype type = MPI_DATATYPE_NULL;
  MPI_Type_create_hindexed(pieces, lengths.data(), offsets.data(), MPI_BYTE, &type);
  return type;
}

// Equal runs at one stride, as far as the bytes can be divided, by the constructor with large counts at times.
MPI_Datatype vector(int bytes, Draws &draw) {
  int blocks = 1 + draw(8);
  while (bytes % blocks != 0) --blocks;
  const int length = bytes / blocks;
  MPI_Datatype type = MPI_DATATYPE_NULL;
  const int stride = length + draw(20);
#if MPI_VERSION >= 4
  if (draw(2) == 0) {
    MPI_Type_vector_c(blocks, length, stride, MPI_BYTE, &type);
    return type;
  }
#endif
  MPI_Type_vector(blocks, length, stride, MPI_BYTE, &type);
  return type;
}

// The type with bounds so wide that elements do not meet, and somewhat wider at times.
MPI_Datatype spaced(MPI_Datatype type, Draws &draw) {
  MPI_Aint first = 0;
  MPI_Aint length = 0;
  MPI_Type_get_true_extent(type, &first, &length);
  const int before = draw(6);
  MPI_Datatype wider = MPI_DATATYPE_NULL;
  MPI_Type_create_resized(type, first - before, length + before + draw(6), &wider);
  MPI_Type_free(&type);
  return wider;
}

// A part of a matrix.
MPI_Datatype subarray(int bytes, Draws &draw) {
  int rows = 1 + draw(6);
  while (bytes % rows != 0) --rows;
  const std::array<int, 2> part{rows, bytes / rows};
  const std::array<int, 2> begin{draw(3), draw(5)};
  const std::array<int, 2> whole{begin[0] + part[0] + draw(3), begin[1] + part[1] + draw(5)};
  MPI_Datatype type = MPI_DATATYPE_NULL;
  MPI_Type_create_subarray(2, whole.data(), part.data(), begin.data(), MPI_ORDER_C, MPI_BYTE, &type);
  return type;
}

// A row, and behind it runs with gaps.
MPI_Datatype structure(int bytes, Draws &draw) {
  const int first = draw(bytes);
  MPI_Datatype rest = runs(bytes - first, draw);
  const std::array<int, 2> lengths{first, 1};
  const std::array<MPI_Aint, 2> offsets{0, first + 8 + draw(8)};
  const std::array<MPI_Datatype, 2> types{MPI_BYTE, rest};
  MPI_Datatype type = MPI_DATATYPE_NULL;
  MPI_Type_create_struct(2, lengths.data(), offsets.data(), types.data(), &type);
  MPI_Type_free(&rest);
  return type;
}

// The type with so small an extent that elements overlap, which only what is sent may do.
MPI_Datatype crowded(MPI_Datatype type, Draws &draw) {
  MPI_Aint first = 0;
  MPI_Aint length = 0;
  MPI_Type_get_true_extent(type, &first, &length);
  MPI_Datatype narrower = MPI_DATATYPE_NULL;
  MPI_Type_create_resized(type, first, draw(static_cast<int>(length)), &narrower);
  MPI_Type_free(&type);
  return narrower;
}

// Has a true extent with some MPI libraries, or none.
MPI_Datatype without_data(Draws &draw) {
  MPI_Datatype type = MPI_DATATYPE_NULL;
  MPI_Type_vector(draw(3), 0, 5, MPI_INT, &type);
  MPI_Type_commit(&type);
  return type;
}

MPI_Datatype element(int bytes, TypedSide::End end, Draws &draw) {
  const auto shape = [&] {
    switch (draw(6)) {
      case 0: return contiguous(bytes);
      case 1: return spaced(vector(bytes, draw), draw);
      case 2: return subarray(bytes, draw);
      case 3: return spaced(structure(bytes, draw), draw);
      default: return spaced(runs(bytes, draw), draw);
    }
  };
  const bool overlaps = end == TypedSide::End::send && draw(5) == 0;
  return overlaps ? crowded(shape(), draw) : shape();
}

}  // namespace

TypedSide::TypedSide(const Problem &problem, const BlockSizes &sizes, int rank, End end) {
  for (int peer = 0; peer < problem.ranks; ++peer) {
    const int source = end == End::send ? rank : peer;
    const int destination = end == End::send ? peer : rank;
    const std::uint64_t pair =
        hash(hash(problem.seed, static_cast<std::uint64_t>(source)), static_cast<std::uint64_t>(destination));
    add(sizes(source, destination), end, hash(pair, end == End::send ? 1 : 2));
  }
}

TypedSide::~TypedSide() {
  for (MPI_Datatype &type : types_) {
    if (type != MPI_BYTE) MPI_Type_free(&type);
  }
}

void TypedSide::add(std::int64_t bytes, End end, std::uint64_t word) {
  Draws draw(word);
  if (bytes == 0) {
    const bool of_a_type = draw(2) == 0;
    counts_.push_back(of_a_type ? draw(3) : 0);
    displacements_.push_back(0);
    types_.push_back(of_a_type ? without_data(draw) : MPI_BYTE);
    return;
  }
  int count = 1 + draw(4);
  while (bytes % count != 0) --count;
  MPI_Datatype type = element(static_cast<int>(bytes) / count, end, draw);
  MPI_Type_commit(&type);
  MPI_Aint first = 0;
  MPI_Aint length = 0;
  MPI_Aint lower_bound = 0;
  MPI_Aint extent = 0;
  MPI_Type_get_true_extent(type, &first, &length);
  MPI_Type_get_extent(type, &lower_bound, &extent);
  counts_.push_back(count);
  types_.push_back(type);
  displacements_.push_back(static_cast<int>(static_cast<MPI_Aint>(bytes_) - first));
  bytes_ += static_cast<std::size_t>((count - 1) * extent + length + draw(40));
}

}  // namespace rondo::internal::cli
