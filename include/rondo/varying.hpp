// Rondo: exchanges whose counts come with each start. A part of rondo.hpp, which includes it.
//
// SPDX-License-Identifier: BSD-3-Clause
#ifndef RONDO_VARYING_HPP
#define RONDO_VARYING_HPP

#include <cstddef>
#include <limits>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include <rondo/rondo.hpp>

namespace rondo {

// What one exchange has brought: a block of elements from each rank, one after the other in rank order. It is a view of
// a buffer of the plan, and valid until the next start but one of that plan.
template <class T>
class Received {
 public:
  Received() = default;
  Received(const T *elements, std::vector<MPI_Count> counts, std::vector<MPI_Aint> displacements)
      : elements_(elements), counts_(std::move(counts)), displacements_(std::move(displacements)) {}

  // The blocks of all ranks together.
  [[nodiscard]] std::span<const T> all() const {
    if (counts_.empty()) return {};
    return {elements_, static_cast<std::size_t>(displacements_.back() + counts_.back())};
  }
  [[nodiscard]] std::span<const T> from(int rank) const {
    return {elements_ + displacements_[rank], static_cast<std::size_t>(counts_[rank])};
  }
  // Elements, by rank.
  [[nodiscard]] std::span<const MPI_Count> counts() const { return counts_; }
  [[nodiscard]] int ranks() const { return static_cast<int>(counts_.size()); }

  // for (std::span<const T> block : received)
  class Iterator {
   public:
    Iterator(const Received &received, int rank) : received_(&received), rank_(rank) {}
    std::span<const T> operator*() const { return received_->from(rank_); }
    Iterator &operator++() {
      ++rank_;
      return *this;
    }
    friend bool operator==(const Iterator &, const Iterator &) = default;

   private:
    const Received *received_;
    int rank_;
  };
  [[nodiscard]] Iterator begin() const { return {*this, 0}; }
  [[nodiscard]] Iterator end() const { return {*this, ranks()}; }

 private:
  const T *elements_ = nullptr;
  std::vector<MPI_Count> counts_;
  std::vector<MPI_Aint> displacements_;
};

// A plan whose counts come with each start: for programs that send other amounts to others in every round. One exchange
// of such a plan takes the place of an MPI_Alltoall of counts and an MPI_Alltoallv. Move-only; the destructor completes
// and frees as that of Request.
//
//   rondo::VaryingAlltoallv<Fact> exchange(comm);
//   while (some_rank_has_new_facts()) {
//     for (const Fact &fact : exchange.exchange(new_facts_by_rank()).all()) insert(fact);
//   }
template <class T>
class VaryingAlltoallv {
 public:
  // Collective over comm: every rank throws, or none. Hints are those of the other plans; rondo_expected_bytes says
  // what a rank expects to send.
  explicit VaryingAlltoallv(MPI_Comm comm, const Hints &hints = {})
      : request_(detail::planned([&](RONDO_Request *request) {
          return RONDO_Alltoallv_varying_init(Datatype<T>::type(), Datatype<T>::type(), comm, hints.info(), request);
        })),
        ranks_(detail::ranks_of(comm)) {}
  VaryingAlltoallv(VaryingAlltoallv &&) noexcept = default;
  // What this one had is completed and freed, and only then what it sends.
  VaryingAlltoallv &operator=(VaryingAlltoallv other) noexcept {
    std::swap(copied_, other.copied_);
    std::swap(next_, other.next_);
    std::swap(next_counts_, other.next_counts_);
    std::swap(request_, other.request_);
    std::swap(ranks_, other.ranks_);
    return *this;
  }

  // Starts an exchange of counts[r] elements to each rank r, which lie one after the other in rank order, and stay as
  // they are until it is complete. Local. Throws CountError for a negative count, BufferError where there is not a
  // count for each rank, or not as many elements as the counts say; RequestError where the plan is active.
  void start(std::span<const T> elements, std::span<const MPI_Count> counts) {
    check(counts.size(), "counts");
    const auto given = static_cast<MPI_Count>(elements.size());
    MPI_Count sum = 0;
    for (const MPI_Count count : counts.first(static_cast<std::size_t>(ranks_))) {
      if (count <= 0) continue;
      constexpr MPI_Count most = std::numeric_limits<MPI_Count>::max();
      sum = count > most - sum ? most : sum + count;
    }
    if (sum > given) refuse("elements", given, sum);
    start_unchecked(elements.data(), counts.data(), nullptr);
  }
  // The same of blocks that lie anywhere: displacements[r] elements behind `elements`.
  void start(const T *elements, std::span<const MPI_Count> counts, std::span<const MPI_Aint> displacements) {
    check(counts.size(), "counts");
    check(displacements.size(), "displacements");
    start_unchecked(elements, counts.data(), displacements.data());
  }

  // Completes the exchange, and gives what it has brought; for an inactive plan, what the last one has brought.
  [[nodiscard]] Received<T> wait() {
    request_.wait();
    return received();
  }
  // Drives the exchange. Empty while it is not complete.
  [[nodiscard]] std::optional<Received<T> > test() {
    if (!request_.test()) return std::nullopt;
    return received();
  }
  // The same of a vector for each rank, which are copied.
  void start(std::span<const std::vector<T> > blocks) {
    check(blocks.size(), "blocks");
    next_.clear();
    next_counts_.clear();
    for (const std::vector<T> &block : blocks.first(static_cast<std::size_t>(ranks_))) {
      next_.insert(next_.end(), block.begin(), block.end());
      next_counts_.push_back(static_cast<MPI_Count>(block.size()));
    }
    start_unchecked(next_.data(), next_counts_.data(), nullptr);
    std::swap(copied_, next_);
  }

  // Start and wait in one.
  [[nodiscard]] Received<T> exchange(std::span<const T> elements, std::span<const MPI_Count> counts) {
    start(elements, counts);
    return wait();
  }
  [[nodiscard]] Received<T> exchange(std::span<const std::vector<T> > blocks) {
    start(blocks);
    return wait();
  }

  // What the last exchange has brought, once it is complete, by wait_all() for example.
  [[nodiscard]] Received<T> received() const {
    std::vector<MPI_Count> counts(static_cast<std::size_t>(ranks_));
    std::vector<MPI_Aint> displacements(static_cast<std::size_t>(ranks_));
    void *elements = nullptr;
    detail::check(RONDO_Received(request_.native(), &elements, counts.data(), displacements.data()));
    return {static_cast<const T *>(elements), std::move(counts), std::move(displacements)};
  }

  [[nodiscard]] int ranks() const noexcept { return ranks_; }
  // For wait_all() and the other calls on several, and for reports.
  [[nodiscard]] Request &request() noexcept { return request_; }

 private:
  void start_unchecked(const T *elements, const MPI_Count *counts, const MPI_Aint *displacements) {
    RONDO_Request request = request_.native();
    detail::check(RONDO_Start_counts(&request, elements, counts, displacements));
  }

  void check(std::size_t given, const char *what) const {
    if (given < static_cast<std::size_t>(ranks_)) refuse(what, static_cast<long long>(given), ranks_);
  }
  [[noreturn]] static void refuse(const char *what, long long given, long long needed) {
    throw BufferError("the span of " + std::string(what) + " has " + std::to_string(given) + " entries, and " +
                          std::to_string(needed) + " are needed",
                      {RONDO_ERR_BUFFER, -1, -1, given, needed});
  }

  // Before the request, which is destroyed first, and completes what sends of them.
  std::vector<T> copied_{};  // what the start under way sends of vectors
  std::vector<T> next_{};    // what the next one will; another, as that may be refused
  std::vector<MPI_Count> next_counts_{};
  Request request_;
  int ranks_ = 0;
};

}  // namespace rondo

#endif  // RONDO_VARYING_HPP
