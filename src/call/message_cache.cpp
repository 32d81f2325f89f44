#include "call/message_cache.hpp"

#include <algorithm>
#include <cstdint>
#include <cstring>
#include <iterator>
#include <utility>

#include "wire/type_cache.hpp"

namespace rondo::internal::call {

namespace {

std::vector<std::byte> copy_of(const void *array, std::size_t bytes) {
  const auto *begin = static_cast<const std::byte *>(array);
  return array == nullptr ? std::vector<std::byte>() : std::vector<std::byte>(begin, begin + bytes);
}

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
template <class Element>
bool same(const std::vector<Element> &kept, const Element *given) {
  const std::size_t bytes = kept.size() * sizeof(Element);
  const auto *const one = reinterpret_cast<const std::byte *>(kept.data());
  const auto *const other = reinterpret_cast<const std::byte *>(given);
  if (bytes == 0) return true;
  if (bytes > 2 * sizeof(std::uint64_t)) return std::memcmp(one, other, bytes) == 0;
  return bytes < sizeof(std::uint64_t) ? same_ends<std::uint32_t>(one, other, bytes)
                                       : same_ends<std::uint64_t>(one, other, bytes);
}

}  // namespace

MessageCache::KeptSide::KeptSide(const SideArguments &given, int entries, bool each_type)
    : counts(copy_of(given.counts, given.width * static_cast<std::size_t>(given.displs == nullptr ? 1 : entries))),
      displs(copy_of(given.displs, given.displ_width * static_cast<std::size_t>(entries))),
      types(given.types, given.types + (each_type ? entries : 1)),
      width(given.width),
      displ_width(given.displ_width),
      null_buffer(given.buffer == nullptr),
      on_device(given.on_device) {}

bool MessageCache::KeptSide::equals(const SideArguments &given) const {
  return width == given.width && displ_width == given.displ_width && null_buffer == (given.buffer == nullptr) &&
         on_device == given.on_device && same(counts, static_cast<const std::byte *>(given.counts)) &&
         same(displs, static_cast<const std::byte *>(given.displs)) && same(types, given.types);
}

bool MessageCache::KeptSide::has(MPI_Datatype type) const {
  return std::find(types.begin(), types.end(), type) != types.end();
}

std::size_t MessageCache::KeptSide::bytes() const {
  return counts.size() + displs.size() + types.size() * sizeof(MPI_Datatype);
}

bool MessageCache::serves(const Kept &kept, const CallArguments &arguments) {
  return kept.types_freed == types_freed() && kept.in_place == arguments.in_place() &&
         kept.receive.equals(arguments.receive) && (kept.in_place || kept.send.equals(arguments.send));
}

// Compiled in one piece: it is part of every call.
[[gnu::flatten]] MessageCache::Found MessageCache::find(const CallArguments &arguments, const Peers &peers) {
  for (auto kept = kept_.begin(); kept != kept_.end(); ++kept) {
    if (!serves(*kept, arguments)) continue;
    if (kept != kept_.begin()) kept_.splice(kept_.begin(), kept_, kept);
    if (found_ != kept->messages) found_ = kept->messages;
    return {found_, true};
  }
  const std::uint64_t freed_before = types_freed();  // what other threads free meanwhile counts
  const std::uint64_t passing_before = passing_types_used();
  auto messages = std::make_shared<const Messages>(read_messages(arguments, peers));
  if (passing_types_used() == passing_before) keep(arguments, peers, freed_before, messages);
  found_ = std::move(messages);
  return {found_, false};
}

void MessageCache::keep(const CallArguments &arguments, const Peers &peers, std::uint64_t types_freed,
                        const std::shared_ptr<const Messages> &messages) {
  const bool in_place = arguments.in_place();
  // What is sent in place is what is received: the arguments of the send side mean nothing.
  KeptSide receive(arguments.receive, peers.sources(), arguments.each_type);
  KeptSide send = in_place ? receive : KeptSide(arguments.send, peers.destinations(), arguments.each_type);
  const std::size_t bytes = sizeof(Kept) + send.bytes() + receive.bytes() + messages->memory();
  kept_.push_front({std::move(send), std::move(receive), in_place, types_freed, bytes, messages});
  bytes_ += static_cast<std::int64_t>(bytes);
  evict();
}

void MessageCache::forget(MPI_Datatype type) {
  found_.reset();
  for (auto kept = kept_.begin(); kept != kept_.end();) {
    const auto next = std::next(kept);
    if (kept->send.has(type) || kept->receive.has(type)) drop(kept);
    kept = next;
  }
}

void MessageCache::drop(std::list<Kept>::iterator kept) {
  bytes_ -= static_cast<std::int64_t>(kept->bytes);
  kept_.erase(kept);
}

void MessageCache::evict() {
  while (!kept_.empty() && (kept_.size() > most_entries || bytes_ > most_bytes_)) {
    drop(std::prev(kept_.end()));
  }
}

}  // namespace rondo::internal::call
