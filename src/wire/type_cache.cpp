#include "wire/type_cache.hpp"

#include <memory>
#include <utility>

#include "wire/handle_table.hpp"
#include "wire/mpi_call.hpp"

namespace rondo::internal {

// What is kept with a type. It can wait in a list, which takes no memory then.
struct CachedType {
  DatatypeShape shape;
  MPI_Datatype type;
  CachedType *next;
};

constinit thread_local int TypesBeingFreed::lives = 0;
constinit thread_local CachedType *TypesBeingFreed::ending = nullptr;

void TypesBeingFreed::take(CachedType *cached) noexcept {
  if (lives == 0) {
    delete cached;
    return;
  }
  cached->next = std::exchange(ending, cached);
}

CachedType *TypesBeingFreed::find(MPI_Datatype type) noexcept {
  CachedType *found = ending;
  while (found != nullptr && found->type != type) found = found->next;
  return found;
}

namespace {

using Table = HandleTable<MPI_Datatype, CachedType>;

std::atomic<std::uint64_t> freed{1};

extern "C" int rondo_drop_cached_type(MPI_Datatype type, int, void *value, void *) {
  Table::erase(type);
  freed.fetch_add(1, std::memory_order_relaxed);
  TypesBeingFreed::take(static_cast<CachedType *>(value));
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

CachedType *make(MPI_Datatype type, const char *side) {
  if (CachedType *const ending = TypesBeingFreed::find(type)) return ending;
  auto fresh = std::make_unique<CachedType>(CachedType{shape_of(type, side, MPI_COMM_SELF), type, nullptr});
  Table::insert(type, fresh.get());
  const int code = MPI_Type_set_attr(type, keyval(), fresh.get());
  if (code == MPI_SUCCESS) return fresh.release();
  Table::erase(type);
  check_mpi(code, "MPI_Type_set_attr");
  return nullptr;
}

}  // namespace

const DatatypeShape &cached_shape(MPI_Datatype type, const char *side) {
  return Table::find_or_make(type, [&] { return make(type, side); })->shape;
}

// Other types may have the handles from now on.
TypesBeingFreed::~TypesBeingFreed() {
  --lives;
  if (ending == before_) return;
  freed.fetch_add(1, std::memory_order_relaxed);
  while (ending != before_) delete std::exchange(ending, ending->next);
}

bool has_cached_shape(MPI_Datatype type) {
  return Table::find(type) != nullptr;
}

std::uint64_t types_freed() {
  return freed.load(std::memory_order_relaxed);
}

}  // namespace rondo::internal
