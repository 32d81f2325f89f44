#include "call/message_cache.hpp"

#include <algorithm>
#include <cstdint>
#include <cstring>
#include <utility>

#include "wire/type_cache.hpp"

namespace rondo::internal::call {

namespace {

template <class Word>
bool same_ends(const std::byte *one, const std::byte *other, std::size_t bytes) {
  const auto word_at = [](const std::byte *at) {
    Word word;
    std::memcpy(&word, at, sizeof(word));
    return word;
  };
  const std::size_t last = bytes - sizeof(Word);
  return word_at(one) == word_at(other) && word_at(one + last) == word_at(other + last);
}

// Up to four counts by two words: a call of memcmp would take longer than that.
bool same(const std::byte *kept, const void *given, std::size_t bytes) {
  const auto *const other = static_cast<const std::byte *>(given);
  if (bytes == 0) return true;
  if (bytes > 2 * sizeof(std::uint64_t)) return std::memcmp(kept, other, bytes) == 0;
  return bytes < sizeof(std::uint64_t) ? same_ends<std::uint32_t>(kept, other, bytes)
                                       : same_ends<std::uint64_t>(kept, other, bytes);
}

std::uint64_t number_at(const void *numbers, std::size_t width, int entry) {
  if (width == sizeof(int)) return static_cast<std::uint64_t>(static_cast<const int *>(numbers)[entry]);
  return static_cast<std::uint64_t>(static_cast<const MPI_Count *>(numbers)[entry]);
}

// Of so many entries the first count and the last, and the last displacement.
std::uint64_t print_of(const SideArguments &side, int entries) {
  constexpr std::uint64_t spread = 0x9E3779B97F4A7C15U;
  if (side.counts == nullptr || entries == 0) return 0;
  if (side.displs == nullptr) return number_at(side.counts, side.width, 0);
  const int last = entries - 1;
  const std::uint64_t counts =
      number_at(side.counts, side.width, 0) * spread + number_at(side.counts, side.width, last);
  return counts * spread + number_at(side.displs, side.displ_width, last);
}

std::uint64_t print_of(const CallArguments &arguments, const Peers &peers) {
  const std::uint64_t receive = print_of(arguments.receive, peers.sources());
  return arguments.in_place() ? receive
                              : receive * 0xC2B2AE3D27D4EB4FU + print_of(arguments.send, peers.destinations());
}

}  // namespace

void MessageCache::KeptSide::keep(const SideArguments &given, int entries, bool each_type) {
  const auto each = static_cast<std::size_t>(entries);
  count_bytes = given.counts == nullptr ? 0 : given.width * (given.displs == nullptr ? 1 : each);
  displ_bytes = given.displs == nullptr ? 0 : given.displ_width * each;
  const std::size_t type_bytes = sizeof(MPI_Datatype) * (each_type ? each : 1);
  width = given.width;
  displ_width = given.displ_width;
  null_buffer = given.buffer == nullptr;
  on_device = given.on_device;
  arrays.resize(count_bytes + displ_bytes + type_bytes);
  const auto copy = [](std::byte *to, const void *from, std::size_t bytes) {
    if (bytes > 0) std::memcpy(to, from, bytes);
    return to + bytes;
  };
  std::byte *const displs = copy(arrays.data(), given.counts, count_bytes);
  copy(copy(displs, given.displs, displ_bytes), given.types, type_bytes);
}

bool MessageCache::KeptSide::equals(const SideArguments &given) const {
  const std::byte *const displs = arrays.data() + count_bytes;
  const std::byte *const types = displs + displ_bytes;
  return width == given.width && displ_width == given.displ_width && null_buffer == (given.buffer == nullptr) &&
         on_device == given.on_device && same(arrays.data(), given.counts, count_bytes) &&
         same(displs, given.displs, displ_bytes) && same(types, given.types, arrays.size() - count_bytes - displ_bytes);
}

bool MessageCache::KeptSide::has(MPI_Datatype type) const {
  for (std::size_t at = count_bytes + displ_bytes; at < arrays.size(); at += sizeof(type)) {
    if (std::memcmp(arrays.data() + at, &type, sizeof(type)) == 0) return true;
  }
  return false;
}

bool MessageCache::serves(const Kept &kept, const CallArguments &arguments) {
  return kept.types_freed == types_freed() && kept.in_place == arguments.in_place() &&
         kept.receive.equals(arguments.receive) && (kept.in_place || kept.send.equals(arguments.send));
}

// Compiled in one piece: it is part of every call.
[[gnu::flatten]] MessageCache::Found MessageCache::find(const CallArguments &arguments, const Peers &peers) {
  if (last_ < kept_.size() && serves(kept_[last_], arguments)) return {use(last_), true};
  const std::uint64_t print = print_of(arguments, peers);
  if (expects_others(print)) return {read_once(arguments, peers), false};
  const std::size_t place = find_kept(arguments, print);
  if (place < kept_.size()) return {use(place), true};
  read(make_room(), arguments, peers);
  return {found_, false};
}

// Where none of the last arguments has come again, these are neither looked for nor kept, unless they look like the
// ones just before; but every now and then they are, as a program may come back to what it does again and again.
bool MessageCache::expects_others(std::uint64_t print) {
  const bool looks_new = print != std::exchange(last_print_, print);
  return ++misses_ > most_entries && looks_new && misses_ % most_entries != 0;
}

const std::shared_ptr<const Messages> &MessageCache::read_once(const CallArguments &arguments, const Peers &peers) {
  passing_turn_ = !passing_turn_;
  Passing &passing = passing_[passing_turn_ ? 1 : 0];
  if (!is_free(passing.messages, 2)) passing.given = passing.messages = std::make_shared<Messages>();
  reader_.read(arguments, peers, *passing.messages);
  last_ = most_entries;
  return passing.given;
}

// Whether they may be written, as nobody has them but so many references of the cache's: a call under way may. Counted
// by a copy, which orders what another thread has read, before it gave them up, before what is written now.
bool MessageCache::is_free(const std::shared_ptr<Messages> &messages, long references) {
  const std::shared_ptr<Messages> counted = messages;
  return counted && counted.use_count() == references + 1;
}

// The place of what serves, or the number of places.
std::size_t MessageCache::find_kept(const CallArguments &arguments, std::uint64_t print) const {
  const std::size_t places = kept_.size();
  for (std::size_t place = 0; place < places; ++place) {
    if (prints_[place] == print && serves(kept_[place], arguments)) return place;
  }
  return places;
}

const std::shared_ptr<const Messages> &MessageCache::use(std::size_t place) {
  misses_ = 0;
  Kept &kept = kept_[place];
  if (place != last_) {
    used_again_[place] = true;
    last_ = place;
  }
  if (found_ != kept.messages) found_ = kept.messages;
  return found_;
}

// A place whose messages may be others from now on.
std::size_t MessageCache::make_room() {
  if (kept_.size() == most_entries) return next_to_go();
  kept_.emplace_back();
  return kept_.size() - 1;
}

void MessageCache::read(std::size_t place, const CallArguments &arguments, const Peers &peers) {
  const std::uint64_t freed_before = types_freed();  // what other threads free meanwhile counts
  const std::uint64_t passing_before = passing_types_used();
  bool is_kept = false;
  try {
    Kept &kept = kept_[place];
    if (!is_free(kept.messages, 1)) kept.messages = std::make_shared<Messages>();
    reader_.read(arguments, peers, *kept.messages);
    is_kept = passing_types_used() == passing_before;
    if (is_kept) keep(place, arguments, peers);
    kept.types_freed = freed_before;
    found_ = kept.messages;
  } catch (...) {
    drop(place);
    throw;
  }
  if (!is_kept) return drop(place);
  while (bytes_ > most_bytes_ && !kept_.empty()) drop(next_to_go());
}

void MessageCache::keep(std::size_t place, const CallArguments &arguments, const Peers &peers) {
  Kept &kept = kept_[place];
  kept.in_place = arguments.in_place();
  kept.receive.keep(arguments.receive, peers.sources(), arguments.each_type);
  // What is sent in place is what is received: the arguments of the send side mean nothing.
  if (!kept.in_place) kept.send.keep(arguments.send, peers.destinations(), arguments.each_type);
  prints_[place] = print_of(arguments, peers);
  used_again_[place] = false;
  last_ = place;
  bytes_ -= static_cast<std::int64_t>(kept.bytes);
  kept.bytes = sizeof(Kept) + kept.send.arrays.capacity() + kept.receive.arrays.capacity() + kept.messages->memory();
  bytes_ += static_cast<std::int64_t>(kept.bytes);
}

void MessageCache::forget(MPI_Datatype type) {
  found_.reset();
  passing_ = {};
  for (std::size_t place = kept_.size(); place-- > 0;) {
    const Kept &kept = kept_[place];
    if (kept.receive.has(type) || (!kept.in_place && kept.send.has(type))) drop(place);
  }
}

// The hand goes round. What has been used again since it came by is left until it comes by once more.
std::size_t MessageCache::next_to_go() {
  for (;; ++hand_) {
    if (hand_ >= kept_.size()) hand_ = 0;
    if (hand_ == last_ && kept_.size() > 1) continue;
    if (!std::exchange(used_again_[hand_], false)) return hand_++;
  }
}

// The last one takes its place.
void MessageCache::drop(std::size_t place) {
  const std::size_t end = kept_.size() - 1;
  bytes_ -= static_cast<std::int64_t>(kept_[place].bytes);
  if (last_ == place) {
    last_ = most_entries;
  } else if (last_ == end) {
    last_ = place;
  }
  if (place != end) kept_[place] = std::move(kept_[end]);
  prints_[place] = prints_[end];
  used_again_[place] = used_again_[end];
  kept_.pop_back();
}

}  // namespace rondo::internal::call
