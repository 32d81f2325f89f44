#include "wire/type_cache.hpp"

#include <atomic>
#include <memory>
#include <mutex>
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

namespace {

using Table = HandleTable<MPI_Datatype, CachedType>;

constinit std::atomic<std::uint64_t> freed{1};

// The calls of all threads that free types, which are few. What they have taken is read and written under the lock.
constinit std::mutex freeing_mutex;
constinit TypesBeingFreed *first_freeing = nullptr;
constinit std::atomic<int> freeing_count{0};

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
  auto fresh = std::make_unique<CachedType>(CachedType{shape_of(type, side, MPI_COMM_SELF), type, nullptr});
  Table::insert(type, fresh.get());
  const int code = MPI_Type_set_attr(type, keyval(), fresh.get());
  if (code == MPI_SUCCESS) return fresh.release();
  Table::erase(type);
  check_mpi(code, "MPI_Type_set_attr");
  return nullptr;
}

}  // namespace

constinit thread_local TypesBeingFreed *TypesBeingFreed::innermost = nullptr;

TypesBeingFreed::TypesBeingFreed(MPI_Datatype type) noexcept : type_(type), around_(std::exchange(innermost, this)) {
  const std::lock_guard lock(freeing_mutex);
  next_ = std::exchange(first_freeing, this);
  freeing_count.fetch_add(1);
}

// Other types may have the handles from now on: those of the types that have ended in this call, and, in the midst of
// another call, that of a type with which nothing was kept.
TypesBeingFreed::~TypesBeingFreed() {
  innermost = around_;
  const std::lock_guard lock(freeing_mutex);
  TypesBeingFreed **link = &first_freeing;
  while (*link != this) link = &(*link)->next_;
  *link = next_;
  const bool others = freeing_count.fetch_sub(1) > 1;
  if (others || used_ || ended_ != nullptr) freed.fetch_add(1, std::memory_order_relaxed);
  while (ended_ != nullptr) delete std::exchange(ended_, ended_->next);
}

void TypesBeingFreed::take(CachedType *cached) noexcept {
  if (innermost == nullptr) {
    delete cached;
    return;
  }
  const std::lock_guard lock(freeing_mutex);
  cached->next = std::exchange(innermost->ended_, cached);
}

bool TypesBeingFreed::any() noexcept {
  return freeing_count.load() > 0;
}

bool TypesBeingFreed::frees(MPI_Datatype type) const noexcept {
  const CachedType *ended = ended_;
  while (ended != nullptr && ended->type != type) ended = ended->next;
  return type == type_ || ended != nullptr;
}

bool TypesBeingFreed::use(MPI_Datatype type) noexcept {
  if (!any()) return false;
  const std::lock_guard lock(freeing_mutex);
  TypesBeingFreed *freeing = first_freeing;
  while (freeing != nullptr && !freeing->frees(type)) freeing = freeing->next_;
  if (freeing != nullptr) freeing->used_ = true;
  return freeing != nullptr;
}

DatatypeShape cached_shape(MPI_Datatype type, const char *side) {
  if (TypesBeingFreed::use(type)) return shape_of(type, side, MPI_COMM_SELF);
  return Table::find_or_make(type, [&] { return make(type, side); })->shape;
}

bool may_be_kept(MPI_Datatype type) {
  return TypesBeingFreed::any() || Table::find(type) != nullptr;
}

std::uint64_t types_freed() {
  return freed.load(std::memory_order_relaxed);
}

}  // namespace rondo::internal
