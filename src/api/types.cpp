// The datatype constructors of the C interface (Träff 2014, sections 3.1, 3.2 and 3.5).

#include <fmt/format.h>

#include <algorithm>

#include "api/fault.hpp"
#include "exchange/block.hpp"
#include "exchange/exchange.hpp"
#include "wire/mpi_call.hpp"
#include "wire/pieces.hpp"

namespace rondo::internal {

namespace {

void check_range(const char *name, std::int64_t value, std::int64_t least, std::int64_t most) {
  if (value >= least && value <= most) return;
  throw Error(Fault::count, fmt::format("{} is {}, not between {} and {}", name, value, least, most))
      .with_values(value, value < least ? least : most);
}

void check_least(const char *name, std::int64_t value, std::int64_t least) {
  if (value >= least) return;
  throw Error(Fault::count, fmt::format("{} is {}, less than {}", name, value, least)).with_values(value, least);
}

// Runs of one base type, in elements of it.
class TypeRuns {
 public:
  explicit TypeRuns(MPI_Datatype base) : base_(base) {
    if (base == MPI_DATATYPE_NULL) throw Error(Fault::type, "the base datatype is MPI_DATATYPE_NULL");
    const ErrorsReturned returned;
    if (MPI_Type_get_extent(base, &lower_bound_, &extent_) != MPI_SUCCESS) {
      throw Error(Fault::type, "the base datatype is no valid datatype (has it been freed?)");
    }
  }

  // `start` in a circle of `total` elements.
  void add(std::int64_t start, std::int64_t count, std::int64_t total) {
    if (count == 0) return;
    const std::int64_t before_end = std::min(count, total - start);
    add(start, before_end);
    if (count > before_end) add(0, count - before_end);
  }
  void add(std::int64_t start, std::int64_t count) {
    if (count == 0) return;
    checked_multiply(count, extent_, "an extent");
    runs_.push_back({checked_multiply(start, extent_, "an offset"), count, base_});
  }

  [[nodiscard]] MPI_Datatype make() const { return make_type(runs_); }
  // With the extent of so many elements.
  [[nodiscard]] MPI_Datatype make(std::int64_t elements) const {
    const MPI_Aint extent = checked_multiply(elements, extent_, "an extent");
    MPI_Datatype tight = make_type(runs_);
    MPI_Datatype made = MPI_DATATYPE_NULL;
    const int status = MPI_Type_create_resized(tight, elements == 0 ? 0 : lower_bound_, extent, &made);
    MPI_Type_free(&tight);
    check_mpi(status, "MPI_Type_create_resized");
    return made;
  }

 private:
  MPI_Datatype base_;
  MPI_Aint lower_bound_ = 0;
  MPI_Aint extent_ = 0;
  std::vector<Elements> runs_;
};

// Calls add(offset, elements) for each block of a bounded vector.
template <class Add>
void for_each_block(std::int64_t bound, std::int64_t blocklength, std::int64_t stride, Add &&add) {
  check_least("bound", bound, 0);
  check_least("blocklength", blocklength, 0);
  check_least("stride", stride, std::max<std::int64_t>(1, blocklength));
  if (blocklength == 0) return;
  for (std::int64_t begin = 0; begin < bound; begin += stride) add(begin, std::min(blocklength, bound - begin));
}

template <class Make>
int make_datatype(MPI_Datatype *newtype, Make &&make) {
  return guarded([&] {
    if (newtype == nullptr) throw Error(Fault::argument, "the newtype argument is null");
    *newtype = MPI_DATATYPE_NULL;
    check_mpi_is_up(Fault::type);
    *newtype = make();
  });
}

}  // namespace

}  // namespace rondo::internal

int RONDO_Type_create_bounded_vector(MPI_Count bound, MPI_Count blocklength, MPI_Count stride, MPI_Datatype oldtype,
                                     MPI_Datatype *newtype) {
  return rondo::internal::make_datatype(newtype, [&] {
    rondo::internal::TypeRuns runs(oldtype);
    rondo::internal::for_each_block(bound, blocklength, stride,
                                    [&](std::int64_t begin, std::int64_t count) { runs.add(begin, count); });
    return runs.make();
  });
}

int RONDO_Type_create_circular_vector(MPI_Count total, MPI_Count start, MPI_Count bound, MPI_Count blocklength,
                                      MPI_Count stride, MPI_Datatype oldtype, MPI_Datatype *newtype) {
  return rondo::internal::make_datatype(newtype, [&] {
    rondo::internal::check_least("total", total, 1);
    rondo::internal::check_range("start", start, 0, total - 1);
    rondo::internal::check_range("bound", bound, 0, total);
    rondo::internal::TypeRuns runs(oldtype);
    rondo::internal::for_each_block(bound, blocklength, stride, [&](std::int64_t begin, std::int64_t count) {
      runs.add((start + begin) % total, count, total);
    });
    return runs.make(total);
  });
}

int RONDO_Type_create_bucket(MPI_Count count, MPI_Count bucketsize, const MPI_Count counts[], MPI_Datatype oldtype,
                             MPI_Datatype *newtype) {
  return rondo::internal::make_datatype(newtype, [&] {
    rondo::internal::check_least("count", count, 0);
    rondo::internal::check_least("bucketsize", bucketsize, 0);
    if (counts == nullptr && count > 0)
      throw rondo::internal::Error(rondo::internal::Fault::argument, "the counts argument is null");
    rondo::internal::TypeRuns runs(oldtype);
    for (MPI_Count bucket = 0; bucket < count; ++bucket) {
      rondo::internal::check_range("the count of a bucket", counts[bucket], 0, bucketsize);
      runs.add(rondo::internal::checked_multiply(bucket, bucketsize, "an offset"), counts[bucket]);
    }
    return runs.make(rondo::internal::checked_multiply(count, bucketsize, "an extent"));
  });
}
