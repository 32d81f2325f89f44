#pragma once

// What RONDO_REPORT counts: for each kind of call, communicator and place in the program.

#include <array>
#include <chrono>
#include <cstdint>
#include <deque>
#include <functional>
#include <memory>
#include <optional>
#include <string_view>

#include "pmpi/settings/settings.hpp"

namespace rondo::internal::pmpi {

// Who does a call: Rondo, or the MPI library, and then why.
enum class Done : std::uint8_t {
  by_rondo,
  too_early,      // the first calls of a kind on a communicator (RONDO_CACHE_AFTER)
  must_not_wait,  // a call that does not wait, for which there are no links yet, or none to be had
  not_served,     // a communicator of one rank, of ranks of another MPI_COMM_WORLD, or with two groups (an all-gather)
  topology,       // neighbours that MPI libraries mix up
  no_gain,        // an all-gather of several nodes, or of more ranks than gain
  refused,        // no exchange could be made, or no plan
  bad_arguments,  // arrays are missing: the MPI library reports the error
  sample,         // RONDO_REPORT=saved: to see what it takes there
  stray_thread    // on a communicator whose first call a thread has made that must not call MPI
};
constexpr std::array<std::string_view, 10> done_names = {"by_rondo", "too_early",   "must_not_wait", "not_served",
                                                         "topology", "no_gain",     "refused",       "bad_arguments",
                                                         "sample",   "stray_thread"};
constexpr std::size_t index_of(Done done) {
  return static_cast<std::size_t>(done);
}

struct Counted {
  std::int64_t calls = 0;
  double seconds = 0;

  void add(double more) {
    ++calls;
    seconds += more;
  }
  void add(const Counted &more) {
    calls += more.calls;
    seconds += more.seconds;
  }
};

struct Tally {
  Call call{};
  const void *site = nullptr;  // the address that the call returns to
  // Those of Rondo are calls for which nothing had to be made; of persistent calls, their starts.
  std::array<Counted, done_names.size()> done{};
  Counted waits{};         // of RONDO_REPORT=waits: for other ranks, before the calls
  Counted set_up{};        // calls with new arguments, or that made an exchange; of persistent calls, inits
  std::int64_t bytes = 0;  // that this rank has sent in calls of Rondo's

  // Adds what other calls have come to.
  void add(const Tally &other);
  // In all those calls, whoever has done them.
  [[nodiscard]] double seconds() const;
  // Those that the MPI library has done.
  [[nodiscard]] Counted left() const;
  // What Rondo's calls would have taken at the MPI library's price, less what they have taken. Nothing where no sample
  // has been taken.
  [[nodiscard]] std::optional<double> saved() const;
};

// The tallies of one communicator. They are kept until the report.
class Tallies {
 public:
  // Null where there is no memory.
  static std::shared_ptr<Tallies> make() noexcept;
  // The tally of this kind of call from this place. Null where there is no memory for a new one: a call must not fail
  // because it cannot be counted.
  Tally *of(Call call, const void *site) noexcept;
  [[nodiscard]] const std::deque<Tally> &all() const { return all_; }
  // Calls look(tallies) for all that there have been.
  static void for_each(const std::function<void(const Tallies &)> &look);

 private:
  std::deque<Tally> all_;
};

// One call of the program's that may be Rondo's, from its beginning to its end.
class Counting {
 public:
  Counting(Call call, const void *site) : call_(call), site_(site) {
    if (settings().report.any()) begin_ = std::chrono::steady_clock::now();
  }
  ~Counting() {
    if (tally_ == nullptr) return;
    const double seconds = seconds_since_begin();
    (sets_up_ && done_ == Done::by_rondo ? tally_->set_up : tally_->done[index_of(done_)]).add(seconds);
  }
  Counting(const Counting &) = delete;
  Counting &operator=(const Counting &) = delete;

  // Without tallies nothing is counted.
  void on(Tallies *tallies) {
    if (tallies != nullptr) tally_ = tallies->of(call_, site_);
  }
  // So far it has waited for the other ranks; the call itself begins now.
  void has_waited() {
    if (tally_ == nullptr) return;
    tally_->waits.add(seconds_since_begin());
    begin_ = std::chrono::steady_clock::now();
  }
  void as(Done done) { done_ = done; }
  void sets_up() { sets_up_ = true; }
  void sends(std::int64_t bytes) {
    if (tally_ != nullptr) tally_->bytes += bytes;
  }
  [[nodiscard]] Tally *tally() const { return tally_; }

 private:
  [[nodiscard]] double seconds_since_begin() const {
    return std::chrono::duration<double>(std::chrono::steady_clock::now() - begin_).count();
  }

  const Call call_;
  const void *const site_;
  std::chrono::steady_clock::time_point begin_{};
  Tally *tally_ = nullptr;
  Done done_ = Done::by_rondo;
  bool sets_up_ = false;
};

}  // namespace rondo::internal::pmpi
