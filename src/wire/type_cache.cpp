#include "wire/type_cache.hpp"

#include <memory>

#include "wire/handle_table.hpp"
#include "wire/mpi_call.hpp"

namespace rondo::internal {

namespace {

using Table = HandleTable<MPI_Datatype, DatatypeShape>;

std::atomic<std::uint64_t> freed{1};

extern "C" int rondo_drop_cached_type(MPI_Datatype type, int, void *value, void *) {
  Table::erase(type);
  freed.fetch_add(1, std::memory_order_relaxed);
  delete static_cast<DatatypeShape *>(value);
  return MPI_SUCCESS;
}

int keyval() {
  static const int key = [] {
    int made = MPI_KEYVAL_INVALID;
    MPI_Type_create_keyval(MPI_TYPE_NULL_COPY_FN, rondo_drop_cached_type, &made, nullptr);
    return made;
  }();
  return key;
}

DatatypeShape *make(MPI_Datatype type, const char *side) {
  auto shape = std::make_unique<DatatypeShape>(shape_of(type, side, MPI_COMM_SELF));
  Table::insert(type, shape.get());
  const int code = MPI_Type_set_attr(type, keyval(), shape.get());
  if (code == MPI_SUCCESS) return shape.release();
  Table::erase(type);
  check_mpi(code, "MPI_Type_set_attr");
  return nullptr;
}

}  // namespace

const DatatypeShape &cached_shape(MPI_Datatype type, const char *side) {
  return *Table::find_or_make(type, [&] { return make(type, side); });
}

bool has_cached_shape(MPI_Datatype type) {
  return Table::find(type) != nullptr;
}

std::uint64_t types_freed() {
  return freed.load(std::memory_order_relaxed);
}

}  // namespace rondo::internal
