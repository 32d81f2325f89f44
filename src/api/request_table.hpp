#pragma once

// The requests of this process by their handles.
//
// A RONDO_Request is no address: it says at which place of this table its object is, and how often the place had been
// used before. So a copy of a handle that has been freed is known from a good one for as long as the program runs, and
// to look one up costs two loads. Places are used again, but never given back, and the table is never destroyed: a
// program may free requests after main().

#include <array>
#include <atomic>
#include <bit>
#include <cstdint>
#include <limits>
#include <optional>
#include <utility>

#include "api/request.hpp"
#include "wire/copy.hpp"

namespace rondo::internal {

class RequestTable {
 public:
  // Makes an object. Throws std::bad_alloc.
  static RONDO_Request add();
  // Of a handle that is in the table.
  static void remove(RONDO_Request handle) noexcept;

  // Null for a handle that is not in the table.
  [[nodiscard]] static RONDO_Request_object *find(RONDO_Request handle) noexcept {
    if (handle == RONDO_REQUEST_NULL) return nullptr;
    Place *const place = place_of(handle);
    return place != nullptr && place->handle == handle ? &*place->object : nullptr;
  }

 private:
  struct alignas(cache_line) Place {
    RONDO_Request handle = RONDO_REQUEST_NULL;  // null while there is no object
    std::optional<RONDO_Request_object> object{};
    std::uintptr_t number = 0;
    std::uintptr_t uses = 0;
    Place *next_free = nullptr;
  };

  // A handle has the place's number in its lower half, and its uses in the other. Each chunk of places is twice as long
  // as the one before. So if numbers are counted from the first one's length, the highest bit says in which chunk a
  // place is, and the rest where.
  static constexpr int half = std::numeric_limits<std::uintptr_t>::digits / 2;
  static constexpr std::uintptr_t first_length = 16;
  static constexpr std::size_t chunk_count = std::countl_zero(first_length) - half + 1;
  static_assert((first_length << chunk_count) - first_length < std::uintptr_t{1} << half);

  [[nodiscard]] static Place *place_of(RONDO_Request handle) noexcept {
    const std::uintptr_t number = reinterpret_cast<std::uintptr_t>(handle) << half >> half;
    const std::uintptr_t counted = number + first_length;
    const int chunk = std::countl_zero(first_length) - std::countl_zero(counted);
    Place *const places = chunks[chunk].load(std::memory_order_acquire);
    return places == nullptr ? nullptr : places + (counted - std::bit_floor(counted));
  }

  static Place &unused();
  static void outlive_mpi();

  static inline constinit std::array<std::atomic<Place *>, chunk_count + 1> chunks{};  // the last stays null
  static inline constinit Place *first_free = nullptr;
};

// An entry of the table, for as long as nobody else has it.
class OwnedRequest {
 public:
  OwnedRequest() = default;
  // With a new object. Throws std::bad_alloc.
  static OwnedRequest make();
  OwnedRequest(OwnedRequest &&other) noexcept : object_(other.object_), handle_(other.release()) {}
  OwnedRequest &operator=(OwnedRequest &&other) noexcept {
    std::swap(object_, other.object_);
    std::swap(handle_, other.handle_);
    return *this;
  }
  ~OwnedRequest() {
    if (handle_ != RONDO_REQUEST_NULL) RequestTable::remove(handle_);
  }

  [[nodiscard]] RONDO_Request_object *operator->() const { return object_; }
  [[nodiscard]] RONDO_Request_object &operator*() const { return *object_; }
  RONDO_Request release() noexcept { return std::exchange(handle_, RONDO_REQUEST_NULL); }

 private:
  RONDO_Request_object *object_ = nullptr;
  RONDO_Request handle_ = RONDO_REQUEST_NULL;
};

}  // namespace rondo::internal
