#include "wire/pieces.hpp"

#include <algorithm>
#include <limits>

#include "wire/mpi_call.hpp"

namespace rondo::internal {

namespace {

constexpr std::int64_t most_int = std::numeric_limits<int>::max();

// Types that only serve to make another.
class Scaffold {
 public:
  Scaffold() = default;
  ~Scaffold() {
    for (MPI_Datatype &type : types_) {
      if (type != MPI_DATATYPE_NULL) MPI_Type_free(&type);
    }
  }
  Scaffold(const Scaffold &) = delete;
  Scaffold &operator=(const Scaffold &) = delete;

  template <class Make>
  MPI_Datatype keep(Make &&make) {
    const std::size_t place = types_.size();
    types_.push_back(MPI_DATATYPE_NULL);  // grows first: a failure here must not lose a type
    return types_[place] = make();
  }

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
  const MPI_Datatype types[2] = {scaffold.keep([&] { return contiguous(chunk, type); }), type};
  return structure(counts, displacements, types);
}

// The runs as MPI counts them.
class Description {
 public:
  explicit Description(std::span<const Elements> runs) {
    for (const Elements &run : runs) {
      const bool fits = run.count <= most_int;
      counts_.push_back(fits ? static_cast<int>(run.count) : 1);
      types_.push_back(fits ? run.type : scaffold_.keep([&] { return many(run.count, run.type, scaffold_); }));
      offsets_.push_back(run.offset);
    }
  }

  MPI_Datatype make(Entries::Form form) {
    if (!all_alike(types_)) return structure(counts_, offsets_, types_);
    const std::vector<Group> groups = vectors();
    const bool few = entries_of_vectors * groups.size() <= entries_of_blocks();
    if (form == Entries::Form::fewest && few) return make_of(groups);
    MPI_Datatype made = MPI_DATATYPE_NULL;
    if (form != Entries::Form::runs && all_alike(counts_)) {
      check_mpi(MPI_Type_create_hindexed_block(runs(), counts_[0], offsets_.data(), types_[0], &made),
                "MPI_Type_create_hindexed_block");
    } else {
      check_mpi(MPI_Type_create_hindexed(runs(), counts_.data(), offsets_.data(), types_[0], &made),
                "MPI_Type_create_hindexed");
    }
    return made;
  }

 private:
  // Runs of one length at one stride.
  struct Group {
    std::size_t first;
    std::size_t runs;
  };
  static constexpr std::size_t entries_of_vectors = 4;  // each: length and stride, offset and place in a struct

  [[nodiscard]] int runs() const { return static_cast<int>(counts_.size()); }
  [[nodiscard]] std::size_t entries_of_blocks() const {
    return all_alike(counts_) ? counts_.size() + 1 : 2 * counts_.size();
  }

  template <class Value>
  static bool all_alike(const std::vector<Value> &values) {
    return std::all_of(values.begin(), values.end(), [&](const Value &value) { return value == values[0]; });
  }

  [[nodiscard]] MPI_Aint stride(std::size_t run) const { return offsets_[run + 1] - offsets_[run]; }

  [[nodiscard]] std::vector<Group> vectors() const {
    std::vector<Group> groups;
    for (std::size_t first = 0; first < counts_.size();) {
      std::size_t end = first + 1;
      while (end < counts_.size() && counts_[end] == counts_[first] && stride(end - 1) == stride(first)) ++end;
      groups.push_back({first, end - first});
      first = end;
    }
    return groups;
  }

  MPI_Datatype make_of(const std::vector<Group> &groups) {
    std::vector<int> counts;
    std::vector<MPI_Aint> offsets;
    std::vector<MPI_Datatype> types;
    for (const Group &group : groups) {
      const bool alone = group.runs == 1;
      counts.push_back(alone ? counts_[group.first] : 1);
      offsets.push_back(offsets_[group.first]);
      types.push_back(alone ? types_[group.first] : scaffold_.keep([&] { return vector_of(group); }));
    }
    if (groups.size() == 1 && offsets[0] == 0) return contiguous(counts[0], types[0]);
    return structure(counts, offsets, types);
  }

  [[nodiscard]] MPI_Datatype vector_of(const Group &group) const {
    MPI_Datatype vector = MPI_DATATYPE_NULL;
    check_mpi(MPI_Type_create_hvector(static_cast<int>(group.runs), counts_[group.first], stride(group.first),
                                      types_[group.first], &vector),
              "MPI_Type_create_hvector");
    return vector;
  }

  Scaffold scaffold_;
  std::vector<int> counts_;
  std::vector<MPI_Aint> offsets_;
  std::vector<MPI_Datatype> types_;
};

// The runs cut into blocks.
std::vector<Elements> block_by_block(std::span<const Elements> runs, std::int64_t block) {
  std::vector<Elements> blocks;
  for (const Elements &run : runs) {
    MPI_Aint lower_bound = 0;
    MPI_Aint extent = 0;
    check_mpi(MPI_Type_get_extent(run.type, &lower_bound, &extent), "MPI_Type_get_extent");
    for (std::int64_t i = 0; i < run.count; i += block) {
      blocks.push_back({run.offset + static_cast<MPI_Aint>(i) * extent, std::min(block, run.count - i), run.type});
    }
  }
  return blocks;
}

}  // namespace

MPI_Datatype make_type(std::span<const Elements> runs, Entries entries) {
  if (runs.empty()) return contiguous(0, MPI_BYTE);
  if (entries.form == Entries::Form::blocks && entries.block > 0) {
    return Description(block_by_block(runs, entries.block)).make(entries.form);
  }
  return Description(runs).make(entries.form);
}

TypedMessage describe(std::span<const TypedPiece> pieces, std::vector<MPI_Datatype> &made, Entries entries) {
  const TypedPiece &first = pieces.front();
  if (pieces.size() == 1 && first.count <= most_int) {
    return {first.address, static_cast<int>(first.count), first.type};
  }
  std::vector<Elements> runs;
  for (const TypedPiece &piece : pieces) {
    const MPI_Aint offset =
        MPI_Aint_diff(reinterpret_cast<MPI_Aint>(piece.address), reinterpret_cast<MPI_Aint>(first.address));
    runs.push_back({offset, piece.count, piece.type});
  }
  made.push_back(MPI_DATATYPE_NULL);  // grows first: a failure here must not lose a type
  made.back() = make_type(runs, entries);
  check_mpi(MPI_Type_commit(&made.back()), "MPI_Type_commit");
  return {first.address, 1, made.back()};
}

}  // namespace rondo::internal
