#include "pmpi/calls/caches.hpp"

#include "pmpi/settings/settings.hpp"
#include "pmpi/settings/world.hpp"
#include "wire/type_cache.hpp"

namespace rondo::internal::pmpi {

namespace {

// Of all communicators. Never destroyed, as MPI_Finalize may come after main().
struct AllCaches {
  std::mutex mutex;
  std::vector<Caches *> caches;
};

AllCaches &all_caches() {
  static auto *const all = new AllCaches;
  return *all;
}

}  // namespace

Caches::Caches() : caches_(calls, call::MessageCache(settings().cache_memory)) {
  const std::lock_guard lock(all_caches().mutex);
  all_caches().caches.push_back(this);
}

Caches::~Caches() {
  const std::lock_guard lock(all_caches().mutex);
  std::erase(all_caches().caches, this);
}

std::unique_lock<std::mutex> Caches::lock() {
  return std::unique_lock(all_caches().mutex);
}

void Caches::forget(MPI_Datatype type) {
  if (is_stray_thread() || uses > 0 || !is_cached_type(type)) return;
  const std::lock_guard lock(all_caches().mutex);
  for (Caches *const caches : all_caches().caches) {
    for (call::MessageCache &cache : caches->caches_) cache.forget(type);
  }
}

}  // namespace rondo::internal::pmpi
