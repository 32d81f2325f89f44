#include "pmpi/report/tally.hpp"

#include <algorithm>
#include <mutex>
#include <new>
#include <span>
#include <vector>

namespace rondo::internal::pmpi {

namespace {

struct Kept {
  std::mutex mutex;
  std::vector<std::shared_ptr<Tallies>> all;
};

Kept &kept() {
  static auto *const all = new Kept;
  return *all;
}

}  // namespace

void Tally::add(const Tally &other) {
  for (std::size_t i = 0; i < done.size(); ++i) done[i].add(other.done[i]);
  waits.add(other.waits);
  set_up.add(other.set_up);
  bytes += other.bytes;
}

double Tally::seconds() const {
  return done.front().seconds + set_up.seconds + left().seconds;
}

Counted Tally::left() const {
  Counted all;
  for (const Counted &one : std::span(done).subspan(1)) all.add(one);
  return all;
}

std::optional<double> Tally::saved() const {
  const Counted &sample = done[index_of(Done::sample)];
  const Counted &by_rondo = done.front();
  if (sample.calls == 0) return std::nullopt;
  return sample.seconds / static_cast<double>(sample.calls) * static_cast<double>(by_rondo.calls) - by_rondo.seconds;
}

std::shared_ptr<Tallies> Tallies::make() noexcept {
  try {
    auto fresh = std::make_shared<Tallies>();
    const std::lock_guard lock(kept().mutex);
    kept().all.push_back(fresh);
    return fresh;
  } catch (const std::bad_alloc &) {
    return nullptr;
  }
}

Tally *Tallies::of(Call call, const void *site) noexcept {
  const auto found =
      std::find_if(all_.begin(), all_.end(), [&](const Tally &t) { return t.site == site && t.call == call; });
  if (found != all_.end()) return &*found;
  try {
    Tally &fresh = all_.emplace_back();
    fresh.call = call;
    fresh.site = site;
    return &fresh;
  } catch (const std::bad_alloc &) {
    return nullptr;
  }
}

void Tallies::for_each(const std::function<void(const Tallies &)> &look) {
  const std::lock_guard lock(kept().mutex);
  for (const auto &one : kept().all) look(*one);
}

}  // namespace rondo::internal::pmpi
