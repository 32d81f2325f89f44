#include "wire/datatype.hpp"

#include <fmt/format.h>

#include <cstddef>
#include <utility>

#include "exchange/error.hpp"
#include "wire/mpi_call.hpp"

namespace rondo::internal {

namespace {

// A type longer than this is not looked at byte by byte.
constexpr std::int64_t longest_probe = std::int64_t{1} << 24;

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

// Where each packed byte of an element came from, counted from the true lower bound. Packing numbered bytes asks
// MPI itself for the type map, whatever constructors made the type.
class ByteOrigins {
 public:
  ByteOrigins(MPI_Datatype type, const DatatypeShape &shape, MPI_Comm packing) {
    for (int digit = 0; (shape.true_extent - 1) >> (8 * digit) != 0; ++digit) {
      digits_.push_back(pack_digit(type, shape, digit, packing));
    }
  }
  [[nodiscard]] std::int64_t operator[](std::size_t packed) const {
    std::int64_t origin = 0;
    for (std::size_t digit = 0; digit < digits_.size(); ++digit) {
      origin |= std::int64_t{digits_[digit][packed]} << (8 * digit);
    }
    return origin;
  }

 private:
  std::vector<std::vector<unsigned char>> digits_;
};

// How a type was made.
struct Envelope {
  explicit Envelope(MPI_Datatype type) {
    check_mpi(MPI_Type_get_envelope(type, &integers, &addresses, &types, &combiner), "MPI_Type_get_envelope");
  }
  int integers = 0, addresses = 0, types = 0, combiner = 0;
};

DatatypeShape measure(MPI_Datatype type) {
  MPI_Count size = 0;
  MPI_Count lower_bound = 0;
  MPI_Count extent = 0;
  MPI_Count true_lower_bound = 0;
  MPI_Count true_extent = 0;
  check_mpi(MPI_Type_size_x(type, &size), "MPI_Type_size_x");
  check_mpi(MPI_Type_get_extent_x(type, &lower_bound, &extent), "MPI_Type_get_extent_x");
  check_mpi(MPI_Type_get_true_extent_x(type, &true_lower_bound, &true_extent), "MPI_Type_get_true_extent_x");
  return {size, extent, true_lower_bound, true_extent, false};
}

bool is_dense(MPI_Datatype type, const DatatypeShape &shape, MPI_Comm packing);

class OwnedType {
 public:
  explicit OwnedType(MPI_Datatype type) : type_(type) {}
  ~OwnedType() { MPI_Type_free(&type_); }
  OwnedType(const OwnedType &) = delete;
  OwnedType &operator=(const OwnedType &) = delete;

 private:
  MPI_Datatype type_;
};

// For a type that is too long to be looked at byte by byte: whether it is a row of dense elements, as large blocks of
// programs are.
bool is_row_of_dense(MPI_Datatype type, MPI_Comm packing) {
  const Envelope made(type);
  if (made.combiner != MPI_COMBINER_CONTIGUOUS && made.combiner != MPI_COMBINER_DUP) return false;
  int count = 0;
  MPI_Aint no_address = 0;
  MPI_Datatype element = MPI_DATATYPE_NULL;
  check_mpi(MPI_Type_get_contents(type, made.integers, 0, 1, &count, &no_address, &element), "MPI_Type_get_contents");
  if (is_named(element)) return true;
  const OwnedType owned(element);
  check_mpi(MPI_Type_commit(&element), "MPI_Type_commit");  // what a type is made of need not be committed
  return is_dense(element, measure(element), packing);
}

bool is_dense(MPI_Datatype type, const DatatypeShape &shape, MPI_Comm packing) {
  if (shape.size != shape.extent || shape.size != shape.true_extent) return false;
  if (shape.size == 0 || is_named(type)) return true;
  if (shape.true_extent > longest_probe) return is_row_of_dense(type, packing);
  const auto runs = byte_runs(type, shape, packing);
  return runs && runs->size() == 1;
}

// MPICH does not tell that a type has been freed. Its size is then an address, or zero although it spans bytes.
bool looks_freed(const DatatypeShape &shape) {
  constexpr std::int64_t least_address = std::int64_t{1} << 46;
  return shape.size >= least_address || (shape.size == 0 && shape.true_extent != 0);
}

[[noreturn]] void throw_invalid(const char *side) {
  throw Error(Fault::type, fmt::format("the {} datatype is no valid datatype (has it been freed?)", side));
}

// A type that is not committed is one that MPI does not pack.
void check_committed(MPI_Datatype type, const char *side, MPI_Comm packing) {
  char nothing = 0;
  int position = 0;
  if (MPI_Pack(&nothing, 0, type, &nothing, 0, &position, packing) != MPI_SUCCESS) {
    throw Error(Fault::type, fmt::format("the {} datatype is not committed", side));
  }
}

}  // namespace

bool is_named(MPI_Datatype type) {
  return Envelope(type).combiner == MPI_COMBINER_NAMED;
}

DatatypeShape shape_of(MPI_Datatype type, const char *side, MPI_Comm packing) {
  if (type == MPI_DATATYPE_NULL) throw Error(Fault::type, fmt::format("the {} datatype is MPI_DATATYPE_NULL", side));
  const ErrorsReturned returned;
  MPI_Count size = 0;
  if (MPI_Type_size_x(type, &size) != MPI_SUCCESS) throw_invalid(side);
  DatatypeShape shape = measure(type);
  if (looks_freed(shape)) throw_invalid(side);
  check_committed(type, side, packing);
  shape.dense = is_dense(type, shape, packing);
  return shape;
}

std::optional<std::vector<Extent>> byte_runs(MPI_Datatype type, const DatatypeShape &shape, MPI_Comm packing) {
  if (shape.size == 0) return std::vector<Extent>();  // whatever its extent
  if (shape.true_extent > longest_probe) return std::nullopt;
  const ByteOrigins origins(type, shape, packing);
  std::vector<Extent> runs;
  for (std::size_t packed = 0; packed < static_cast<std::size_t>(shape.size); ++packed) {
    const std::int64_t offset = origins[packed] + shape.true_lower_bound;
    if (!runs.empty() && runs.back().end() == offset) {
      ++runs.back().length;
    } else {
      runs.push_back({offset, 1});
    }
  }
  return runs;
}

}  // namespace rondo::internal
