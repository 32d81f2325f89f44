#include "varying/send_memory.hpp"

#include <sys/mman.h>
#include <unistd.h>

#include <algorithm>
#include <cstring>
#include <new>
#include <utility>

#include "wire/make_pages.hpp"
#include "wire/page.hpp"

namespace rondo::internal {

namespace {

// All places together are as long as four times what the machine has, and of a machine with much memory no longer than
// leaves addresses to several hundred plans, of which each needs them twice: for its own places, and for others'. None
// is longer than a quarter of the machine's memory: who asks for more than there is shall be told so. 0 where there can
// be none.
std::int64_t usual_place_bytes(std::size_t near) {
  if (near == 0 || !makes_pages_on_request()) return 0;
  constexpr std::int64_t most = std::int64_t{256} << 30;
  const std::int64_t machine = memory_of_machine();
  const std::int64_t each = std::min(4 * machine, most) / (SendMemory::turns * static_cast<std::int64_t>(near));
  return std::min(each, machine / 4) / SendMemory::granule * SendMemory::granule;
}

}  // namespace

SendMemory::~SendMemory() {
  if (memory_ != nullptr) munmap(memory_, static_cast<std::size_t>(file_bytes_));
}

void SendMemory::make_places() {
  std::vector<Place> places(ranks_ * turns);
  place_bytes_ = std::min(place_bytes_, usual_place_bytes(near_.size()));
  if (place_bytes_ > 0) make_file(places);
  places_ = std::move(places);
}

// A file begins with its cookie, and has the places of a rank side by side. Where it cannot be made, all memory is
// ordinary.
void SendMemory::make_file(std::span<Place> places) {
  file_bytes_ = granule;
  for (const int rank : near_) {
    for (std::size_t turn = 0; turn < turns; ++turn) {
      places[turn * ranks_ + rank].at = file_bytes_;
      file_bytes_ += place_bytes_;
    }
  }
  descriptor_.take(make_memory_file(file_bytes_, page));
  if (descriptor_.number() < 0) return;
  cookie_ = random_cookie();
  if (pwrite(descriptor_.number(), &cookie_, sizeof(cookie_), 0) != sizeof(cookie_)) return;
  memory_ = static_cast<std::byte *>(map_sparse_file(descriptor_.number(), 0, file_bytes_, PROT_READ | PROT_WRITE));
}

std::byte *SendMemory::take(int rank, std::int64_t bytes) {
  if (places_.empty()) make_places();
  Place &place = places_of(next_)[rank];
  std::byte *const begin = memory_ == nullptr || place.at < 0 ? nullptr : memory_ + place.at;
  if (begin == nullptr || bytes > place_bytes_ || place.ordinary.data() != nullptr) {
    return take_ordinary(place, begin, bytes);
  }
  if (bytes > place.made) place.made = make_pages(begin + place.made, bytes - place.made) - begin;
  place.taken = std::max(place.taken, bytes);
  return begin;
}

// `before`: where it was, if it has been taken from the file.
std::byte *SendMemory::take_ordinary(Place &place, const std::byte *before, std::int64_t bytes) {
  if (place.ordinary.data() != nullptr) before = place.ordinary.data();
  if (bytes > place.ordinary.size() || place.ordinary.data() == nullptr) {
    RawMemory larger(std::max<std::int64_t>(1, std::max(bytes, 2 * place.ordinary.size())));
    if (place.taken > 0) std::memcpy(larger.data(), before, static_cast<std::size_t>(place.taken));
    place.ordinary = std::move(larger);
  }
  place.taken = std::max(place.taken, bytes);
  return place.ordinary.data();
}

void SendMemory::begin_start() {
  if (places_.empty()) return;
  started_ = next_;
  next_ = (next_ + 1) % turns;
  for (Place &place : places_of(next_)) {
    place.taken = 0;
    place.ordinary = {};
  }
}

SharedBlock SendMemory::shared(int rank, const BlockData &block) const {
  const std::int64_t begin = place_of(0, rank).at;
  return {turns * place_bytes_, begin, block.data - (memory_ + begin), {getpid(), descriptor_.number(), cookie_}};
}

}  // namespace rondo::internal
