#include "wire/pieces.hpp"

#include <algorithm>
#include <limits>

#include "wire/mpi_call.hpp"

namespace rondo {

namespace {

constexpr std::int64_t most_int = std::numeric_limits<int>::max();

// Types that only serve to make another.
class Scaffold {
 public:
  Scaffold() = default;
  ~Scaffold() {
    for (MPI_Datatype &type : types_) MPI_Type_free(&type);
  }
  Scaffold(const Scaffold &) = delete;
  Scaffold &operator=(const Scaffold &) = delete;

  MPI_Datatype keep(MPI_Datatype type) { return types_.emplace_back(type); }

 private:
  std::vector<MPI_Datatype> types_;
};

MPI_Datatype contiguous(int count, MPI_Datatype type) {
  MPI_Datatype made = MPI_DATATYPE_NULL;
  check_mpi(MPI_Type_contiguous(count, type, &made), "MPI_Type_contiguous");
  return made;
}

MPI_Datatype structure(std::span<const int> counts, std::span<const MPI_Aint> displacements,
                       std::span<const MPI_Datatype> types) {
  MPI_Datatype made = MPI_DATATYPE_NULL;
  check_mpi(
      MPI_Type_create_struct(static_cast<int>(counts.size()), counts.data(), displacements.data(), types.data(), &made),
      "MPI_Type_create_struct");
  return made;
}

// More elements than an int counts: whole chunks of 2^30, and the rest.
MPI_Datatype many(std::int64_t count, MPI_Datatype type, Scaffold &scaffold) {
  constexpr int chunk = 1 << 30;
  MPI_Aint lower_bound = 0;
  MPI_Aint extent = 0;
  check_mpi(MPI_Type_get_extent(type, &lower_bound, &extent), "MPI_Type_get_extent");
  const int counts[2] = {static_cast<int>(count / chunk), static_cast<int>(count % chunk)};
  const MPI_Aint displacements[2] = {0, static_cast<MPI_Aint>(count - count % chunk) * extent};
  const MPI_Datatype types[2] = {scaffold.keep(contiguous(chunk, type)), type};
  return structure(counts, displacements, types);
}

// The pieces as MPI counts them.
class Description {
 public:
  Description(std::span<const TypedPiece> pieces, Scaffold &scaffold) {
    for (const TypedPiece &piece : pieces) {
      const bool fits = piece.count <= most_int;
      counts_.push_back(fits ? static_cast<int>(piece.count) : 1);
      types_.push_back(fits ? piece.type : scaffold.keep(many(piece.count, piece.type, scaffold)));
      offsets_.push_back(
          MPI_Aint_diff(reinterpret_cast<MPI_Aint>(piece.address), reinterpret_cast<MPI_Aint>(pieces.front().address)));
    }
  }

  MPI_Datatype make(Scaffold &scaffold) const {
    if (!all_alike(types_)) return structure(counts_, offsets_, types_);
    if (const std::size_t regular = blocks_of_vector(); regular >= 2) return vector_and_rest(regular, scaffold);
    MPI_Datatype made = MPI_DATATYPE_NULL;
    if (all_alike(counts_)) {
      check_mpi(MPI_Type_create_hindexed_block(pieces(), counts_[0], offsets_.data(), types_[0], &made),
                "MPI_Type_create_hindexed_block");
    } else {
      check_mpi(MPI_Type_create_hindexed(pieces(), counts_.data(), offsets_.data(), types_[0], &made),
                "MPI_Type_create_hindexed");
    }
    return made;
  }

 private:
  [[nodiscard]] int pieces() const { return static_cast<int>(counts_.size()); }

  template <class Value>
  static bool all_alike(const std::vector<Value> &values) {
    return std::all_of(values.begin(), values.end(), [&](const Value &value) { return value == values[0]; });
  }

  // How many pieces a vector describes: all of them, or all but the last one; 0 when it describes fewer.
  [[nodiscard]] std::size_t blocks_of_vector() const {
    const std::size_t all = counts_.size();
    if (all < 2) return 0;
    std::size_t regular = 1;
    while (regular < all && counts_[regular] == counts_[0] &&
           offsets_[regular] == static_cast<MPI_Aint>(regular) * offsets_[1]) {
      ++regular;
    }
    return regular + 1 >= all ? regular : 0;
  }

  [[nodiscard]] MPI_Datatype vector_and_rest(std::size_t regular, Scaffold &scaffold) const {
    MPI_Datatype vector = MPI_DATATYPE_NULL;
    check_mpi(MPI_Type_create_hvector(static_cast<int>(regular), counts_[0], offsets_[1], types_[0], &vector),
              "MPI_Type_create_hvector");
    if (regular == counts_.size()) return vector;
    scaffold.keep(vector);
    const int counts[2] = {1, counts_.back()};
    const MPI_Aint displacements[2] = {0, offsets_.back()};
    const MPI_Datatype types[2] = {vector, types_.back()};
    return structure(counts, displacements, types);
  }

  std::vector<int> counts_;
  std::vector<MPI_Aint> offsets_;  // from the first piece
  std::vector<MPI_Datatype> types_;
};

}  // namespace

TypedMessage describe(std::span<const TypedPiece> pieces, std::vector<MPI_Datatype> &made) {
  const TypedPiece &first = pieces.front();
  if (pieces.size() == 1 && first.count <= most_int) {
    return {first.address, static_cast<int>(first.count), first.type};
  }
  Scaffold scaffold;
  MPI_Datatype type =
      pieces.size() == 1 ? many(first.count, first.type, scaffold) : Description(pieces, scaffold).make(scaffold);
  made.push_back(type);
  check_mpi(MPI_Type_commit(&made.back()), "MPI_Type_commit");
  return {first.address, 1, made.back()};
}

}  // namespace rondo
