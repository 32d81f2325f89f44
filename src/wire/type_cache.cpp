#include "wire/type_cache.hpp"

#include <atomic>
#include <memory>

#include "wire/handle_table.hpp"
#include "wire/mpi_call.hpp"

namespace rondo::internal {

namespace {

using Table = HandleTable<MPI_Datatype, const DatatypeShape>;

constinit std::atomic<std::uint64_t> freed{1};
constinit std::atomic<int> calls_that_free{0};
constinit std::atomic<std::uint64_t> uses_meanwhile{0};  // of types with which nothing was kept

extern "C" int rondo_drop_cached_type(MPI_Datatype type, int, void *value, void *) {
  Table::erase(type);
  freed.fetch_add(1, std::memory_order_relaxed);
  delete static_cast<const DatatypeShape *>(value);
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

const DatatypeShape *make(MPI_Datatype type, const char *side) {
  auto fresh = std::make_unique<DatatypeShape>(shape_of(type, side, MPI_COMM_SELF));
  Table::insert(type, fresh.get());
  const int code = MPI_Type_set_attr(type, keyval(), fresh.get());
  if (code == MPI_SUCCESS) return fresh.release();
  Table::erase(type);
  check_mpi(code, "MPI_Type_set_attr");
  return nullptr;
}

// Where one is under way, its end makes out of date what is found now.
bool any_call_frees_types() {
  if (calls_that_free.load() == 0) return false;
  uses_meanwhile.fetch_add(1);
  return calls_that_free.load() > 0;
}

}  // namespace

TypesBeingFreed::TypesBeingFreed() noexcept : uses_before_(uses_meanwhile.load()) {
  calls_that_free.fetch_add(1);
}

// Other types may have the handles from now on.
TypesBeingFreed::~TypesBeingFreed() {
  calls_that_free.fetch_sub(1);
  if (uses_meanwhile.load() != uses_before_) freed.fetch_add(1, std::memory_order_relaxed);
}

DatatypeShape cached_shape(MPI_Datatype type, const char *side) {
  if (any_call_frees_types()) return shape_of(type, side, MPI_COMM_SELF);
  return *Table::find_or_make(type, [&] { return make(type, side); });
}

bool may_be_kept(MPI_Datatype type) {
  return calls_that_free.load() > 0 || Table::find(type) != nullptr;
}

std::uint64_t types_freed() {
  return freed.load(std::memory_order_relaxed);
}

}  // namespace rondo::internal
