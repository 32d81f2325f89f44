#include "wire/segment.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/mman.h>
#include <sys/random.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

#include <atomic>
#include <cerrno>
#include <chrono>
#include <utility>

#include "wire/agreement.hpp"
#include "wire/attach.hpp"
#include "wire/mpi_call.hpp"
#include "wire/signals_blocked.hpp"

namespace rondo::internal {

// One mapped memory file. The first page says what it is and how many ranks still use it.
class Region {
 public:
  struct Head {
    std::atomic<std::uint64_t> cookie;
    std::atomic<int> users;
  };
  static constexpr std::int64_t head_bytes = page;

  Region(int file, std::int64_t bytes)
      : memory_(mmap(nullptr, static_cast<std::size_t>(bytes), PROT_READ | PROT_WRITE, MAP_SHARED, file, 0)),
        bytes_(bytes) {}
  ~Region() {
    if (is_mapped()) munmap(memory_, static_cast<std::size_t>(bytes_));
  }
  Region(const Region &) = delete;
  Region &operator=(const Region &) = delete;

  [[nodiscard]] bool is_mapped() const { return memory_ != MAP_FAILED; }
  [[nodiscard]] Head &head() const { return *static_cast<Head *>(memory_); }
  [[nodiscard]] std::byte *data() const { return static_cast<std::byte *>(memory_) + head_bytes; }
  [[nodiscard]] std::int64_t room() const { return bytes_ - head_bytes; }

 private:
  void *memory_;
  std::int64_t bytes_;
};

namespace {

// How the maker of a memory file tells the others where it is.
struct Invitation {
  std::int64_t process;
  std::int64_t descriptor;
  std::uint64_t cookie;
};

class Descriptor {
 public:
  explicit Descriptor(int number) : number_(number) {}
  ~Descriptor() {
    if (number_ >= 0) close(number_);
  }
  Descriptor(const Descriptor &) = delete;
  Descriptor &operator=(const Descriptor &) = delete;
  [[nodiscard]] int number() const { return number_; }

 private:
  int number_;
};

std::shared_ptr<Region> map(const Descriptor &file, std::int64_t bytes) {
  // A file of another size is not ours: in another process namespace the path leads somewhere else.
  struct stat status{};
  if (file.number() < 0 || fstat(file.number(), &status) != 0 || status.st_size != bytes) return nullptr;
  auto region = std::make_shared<Region>(file.number(), bytes);
  return region->is_mapped() ? region : nullptr;
}

// A number that no other process has, or all but certainly. Never fails, as others wait for it.
std::uint64_t random_cookie() {
  std::uint64_t cookie = 0;
  if (getrandom(&cookie, sizeof(cookie), GRND_NONBLOCK) == sizeof(cookie)) return cookie;
  const auto now = std::chrono::steady_clock::now().time_since_epoch().count();
  return (static_cast<std::uint64_t>(getpid()) << 40) ^ static_cast<std::uint64_t>(now);
}

// A signal makes older kernels give up, and give back what they have taken so far: with a timer of the program's that
// is faster than the pages are made they would never come to the end. That the process was stopped is a signal, too.
int make_pages(int file, std::int64_t bytes) {
  const SignalsBlocked blocked;
  int fault = EINTR;
  while (fault == EINTR) fault = posix_fallocate(file, 0, bytes);
  return fault;
}

// A process that makes a file longer than it may (ulimit -f) is ended by a signal.
bool files_may_be_long() {
  struct rlimit limit{};
  const auto memory =
      static_cast<std::uint64_t>(sysconf(_SC_PHYS_PAGES)) * static_cast<std::uint64_t>(sysconf(_SC_PAGESIZE));
  return getrlimit(RLIMIT_FSIZE, &limit) == 0 && limit.rlim_cur >= memory;
}

// A memory file whose pages are there: a full machine says so here, and not with a signal at a start. -1 if not.
int make_file(std::int64_t bytes) {
  if (!files_may_be_long()) return -1;
  const int file = memfd_create("rondo", MFD_CLOEXEC);
  if (file < 0 || make_pages(file, bytes) == 0) return file;
  close(file);
  return -1;
}

int open_file(const char *path) {
  int file = -1;
  do file = open(path, O_RDWR | O_CLOEXEC);
  while (file < 0 && errno == EINTR);
  return file;
}

// Pages whole, and generous, so that the next plan of about this size finds a region to lease.
std::int64_t file_bytes(std::int64_t bytes) {
  return up_to(page, bytes + bytes / 4 + Region::head_bytes);
}

std::shared_ptr<Region> accept(const Invitation &invitation, std::int64_t bytes) {
  if (invitation.descriptor < 0) return nullptr;
  const std::string path = fmt::format("/proc/{}/fd/{}", invitation.process, invitation.descriptor);
  auto region = map(Descriptor(open_file(path.c_str())), bytes);
  return region && region->head().cookie.load() == invitation.cookie ? region : nullptr;
}

}  // namespace

std::shared_ptr<Region> private_region(std::int64_t bytes) {
  const std::int64_t size = file_bytes(bytes);
  return map(Descriptor(make_file(size)), size);
}

Lease::~Lease() {
  if (region_) region_->head().users.fetch_sub(1, std::memory_order_acq_rel);
}

std::byte *Lease::data() const {
  return region_->data();
}

Segment::Segment(const Node &node) : node_(node), processes_(static_cast<std::size_t>(node.local_ranks())) {}

Segment::~Segment() = default;

void Segment::meet() {
  const std::uint64_t cookie = random_cookie();
  const Process own{getpid(), reinterpret_cast<std::uintptr_t>(&cookie), cookie};
  check_mpi(MPI_Allgather(&own, sizeof(own), MPI_BYTE, processes_.data(), sizeof(own), MPI_BYTE, node_.comm()),
            "MPI_Allgather");
  works_ = node_.local_ranks() > 1 && static_cast<bool>(lend(1));
  // Each tries its right neighbour: one process that cannot be read is enough to say no for all.
  const int next = (node_.local_rank() + 1) % node_.local_ranks();
  const Process &other = processes_[static_cast<std::size_t>(next)];
  can_attach_ = all_agree(can_read_process(process(next), reinterpret_cast<const void *>(other.address), other.value));
}

// Throws on all ranks of the node when one brings a fault.
bool Segment::all_agree(bool mine, std::optional<Error> fault) const {
  if (fault) fault->rank = node_.members()[static_cast<std::size_t>(node_.local_rank())];
  std::int64_t any_not = mine ? 0 : 1;
  agree(node_.comm(), {&any_not, 1}, fault);
  return any_not == 0;
}

int Segment::find_free(std::int64_t bytes) const {
  for (std::size_t i = 0; i < regions_.size(); ++i) {
    const Region &region = *regions_[i];
    // One much too large is left for a plan that needs it.
    const bool fits = region.room() >= bytes && region.room() / 4 <= bytes + 65536;
    if (fits && region.head().users.load(std::memory_order_acquire) == 0) return static_cast<int>(i);
  }
  return -1;
}

Lease Segment::lend(std::int64_t bytes) {
  const bool leader = node_.local_rank() == 0;
  int index = leader ? find_free(bytes) : -1;
  if (index >= 0) regions_[static_cast<std::size_t>(index)]->head().users.store(node_.local_ranks());
  check_mpi(MPI_Bcast(&index, 1, MPI_INT, 0, node_.comm()), "MPI_Bcast");
  if (index >= 0) return Lease(regions_[static_cast<std::size_t>(index)]);

  const std::int64_t size = file_bytes(bytes);
  const Descriptor made(leader ? make_file(size) : -1);
  Invitation invitation{getpid(), made.number(), random_cookie()};
  std::shared_ptr<Region> region;
  auto fault = fault_of([&] {
    regions_.reserve(regions_.size() + 1);
    if (leader) region = map(made, size);
  });
  if (region) {
    region->head().cookie.store(invitation.cookie);
    region->head().users.store(node_.local_ranks());
  }
  check_mpi(MPI_Bcast(&invitation, sizeof(invitation), MPI_BYTE, 0, node_.comm()), "MPI_Bcast");
  if (!leader && !fault) fault = fault_of([&] { region = accept(invitation, size); });
  if (!all_agree(region != nullptr, std::move(fault))) return Lease();
  regions_.push_back(region);
  return Lease(region);
}

}  // namespace rondo::internal
