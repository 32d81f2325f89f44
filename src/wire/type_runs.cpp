#include "wire/type_runs.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <utility>

#include "wire/constructor.hpp"
#include "wire/datatype.hpp"
#include "wire/mpi_call.hpp"

namespace rondo::internal {

namespace {

// Runs in the order of the data, as few as there can be.
class Runs {
 public:
  Runs() = default;
  explicit Runs(const Extent &run) { add(run); }
  Runs(const Runs &element, std::int64_t offset, std::int64_t step, std::int64_t count) {
    repeat(element, offset, step, count);
  }

  void add(const Extent &run) {
    if (run.length == 0 || !known_) return;
    if (!runs_.empty() && runs_.back().end() == run.offset) {
      runs_.back().length += run.length;
    } else if (runs_.size() < most_type_runs) {
      runs_.push_back(run);
    } else {
      known_ = false;
    }
  }

  // `count` times the runs of `element`, the first at `offset`, the others each `step` after the one before.
  void repeat(const Runs &element, std::int64_t offset, std::int64_t step, std::int64_t count) {
    if (count == 0) return;
    known_ = known_ && element.known_;
    const std::vector<Extent> &pattern = element.runs_;
    if (pattern.size() == 1 && pattern.front().length == step) {
      add({offset + pattern.front().offset, count * step});
      return;
    }
    if (pattern.empty()) return;
    for (; known_ && count > 0; --count, offset += step) {
      for (const Extent &run : pattern) add({offset + run.offset, run.length});
    }
  }

  void forget() { known_ = false; }

  [[nodiscard]] std::optional<std::vector<Extent>> take() && {
    if (!known_) return std::nullopt;
    return std::move(runs_);
  }

 private:
  std::vector<Extent> runs_;
  bool known_ = true;
};

// Packs one element in which byte i holds digit `digit`, to base 256, of i.
std::vector<unsigned char> pack_digit(MPI_Datatype type, const DatatypeShape &shape, int digit, MPI_Comm packing) {
  std::vector<unsigned char> element(shape.true_extent);
  for (std::size_t i = 0; i < element.size(); ++i) element[i] = static_cast<unsigned char>(i >> (8 * digit));
  std::vector<unsigned char> packed(shape.size);
  int position = 0;
  // Where MPI expects the element may be far from its bytes, and no address at all.
  const auto origin =
      reinterpret_cast<std::uintptr_t>(element.data()) - static_cast<std::uintptr_t>(shape.true_lower_bound);
  check_mpi(MPI_Pack(reinterpret_cast<const void *>(origin), 1, type, packed.data(), static_cast<int>(shape.size),
                     &position, packing),
            "MPI_Pack");
  return packed;
}

// Packing numbered bytes asks MPI itself for the type map, whatever constructors made the type.
Runs runs_by_packing(MPI_Datatype type, MPI_Comm packing) {
  constexpr std::int64_t longest_packed = std::int64_t{1} << 24;
  Runs runs;
  const DatatypeShape shape = measure(type);
  if (shape.true_extent > longest_packed) {
    runs.forget();
    return runs;
  }
  check_mpi(MPI_Type_commit(&type), "MPI_Type_commit");  // what a type is made of need not be committed
  std::vector<std::vector<unsigned char>> digits;
  for (int digit = 0; (shape.true_extent - 1) >> (8 * digit) != 0; ++digit) {
    digits.push_back(pack_digit(type, shape, digit, packing));
  }
  for (std::size_t packed = 0; packed < static_cast<std::size_t>(shape.size); ++packed) {
    std::int64_t origin = 0;
    for (std::size_t digit = 0; digit < digits.size(); ++digit) {
      origin |= std::int64_t{digits[digit][packed]} << (8 * digit);
    }
    runs.add({origin + shape.true_lower_bound, 1});
  }
  return runs;
}

Runs runs_of(MPI_Datatype type, MPI_Comm packing);

// An argument of a constructor that is a datatype.
struct Element {
  Element(MPI_Datatype type, MPI_Comm packing) : extent(measure(type).extent), runs(runs_of(type, packing)) {}
  // So many of them, one after the other.
  [[nodiscard]] Runs row(std::int64_t count) const { return {runs, 0, extent, count}; }
  std::int64_t extent;
  Runs runs;
};

// What a type has of an array of elements. for_each_row(dimension, with) calls with(first, count) for each row of
// indices that it has of a dimension.
template <class ForEachRow>
Runs runs_of_array(const Element &element, std::span<const std::int64_t> sizes, std::int64_t order,
                   ForEachRow &&for_each_row) {
  Runs runs = element.runs;
  std::int64_t step = element.extent;
  for (std::size_t i = 0; i < sizes.size(); ++i) {
    const std::size_t dimension = order == MPI_ORDER_FORTRAN ? i : sizes.size() - 1 - i;
    Runs rows;
    for_each_row(dimension,
                 [&](std::int64_t first, std::int64_t count) { rows.repeat(runs, first * step, step, count); });
    runs = std::move(rows);
    step *= sizes[dimension];
  }
  return runs;
}

// The number of dimensions, the sizes of the array, those of the part, where the part begins, and the order.
Runs runs_of_subarray(const Element &element, std::span<const std::int64_t> numbers) {
  const auto dimensions = static_cast<std::size_t>(numbers[0]);
  const auto of_each = [&](std::size_t list) { return numbers.subspan(1 + list * dimensions, dimensions); };
  const auto sizes = of_each(0), part = of_each(1), starts = of_each(2);
  return runs_of_array(element, sizes, numbers.back(),
                       [&](std::size_t d, const auto &with) { with(starts[d], part[d]); });
}

// How the indices of a dimension are shared out among processes.
struct Shares {
  std::int64_t size, how, argument, processes;

  // Calls with(first, count) for each row of indices that one of them has.
  template <class With>
  void for_each_row(std::int64_t process, With &&with) const {
    if (how == MPI_DISTRIBUTE_NONE) return with(0, size);
    const bool in_turn = how == MPI_DISTRIBUTE_CYCLIC;
    const std::int64_t usual = in_turn ? 1 : (size + processes - 1) / processes;
    const std::int64_t row = argument == MPI_DISTRIBUTE_DFLT_DARG ? usual : argument;
    for (std::int64_t first = process * row; first < size; first += processes * row) {
      with(first, std::min(row, size - first));
      if (!in_turn) return;
    }
  }
};

// What one process has of an array of some dimensions: its rank, the number of dimensions, and of each the size, how it
// is shared out, with what argument, and among how many processes. Ranks count the last dimension first, however the
// array lies in memory.
Runs runs_of_darray(const Element &element, std::span<const std::int64_t> numbers) {
  const auto dimensions = static_cast<std::size_t>(numbers[2]);
  const auto of_each = [&](std::size_t list) { return numbers.subspan(3 + list * dimensions, dimensions); };
  const auto sizes = of_each(0), how = of_each(1), arguments = of_each(2), processes = of_each(3);
  std::vector<std::int64_t> process(dimensions);
  std::int64_t rank = numbers[1];
  for (std::size_t i = dimensions; i-- > 0;) {
    process[i] = rank % processes[i];
    rank /= processes[i];
  }
  return runs_of_array(element, sizes, numbers.back(), [&](std::size_t d, const auto &with) {
    Shares{sizes[d], how[d], arguments[d], processes[d]}.for_each_row(process[d], with);
  });
}

// Blocks of elements of one type. lengths(i) tells how many elements block i has, offsets(i) the bytes before it.
template <class Lengths, class Offsets>
Runs runs_of_blocks(const Element &element, std::int64_t blocks, Lengths &&lengths, Offsets &&offsets) {
  Runs runs;
  for (std::int64_t i = 0; i < blocks; ++i) runs.repeat(element.runs, offsets(i), element.extent, lengths(i));
  return runs;
}

Runs runs_of_struct(const Constructor &made, MPI_Comm packing) {
  const std::vector<std::int64_t> &numbers = made.numbers();
  const std::vector<MPI_Datatype> &types = made.types();
  Runs runs;
  std::optional<Element> element;
  for (std::size_t i = 0; i < types.size(); ++i) {
    if (i == 0 || types[i] != types[i - 1]) element.emplace(types[i], packing);
    runs.repeat(element->runs, numbers[1 + types.size() + i], element->extent, numbers[1 + i]);
  }
  return runs;
}

Runs runs_of(MPI_Datatype type, MPI_Comm packing) {
  const DatatypeShape shape = measure(type);
  if (shape.size == 0) return {};  // whatever its extent
  const Constructor made(type);
  if (made.is_predefined() && shape.size == shape.true_extent) return Runs({shape.true_lower_bound, shape.size});
  const std::vector<std::int64_t> &numbers = made.numbers();
  const auto element = [&] { return Element(made.types().front(), packing); };
  const auto first = [&] { return numbers[0]; };
  const auto second = [&](std::int64_t = 0) { return numbers[1]; };
  const auto after_first = [&](std::int64_t i) { return numbers[1 + i]; };
  switch (made.combiner()) {
    case MPI_COMBINER_DUP:
    case MPI_COMBINER_RESIZED: return runs_of(made.types().front(), packing);
    case MPI_COMBINER_CONTIGUOUS: return element().row(first());
    case MPI_COMBINER_VECTOR: {
      const Element one = element();
      return Runs(one.row(second()), 0, numbers[2] * one.extent, first());
    }
    case MPI_COMBINER_HVECTOR: return Runs(element().row(second()), 0, numbers[2], first());
    case MPI_COMBINER_INDEXED: {
      const Element one = element();
      return runs_of_blocks(one, first(), after_first,
                            [&](std::int64_t i) { return numbers[1 + first() + i] * one.extent; });
    }
    case MPI_COMBINER_HINDEXED:
      return runs_of_blocks(element(), first(), after_first, [&](std::int64_t i) { return numbers[1 + first() + i]; });
    case MPI_COMBINER_INDEXED_BLOCK: {
      const Element one = element();
      return runs_of_blocks(one, first(), second, [&](std::int64_t i) { return numbers[2 + i] * one.extent; });
    }
    case MPI_COMBINER_HINDEXED_BLOCK:
      return runs_of_blocks(element(), first(), second, [&](std::int64_t i) { return numbers[2 + i]; });
    case MPI_COMBINER_STRUCT: return runs_of_struct(made, packing);
    case MPI_COMBINER_SUBARRAY: return runs_of_subarray(element(), numbers);
    case MPI_COMBINER_DARRAY: return runs_of_darray(element(), numbers);
    default: return runs_by_packing(type, packing);
  }
}

}  // namespace

TypeRuns byte_runs(MPI_Datatype type, MPI_Comm packing, std::size_t most) {
  std::optional<std::vector<Extent>> runs = runs_of(type, packing).take();
  if (!runs || runs->size() > most) return nullptr;
  runs->shrink_to_fit();
  return std::make_shared<const std::vector<Extent>>(*std::move(runs));
}

}  // namespace rondo::internal
