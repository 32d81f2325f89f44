#include "api/request_table.hpp"

#include <algorithm>
#include <memory>
#include <mutex>
#include <new>
#include <span>
#include <type_traits>

#include "plan/progress.hpp"
#include "wire/channel.hpp"

namespace rondo::internal {

namespace {

// Its destructor does nothing, so it may be used after main().
constinit std::mutex changing;
static_assert(std::is_trivially_destructible_v<std::mutex>);

}  // namespace

RONDO_Request RequestTable::add() {
  static const bool told_at_finalize = (at_finalize(outlive_mpi), true);
  static_cast<void>(told_at_finalize);
  const std::lock_guard lock(changing);
  Place &place = unused();
  place.object.emplace();
  first_free = std::exchange(place.next_free, nullptr);
  place.handle = reinterpret_cast<RONDO_Request>((++place.uses << half) | place.number);
  return place.handle;
}

// What is freed may take its time: only the place is given back under the lock.
void RequestTable::remove(RONDO_Request handle) noexcept {
  Place &place = *place_of(handle);
  place.handle = RONDO_REQUEST_NULL;
  place.object.reset();
  const std::lock_guard lock(changing);
  place.next_free = std::exchange(first_free, &place);
}

// The first of the list of those that are free; where there is none, a chunk more becomes the list.
RequestTable::Place &RequestTable::unused() {
  if (first_free != nullptr) return *first_free;
  const auto end = chunks.begin() + chunk_count;
  const auto found = std::find(chunks.begin(), end, nullptr);
  if (found == end) throw std::bad_alloc();
  const std::uintptr_t length = first_length << (found - chunks.begin());
  auto places = std::make_unique<Place[]>(length);
  for (std::uintptr_t i = length; i-- > 0;) {
    places[i].number = length - first_length + i;
    places[i].next_free = std::exchange(first_free, &places[i]);
  }
  found->store(places.release(), std::memory_order_release);
  return *first_free;
}

// MPI has taken what the plans had of its: there is nothing to start or to wait for any more.
void RequestTable::outlive_mpi() {
  end_all_running();
  const std::lock_guard lock(changing);
  std::uintptr_t length = first_length;
  for (const std::atomic<Place *> &chunk : chunks) {
    Place *const places = chunk.load(std::memory_order_relaxed);
    if (places == nullptr) return;
    for (Place &place : std::span(places, length)) {
      if (place.handle == RONDO_REQUEST_NULL) continue;
      place.object->state = RONDO_Request_object::State::inactive;
      place.object->outlived = true;
    }
    length *= 2;
  }
}

OwnedRequest OwnedRequest::make() {
  OwnedRequest made;
  made.handle_ = RequestTable::add();
  made.object_ = RequestTable::find(made.handle_);
  return made;
}

}  // namespace rondo::internal
