#include "wire/segment.hpp"

#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <utility>

#include "wire/agreement.hpp"
#include "wire/attach.hpp"
#include "wire/make_pages.hpp"
#include "wire/memory_file.hpp"

namespace rondo::internal {

// One mapped memory file, the first page of which says what it is; or a part of what another has, without such a page.
class Region {
 public:
  struct Head {
    std::atomic<std::uint64_t> cookie;
    std::atomic<std::int64_t> made;  // bytes of the file whose pages were there from the beginning
  };
  static constexpr std::int64_t head_bytes = page;

  Region(int file, std::int64_t bytes)
      : memory_(mmap(nullptr, static_cast<std::size_t>(bytes), PROT_READ | PROT_WRITE, MAP_SHARED, file, 0)),
        bytes_(bytes),
        head_bytes_(head_bytes) {}
  Region(std::shared_ptr<Region> whole, std::int64_t offset, std::int64_t bytes)
      : memory_(whole->data() + offset), bytes_(bytes), head_bytes_(0), whole_(std::move(whole)) {}
  ~Region() {
    if (is_mapped() && !whole_) munmap(memory_, static_cast<std::size_t>(bytes_));
  }
  Region(const Region &) = delete;
  Region &operator=(const Region &) = delete;

  [[nodiscard]] bool is_mapped() const { return memory_ != MAP_FAILED; }
  [[nodiscard]] Head &head() const { return *static_cast<Head *>(memory_); }
  [[nodiscard]] std::byte *data() const { return static_cast<std::byte *>(memory_) + head_bytes_; }
  [[nodiscard]] std::int64_t room() const { return bytes_ - head_bytes_; }
  // Of its room, how much was there from the beginning: all of what is part of another.
  [[nodiscard]] std::int64_t made() const { return whole_ ? bytes_ : head().made.load() - head_bytes_; }

  // The leases of it that this rank has.
  void take() { leases_.fetch_add(1, std::memory_order_relaxed); }
  void leave() { leases_.fetch_sub(1, std::memory_order_release); }
  [[nodiscard]] bool in_use() const { return leases_.load(std::memory_order_acquire) > 0; }

 private:
  void *memory_;
  std::int64_t bytes_;
  std::int64_t head_bytes_;
  std::shared_ptr<Region> whole_{};
  std::atomic<int> leases_{0};
};

namespace {

std::shared_ptr<Region> map(const Descriptor &file, std::int64_t bytes) {
  // A file of another size is not ours: in another process namespace the path leads somewhere else.
  struct stat status{};
  if (file.number() < 0 || fstat(file.number(), &status) != 0 || status.st_size != bytes) return nullptr;
  auto region = std::make_shared<Region>(file.number(), bytes);
  return region->is_mapped() ? region : nullptr;
}

// Pages whole, and generous, so that the next plan of about this size finds a region to lease.
std::int64_t file_bytes(std::int64_t bytes) {
  constexpr std::int64_t most_more = 8 << 20;  // pages that nobody may come to use
  return up_to(page, bytes + std::min(bytes / 4, most_more) + Region::head_bytes);
}

// The file of the board has a first region behind it: a plan of a few KiB needs no file of its own, which takes a tenth
// of a first init.
struct BoardFile {
  explicit BoardFile(int ranks)
      : region_at(up_to(page, Board::bytes(ranks))), region_bytes(std::min(ranks, 4) * 4 * page) {}

  [[nodiscard]] std::int64_t bytes() const { return region_at + region_bytes + Region::head_bytes; }

  std::int64_t region_at;
  std::int64_t region_bytes;
};

std::shared_ptr<Region> accept(const Invitation &invitation, std::int64_t bytes) {
  auto region = map(Descriptor(open_memory_file(invitation)), bytes);
  return region && region->head().cookie.load() == invitation.cookie ? region : nullptr;
}

}  // namespace

std::shared_ptr<Region> private_region(std::int64_t bytes) {
  const std::int64_t size = file_bytes(bytes);
  return map(Descriptor(make_memory_file(size, size)), size);
}

Lease::Lease(std::shared_ptr<Region> region) : region_(std::move(region)) {
  if (region_) region_->take();
}

Lease::~Lease() {
  if (region_) region_->leave();
}

std::byte *Lease::data() const {
  return region_->data();
}

Segment::Segment(const Node &node) : node_(node), processes_(node.local_ranks()) {}

Segment::~Segment() = default;

// A first rank that has no board says so, as others wait for its word.
void Segment::introduce(Introduction &own) {
  own.process = getpid();
  own.value = own.cookie = random_cookie();
  own.address = reinterpret_cast<std::uintptr_t>(&own.value);
  own.board = -1;
  if (node_.local_ranks() == 1 || node_.local_rank() > 0) return;
  const std::int64_t size = BoardFile(node_.local_ranks()).bytes();
  board_file_ = std::make_unique<Descriptor>(-1);
  board_file_->take(make_memory_file(size, size));
  board_region_ = map(*board_file_, size);
  if (!board_region_) return;
  board_region_->head().cookie.store(own.cookie);
  own.board = board_file_->number();
}

std::byte *Segment::meet(std::span<const Introduction> all) {
  const BoardFile file(node_.local_ranks());
  for (std::size_t i = 0; i < all.size(); ++i) processes_[i] = static_cast<pid_t>(all[i].process);
  if (node_.local_rank() > 0) {
    const Introduction &first = all.front();
    const Invitation invitation{first.process, first.board, first.cookie};
    board_region_ = accept(invitation, file.bytes());
  }
  if (!board_region_) return nullptr;
  regions_.push_back(std::make_shared<Region>(board_region_, file.region_at, file.region_bytes));
  return board_region_->data();
}

// Each tries its right neighbour: one process that cannot be read is enough to say no for all.
void Segment::use(Board &board, const Introduction &neighbor) {
  board_file_.reset();
  board_ = &board;
  const auto process = static_cast<pid_t>(neighbor.process);
  const auto *const address = reinterpret_cast<const void *>(neighbor.address);
  const std::int64_t cannot = can_read_process(process, address, neighbor.value) ? 0 : 1;
  board_->show({&cannot, 1}, nullptr, nullptr);
  can_attach_ = board_->maximum(0) == 0;
}

std::uint64_t Segment::used_regions() const {
  std::uint64_t used = ~std::uint64_t{0};
  for (std::size_t i = 0; i < regions_.size(); ++i) {
    if (regions_[i] && !regions_[i]->in_use()) used &= ~(std::uint64_t{1} << i);
  }
  return used;
}

// The smallest that is large enough. One much too large is left for a plan that needs it, or given back.
int Segment::find(std::int64_t bytes, std::int64_t made, std::uint64_t free) const {
  int found = -1;
  for (int i = 0; i < static_cast<int>(regions_.size()); ++i) {
    if (((free >> i) & 1) == 0) continue;
    const std::int64_t room = regions_[i]->room();
    const bool fits = room >= bytes && room / 4 <= bytes + 65536 && regions_[i]->made() >= made;
    if (!fits) continue;
    if (found < 0 || room < regions_[found]->room()) found = i;
  }
  return found;
}

Lease Segment::lend(std::int64_t bytes, std::uint64_t free) {
  const int index = find(bytes, bytes, free);
  if (index >= 0) return Lease(regions_[index]);
  const std::int64_t size = file_bytes(bytes);
  return lend_new({size, size}, Kept::for_others);
}

Segment::FileSize Segment::growing(std::int64_t size, std::int64_t made) {
  return {size, makes_pages_on_request() ? up_to(page, made + Region::head_bytes) : size};
}

Lease Segment::lend_growing(std::int64_t bytes, std::int64_t made) {
  const auto used = static_cast<std::int64_t>(used_regions());
  board_->show({&used, 1}, nullptr, nullptr);
  const int index = find(bytes, made, ~board_->any_bits(0));
  if (index >= 0) return Lease(regions_[index]);
  return lend_new(growing(file_bytes(bytes), made), Kept::for_others);
}

Lease Segment::lend_zeroed(std::int64_t bytes, std::int64_t made) {
  return lend_new(growing(up_to(page, bytes + Region::head_bytes), made), Kept::no);
}

// The largest first.
std::uint64_t Segment::give_back(std::int64_t bytes, std::uint64_t free, std::int64_t most_free) {
  const int lent = find(bytes, bytes, free);
  const Region *const kept = lent >= 0 ? regions_[lent].get() : nullptr;
  for (;;) {
    std::int64_t sum = 0;
    int largest = -1;
    for (int i = 0; i < static_cast<int>(regions_.size()); ++i) {
      if (((free >> i) & 1) == 0 || regions_[i].get() == kept) continue;
      sum += regions_[i]->room();
      if (largest < 0 || regions_[i]->room() > regions_[largest]->room()) largest = i;
    }
    if (sum <= most_free || largest < 0) return free;
    regions_.erase(regions_.begin() + largest);
    const std::uint64_t below = (std::uint64_t{1} << largest) - 1;
    free = (free & below) | ((free >> 1) & ~below);
  }
}

void Segment::drop_beyond(std::int64_t most) {
  for (;;) {
    std::int64_t sum = 0;
    std::shared_ptr<Region> *largest = nullptr;
    for (std::shared_ptr<Region> &region : regions_) {
      if (!region || region->in_use()) continue;
      sum += region->room();
      if (largest == nullptr || region->room() > (*largest)->room()) largest = &region;
    }
    if (sum <= most || largest == nullptr) return;
    largest->reset();
  }
}

Lease Segment::lend_new(const FileSize &size, Kept kept) {
  const bool leader = node_.local_rank() == 0;
  const Descriptor made(leader ? make_memory_file(size.bytes, size.made) : -1);
  const std::uint64_t cookie = random_cookie();
  std::shared_ptr<Region> region;
  auto fault = fault_of([&] {
    regions_.reserve(regions_.size() + 1);
    if (leader) region = map(made, size.bytes);
  });
  if (region) {
    region->head().cookie.store(cookie);
    region->head().made.store(size.made);
  }
  const std::array<std::int64_t, 3> told{getpid(), region ? made.number() : -1, static_cast<std::int64_t>(cookie)};
  board_->show(told, nullptr, nullptr);
  const std::span<const std::int64_t> heard = board_->figures(0);
  if (!leader && !fault) {
    fault = fault_of([&] { region = accept({heard[0], heard[1], static_cast<std::uint64_t>(heard[2])}, size.bytes); });
  }
  const std::int64_t without = region == nullptr ? 1 : 0;
  std::optional<Telegram> telegram;
  if (fault) telegram = Telegram::of(*fault, node_.members()[node_.local_rank()]);
  const Telegram *const lowest = board_->show({&without, 1}, telegram ? &*telegram : nullptr, nullptr);
  if (lowest != nullptr) throw lowest->error();
  if (board_->maximum(0) != 0) return Lease();
  // Beyond as many as the figure of used_regions has bits for, a region goes when its plan goes.
  if (kept == Kept::for_others && regions_.size() < 64) regions_.push_back(region);
  return Lease(region);
}

}  // namespace rondo::internal
