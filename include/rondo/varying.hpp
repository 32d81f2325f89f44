// Rondo: exchanges whose counts come with each start. A part of rondo.hpp, which includes it.
//
// SPDX-License-Identifier: BSD-3-Clause
#ifndef RONDO_VARYING_HPP
#define RONDO_VARYING_HPP

#include <cstddef>
#include <iterator>
#include <limits>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

#include <rondo/rondo.hpp>

namespace rondo {

namespace detail {

// Goes through blocks by rank: for (std::span<const T> block : blocks).
template <class Blocks>
class BlockIterator {
 public:
  using iterator_category = std::input_iterator_tag;
  using iterator_concept = std::forward_iterator_tag;
  using value_type = typename Blocks::Block;
  using reference = value_type;
  using pointer = void;
  using difference_type = std::ptrdiff_t;

  BlockIterator() = default;
  BlockIterator(const Blocks &blocks, int rank) : blocks_(&blocks), rank_(rank) {}
  value_type operator*() const { return blocks_->from(rank_); }
  BlockIterator &operator++() {
    ++rank_;
    return *this;
  }
  BlockIterator operator++(int) {
    BlockIterator before = *this;
    ++rank_;
    return before;
  }
  friend bool operator==(const BlockIterator &, const BlockIterator &) = default;

 private:
  const Blocks *blocks_ = nullptr;
  int rank_ = 0;
};

// Memory of a plan for so many elements.
template <class T>
std::span<T> send_memory(RONDO_Request request, int rank, std::size_t elements) {
  constexpr auto most = static_cast<std::size_t>(std::numeric_limits<MPI_Count>::max());
  const std::size_t bytes = elements > most / sizeof(T) ? most : elements * sizeof(T);  // the most is refused
  void *memory = nullptr;
  check(RONDO_Send_memory(request, rank, static_cast<MPI_Count>(bytes), &memory));
  return {static_cast<T *>(memory), elements};
}

}  // namespace detail

// What one exchange has brought: a block of elements from each rank, one after the other in rank order. It is a view of
// a buffer of the plan, and valid until the next start but one of that plan.
template <class T>
class Received {
 public:
  using Block = std::span<const T>;

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
  using Iterator = detail::BlockIterator<Received>;
  [[nodiscard]] Iterator begin() const { return {*this, 0}; }
  [[nodiscard]] Iterator end() const { return {*this, ranks()}; }

 private:
  const T *elements_ = nullptr;
  std::vector<MPI_Count> counts_;
  std::vector<MPI_Aint> displacements_;
};

// The same as blocks of which each lies anywhere: what its sender has built in blocks of the plan is read there
// (RONDO_Received_blocks).
template <class T>
class ReceivedBlocks {
 public:
  using Block = std::span<const T>;

  ReceivedBlocks() = default;
  ReceivedBlocks(std::vector<const void *> blocks, std::vector<MPI_Count> counts)
      : blocks_(std::move(blocks)), counts_(std::move(counts)) {}

  [[nodiscard]] std::span<const T> from(int rank) const {
    return {static_cast<const T *>(blocks_[rank]), static_cast<std::size_t>(counts_[rank])};
  }
  // Elements, by rank.
  [[nodiscard]] std::span<const MPI_Count> counts() const { return counts_; }
  [[nodiscard]] int ranks() const { return static_cast<int>(counts_.size()); }

  // for (std::span<const T> block : received)
  using Iterator = detail::BlockIterator<ReceivedBlocks>;
  [[nodiscard]] Iterator begin() const { return {*this, 0}; }
  [[nodiscard]] Iterator end() const { return {*this, ranks()}; }

 private:
  std::vector<const void *> blocks_;
  std::vector<MPI_Count> counts_;
};

template <class T>
class VaryingAlltoallv;

// What one start sends to a rank, in memory of its plan: it grows as a vector does, but seldom moves. Blocks of a plan
// are filled by one thread at a time.
template <class T>
class SendBlock {
 public:
  static_assert(std::is_trivially_copyable_v<T>);

  SendBlock(SendBlock &&) noexcept = default;
  SendBlock &operator=(SendBlock &&) noexcept = default;
  SendBlock(const SendBlock &) = delete;
  SendBlock &operator=(const SendBlock &) = delete;
  ~SendBlock() = default;

  void push_back(T element) {
    constexpr std::size_t least = sizeof(T) < 1024 ? 1024 / sizeof(T) : 1;
    if (size_ == room_) reserve(size_ + size_ / 2 + least);
    data_[size_++] = element;
  }
  // Makes room for so many elements. Throws MemoryError where there is no memory, RequestError where the plan has been
  // started with the block, or has given others.
  void reserve(std::size_t elements) {
    if (elements <= room_) return;
    if (*current_ != set_) {
      throw RequestError("a block of an earlier start cannot grow", {RONDO_ERR_REQUEST, -1, rank_, -1, -1});
    }
    data_ = detail::send_memory<T>(request_, rank_, elements).data();
    room_ = elements;
  }
  [[nodiscard]] T *data() { return data_; }
  [[nodiscard]] const T *data() const { return data_; }
  [[nodiscard]] std::size_t size() const { return size_; }

 private:
  friend class VaryingAlltoallv<T>;
  SendBlock(RONDO_Request request, int rank, std::shared_ptr<const long long> current)
      : request_(request), rank_(rank), current_(std::move(current)), set_(*current_) {}

  RONDO_Request request_;
  int rank_;
  std::shared_ptr<const long long> current_;  // the number of the plan's set of blocks that may grow
  long long set_;                             // of the one that this is in
  T *data_ = nullptr;
  std::size_t size_ = 0;
  std::size_t room_ = 0;
};

// A plan whose counts come with each start: for programs that send other amounts to others in every round. One exchange
// of such a plan takes the place of an MPI_Alltoall of counts and an MPI_Alltoallv. Move-only; the destructor completes
// and frees as that of Request.
//
//   rondo::VaryingAlltoallv<Fact> exchange(comm);
//   while (some_rank_has_new_facts()) {
//     for (const Fact &fact : exchange.exchange(new_facts_by_rank()).all()) insert(fact);
//   }
//
// Nothing is copied, where ranks share memory, of what is built in blocks of the plan and read block by block:
//
//   auto blocks = exchange.new_blocks();
//   for (const Fact &fact : new_facts()) blocks[owner_of(fact)].push_back(fact);
//   for (std::span<const Fact> block : exchange.exchange_blocks(blocks))
//     for (const Fact &fact : block) insert(fact);
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
    std::swap(current_blocks_, other.current_blocks_);
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

  // Memory for so many elements that the next start sends to a rank (RONDO_Send_memory); what has been written to it
  // before stays. Local. Throws RequestError where the plan is active, MemoryError where there is no memory.
  [[nodiscard]] std::span<T> send_memory(int rank, std::size_t elements) {
    return detail::send_memory<T>(request_.native(), rank, elements);
  }
  // An empty block for each rank, for the next start, in memory of the plan (RONDO_Send_memory), in place of those that
  // have been given for it before. From that start on they may be read, until the next but one, but not written to.
  // Local.
  [[nodiscard]] std::vector<SendBlock<T> > new_blocks() {
    ++*current_blocks_;
    std::vector<SendBlock<T> > blocks;
    for (int rank = 0; rank < ranks_; ++rank) {
      blocks.push_back(SendBlock<T>(request_.native(), rank, current_blocks_));
    }
    return blocks;
  }
  // Starts an exchange of a block for each rank, which may lie anywhere, and stay as they are until it is complete.
  // Local; throws as start() does.
  template <class Block>
  void start_blocks(const std::vector<Block> &blocks) {
    check(blocks.size(), "blocks");
    next_places_.clear();
    next_counts_.clear();
    for (const Block &block : blocks) {
      static_assert(std::is_convertible_v<decltype(block.data()), const T *>);
      next_places_.push_back(block.data());
      next_counts_.push_back(static_cast<MPI_Count>(block.size()));
    }
    RONDO_Request request = request_.native();
    detail::check(RONDO_Start_blocks(&request, next_places_.data(), next_counts_.data()));
    ++*current_blocks_;
  }
  // What the last exchange has brought, once it is complete.
  [[nodiscard]] ReceivedBlocks<T> received_blocks() const {
    std::vector<const void *> blocks(static_cast<std::size_t>(ranks_));
    std::vector<MPI_Count> counts(static_cast<std::size_t>(ranks_));
    detail::check(RONDO_Received_blocks(request_.native(), blocks.data(), counts.data()));
    return {std::move(blocks), std::move(counts)};
  }
  // Completes the exchange, and gives what it has brought.
  [[nodiscard]] ReceivedBlocks<T> wait_blocks() {
    request_.wait();
    return received_blocks();
  }
  // Start and wait in one.
  template <class Block>
  [[nodiscard]] ReceivedBlocks<T> exchange_blocks(const std::vector<Block> &blocks) {
    start_blocks(blocks);
    return wait_blocks();
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
    ++*current_blocks_;
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
  std::vector<const void *> next_places_{};
  Request request_;
  int ranks_ = 0;
  // The number of the set of blocks that may grow: of the last that has been given, until a start.
  std::shared_ptr<long long> current_blocks_ = std::make_shared<long long>(0);
};

}  // namespace rondo

#endif  // RONDO_VARYING_HPP
