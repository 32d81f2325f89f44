#include "wire/node.hpp"

#include <sched.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <bit>
#include <cstdio>
#include <cstdlib>
#include <initializer_list>
#include <iterator>
#include <numeric>
#include <utility>

#include "exchange/fingerprint.hpp"
#include "wire/await.hpp"
#include "wire/first_line.hpp"

namespace rondo::internal {

namespace {

// Turns lowest members, one a rank, into node numbers in order of the lowest members.
void number_nodes(std::vector<int> &lowest_member) {
  int next = 0;
  for (std::size_t rank = 0; rank < lowest_member.size(); ++rank) {
    const auto lowest = static_cast<std::size_t>(lowest_member[rank]);
    lowest_member[rank] = lowest == rank ? next++ : lowest_member[lowest];  // which has its number already
  }
}

struct Link {
  explicit Link(const char *path) {
    if (readlink(path, text.data(), text.size() - 1) < 0) text[0] = '\0';
  }

  std::array<char, 64> text{};
};

// The same number for processes that run on one kernel, in the same namespaces, under one host name.
std::int64_t identify_host() {
  const FirstLine<64> boot("/proc/sys/kernel/random/boot_id");
  const Link processes("/proc/self/ns/pid");
  const Link network("/proc/self/ns/net");
  std::array<char, 256> name{};
  gethostname(name.data(), name.size() - 1);
  std::int64_t host = fingerprint_of(std::string_view());
  for (const char *part :
       std::initializer_list<const char *>{boot.text.data(), name.data(), processes.text.data(), network.text.data()}) {
    host = fingerprint_of(part, static_cast<std::uint64_t>(host));
  }
  return host;
}

// Found out once: a process stays where it is.
std::int64_t this_host() {
  static const std::int64_t host = identify_host();
  return host;
}

// Cores that the cgroup's quota is worth, 0 where there is none. cgroup v2: "max 100000" or "150000 100000".
int quota_cores() {
  const FirstLine<64> line("/sys/fs/cgroup/cpu.max");
  double quota = 0;
  double period = 0;
  if (std::sscanf(line.text.data(), "%lf %lf", &quota, &period) != 2 || period <= 0) return 0;
  return std::max(1, static_cast<int>(quota / period));
}

// Ranks of the job on this node, as the launchers of MPICH and Open MPI tell it; 0 where they do not.
int ranks_of_job() {
  for (const char *variable : {"MPI_LOCALNRANKS", "OMPI_COMM_WORLD_LOCAL_SIZE"}) {
    if (const char *value = std::getenv(variable)) return std::atoi(value);
  }
  return 0;
}

// On how many cores these may run, all of them together.
int cores_of(std::span<const Introduction> all) {
  int allowed = 0;
  for (std::size_t word = 0; word < Introduction::most_words; ++word) {
    unsigned long any = 0;
    for (const Introduction &one : all) any |= one.cores[word];
    allowed += std::popcount(any);
  }
  if (allowed == 0) allowed = static_cast<int>(sysconf(_SC_NPROCESSORS_ONLN));
  const int quota = quota_cores();
  return std::max(1, quota > 0 ? std::min(allowed, quota) : allowed);
}

}  // namespace

Node::Node(int ranks)
    : host_(this_host()),
      hosts_(static_cast<std::size_t>(ranks)),
      order_(static_cast<std::size_t>(ranks)),
      node_of_(static_cast<std::size_t>(ranks)) {
  members_.reserve(ranks);
}

std::int64_t Node::find_host() {
  return this_host();
}

void Node::meet(MPI_Comm comm, int rank) {
  members_.clear();
  if (comm == MPI_COMM_NULL) {
    std::fill(hosts_.begin(), hosts_.end(), host_);
  } else {
    gather<std::int64_t>(comm, host_, hosts_);
  }
  const auto host = [&](int which) { return hosts_[which]; };
  std::iota(order_.begin(), order_.end(), 0);
  std::sort(order_.begin(), order_.end(), [&](int a, int b) { return std::pair(host(a), a) < std::pair(host(b), b); });
  int lowest = -1;
  for (const int member : order_) {
    if (lowest < 0 || host(member) != host(lowest)) lowest = member;
    node_of_[member] = lowest;
    if (host(member) != host_) continue;
    if (member == rank) local_rank_ = local_ranks();
    members_.push_back(member);
  }
  number_nodes(node_of_);
}

// The kernel refuses a set that is too small for the cores that it might have. Where this rank may run on one that
// there is no room for, its cores are not known.
void Node::introduce(Introduction &own) {
  std::array<unsigned long, 1024> set{};
  const auto room = set.begin() + Introduction::most_words;
  std::fill(std::begin(own.cores), std::end(own.cores), 0UL);
  if (sched_getaffinity(0, sizeof(set), reinterpret_cast<cpu_set_t *>(set.data())) != 0) return;
  if (std::any_of(room, set.end(), [](unsigned long word) { return word != 0; })) return;
  std::copy(set.begin(), room, own.cores);
}

void Node::hear(std::span<const Introduction> all) {
  hosts_ = {};
  order_ = {};
  cores_ = cores_of(all);
  ranks_on_cores_ = local_ranks();
  // The kernel is asked for its cores only where that makes a difference: it takes longer than all else here.
  const int job = ranks_of_job();
  if (job > ranks_on_cores_ && cores_ >= sysconf(_SC_NPROCESSORS_ONLN)) ranks_on_cores_ = job;
}

}  // namespace rondo::internal
