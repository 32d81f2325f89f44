#include "wire/type_cache.hpp"

#include <atomic>
#include <memory>

#include "wire/calls_beneath.hpp"
#include "wire/handle_table.hpp"
#include "wire/mpi_call.hpp"

namespace rondo::internal {

namespace {

using Table = HandleTable<MPI_Datatype, const KnownType>;

constinit std::atomic<std::uint64_t> freed{1};
constinit std::atomic<int> calls_that_free{0};
constinit std::atomic<std::uint64_t> uses_of_passing{0};
// What this thread has asked for last.
constinit thread_local LastFound<const KnownType> last_found [[gnu::tls_model("initial-exec")]];

extern "C" int rondo_drop_cached_type(MPI_Datatype type, int, void *value, void *) {
  Table::erase(type);
  freed.fetch_add(1, std::memory_order_relaxed);
  delete static_cast<const KnownType *>(value);
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

KnownType find_out(MPI_Datatype type, const char *side) {
  constexpr std::size_t most_kept = 1 << 16;  // a mebibyte for each type
  KnownType known{shape_of(type, side, MPI_COMM_SELF), nullptr};
  if (!known.shape.dense) known.runs = byte_runs(type, MPI_COMM_SELF, most_kept);
  return known;
}

const KnownType *make(MPI_Datatype type, const char *side) {
  auto fresh = std::make_unique<KnownType>(find_out(type, side));
  Table::insert(type, fresh.get());
  const int code = MPI_Type_set_attr(type, keyval(), fresh.get());
  if (code == MPI_SUCCESS) return fresh.release();
  Table::erase(type);
  check_mpi(code, "MPI_Type_set_attr");
  return nullptr;
}

}  // namespace

TypesBeingFreed::TypesBeingFreed() noexcept {
  calls_that_free.fetch_add(1);
}

TypesBeingFreed::~TypesBeingFreed() {
  calls_that_free.fetch_sub(1);
}

const KnownType *kept_type(MPI_Datatype type, const char *side) {
  if (calls_beneath > 0 || calls_that_free.load() > 0) return nullptr;
  const std::uint64_t now = freed.load(std::memory_order_relaxed);
  if (!last_found.serves(type, now)) {
    const KnownType *const found = Table::find_or_make(type, [&] { return make(type, side); });
    last_found = {bits_of(type), found, now};
  }
  return last_found.found;
}

KnownType cached_type(MPI_Datatype type, const char *side) {
  if (const KnownType *const kept = kept_type(type, side)) return *kept;
  uses_of_passing.fetch_add(1);
  return find_out(type, side);
}

bool is_cached_type(MPI_Datatype type) {
  return Table::find(type) != nullptr;
}

std::uint64_t passing_types_used() {
  return uses_of_passing.load();
}

std::uint64_t types_freed() {
  return freed.load(std::memory_order_relaxed);
}

}  // namespace rondo::internal
