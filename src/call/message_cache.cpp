#include "call/message_cache.hpp"

#include <atomic>
#include <memory>
#include <utility>

#include "wire/type_cache.hpp"

namespace rondo::internal::call {

// Compiled in one piece: it is part of every call.
[[gnu::flatten]] MessageCache::Found MessageCache::find(const CallArguments &arguments, const Peers &peers) {
  if (last_ < kept_.size() && kept_[last_].arguments.equal(arguments)) return {use(last_), true};
  if (keeps_missing()) return {read_once(arguments, peers), false};
  const std::uint64_t fingerprint = fingerprint_of(arguments, peers);
  const std::size_t place = find_kept(arguments, fingerprint);
  if (place < kept_.size()) return {use(place), true};
  read(make_room(), fingerprint, arguments, peers);
  return {found_, false};
}

// Counts the miss. Where none of the last arguments has come again, these are neither looked for nor kept; but every
// now and then they are, as a program may come back to what it does again and again: at distances that few programs
// repeat themselves at, or it would always be the one call that is new.
bool MessageCache::keeps_missing() {
  constexpr std::size_t most_misses = 16;
  constexpr std::size_t between_looks = 17;
  return ++misses_ > most_misses && misses_ % between_looks != 0;
}

// Whether messages may be written, as nobody has them but so many references of the cache's: a call under way may.
// Another thread that has let go of its reference has read them before: the fence keeps what is written from coming
// earlier. (A copy would, too, but by two locked instructions, which wait until what has been sent has left the core.
// The thread sanitizer, which knows no fences, has one.)
bool MessageCache::are_free(const std::shared_ptr<Messages> &messages, long references) {
  if (!messages || messages.use_count() != references) return false;
#ifdef __SANITIZE_THREAD__
  const std::shared_ptr<Messages> acquired = messages;  // NOLINT(performance-unnecessary-copy-initialization)
#endif
  std::atomic_thread_fence(std::memory_order_acquire);
  return true;
}

// What holds types of which nothing is kept is not read into again, and ends with the next call.
const std::shared_ptr<const Messages> &MessageCache::read_once(const CallArguments &arguments, const Peers &peers) {
  constexpr long both = 2;  // references of a Passing
  const std::uint64_t passing_types_before = passing_types_used();
  std::swap(passing_, passing_before_);
  last_ = nowhere;
  if (!are_free(passing_.messages, both)) passing_.given = passing_.messages = std::make_shared<Messages>();
  reader_.read(arguments, peers, *passing_.messages);
  if (passing_types_used() == passing_types_before) return passing_.given;
  found_ = std::move(passing_.messages);
  passing_ = {};
  return found_;
}

// The place of what serves, or the number of places.
std::size_t MessageCache::find_kept(const CallArguments &arguments, std::uint64_t fingerprint) const {
  const std::size_t places = kept_.size();
  for (std::size_t place = 0; place < places; ++place) {
    if (fingerprints_[place] == fingerprint && kept_[place].arguments.equal(arguments)) return place;
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
  if (kept_.size() == most_kept) return next_to_go();
  kept_.emplace_back();
  return kept_.size() - 1;
}

void MessageCache::read(std::size_t place, std::uint64_t fingerprint, const CallArguments &arguments,
                        const Peers &peers) {
  const std::uint64_t freed_before = types_freed();  // what other threads free meanwhile counts
  const std::uint64_t passing_before = passing_types_used();
  Kept &kept = kept_[place];
  try {
    if (!are_free(kept.messages, 1)) kept.messages = std::make_shared<Messages>();
    reader_.read(arguments, peers, *kept.messages);
    kept.arguments.keep(arguments, peers, freed_before);
  } catch (...) {
    drop(place);
    throw;
  }
  found_ = kept.messages;
  if (passing_types_used() != passing_before) return drop(place);
  fingerprints_[place] = fingerprint;
  used_again_[place] = false;
  last_ = place;
  bytes_ -= static_cast<std::int64_t>(kept.bytes);
  kept.bytes = sizeof(Kept) + kept.arguments.memory() + kept.messages->memory();
  bytes_ += static_cast<std::int64_t>(kept.bytes);
  while (bytes_ > most_bytes_ && !kept_.empty()) drop(next_to_go());
}

void MessageCache::forget(MPI_Datatype type) {
  found_.reset();
  passing_ = passing_before_ = {};
  for (std::size_t place = kept_.size(); place-- > 0;) {
    if (kept_[place].arguments.have(type)) drop(place);
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
    last_ = nowhere;
  } else if (last_ == end) {
    last_ = place;
  }
  if (place != end) kept_[place] = std::move(kept_[end]);
  fingerprints_[place] = fingerprints_[end];
  used_again_[place] = used_again_[end];
  kept_.pop_back();
}

}  // namespace rondo::internal::call
