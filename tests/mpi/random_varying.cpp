// Random legal programs with plans whose counts come with each start: each rank starts, tests, asks and waits in an
// order of its own, with sends that grow to megabytes and shrink to nothing, and overwrites what it has sent as soon as
// it may. What a start has brought is looked at when it is complete, and again after the next one.

#include <gtest/gtest.h>

#include <algorithm>
#include <chrono>
#include <numeric>
#include <random>
#include <rondo/rondo.hpp>
#include <thread>
#include <vector>

#include "tests/mpi/session.hpp"

namespace rondo {
namespace {

using Bytes = std::vector<unsigned char>;
using Random = std::mt19937_64;

std::uint64_t mixed(std::uint64_t value) {
  value += 0x9e3779b97f4a7c15U;
  value = (value ^ (value >> 30)) * 0xbf58476d1ce4e5b9U;
  value = (value ^ (value >> 27)) * 0x94d049bb133111ebU;
  return value ^ (value >> 31);
}

// One start of one plan: how much goes from whom to whom, and what it is. All ranks know it.
struct Draw {
  int plan;
  int start;
  MPI_Count most;

  [[nodiscard]] MPI_Count bytes(int from, int to) const {
    const std::uint64_t drawn = mixed(mixed(static_cast<std::uint64_t>(plan) * 1000003 + start) * 31 + from * 131 + to);
    const auto up_to = [&](MPI_Count limit) { return static_cast<MPI_Count>((drawn >> 8) % limit); };
    switch (mixed(static_cast<std::uint64_t>(plan) * 77 + start) % 8) {
      case 0: return up_to(4);
      case 1: return drawn % 3 == 0 ? up_to(64) : 0;
      case 2: return up_to(2000);
      case 3: return drawn % 5 == 0 ? up_to(most) : up_to(10);
      case 4: return up_to(20000);
      case 5: return 0;
      case 6: return from == start % world_ranks() ? up_to(most) : 0;
      default: return to == start % world_ranks() ? up_to(most / 4 + 1) : up_to(100);
    }
  }
  void append(int from, int to, Bytes &bytes) const {
    const std::uint64_t block = mixed(static_cast<std::uint64_t>(plan) * 7919 + start * 104729 + from * 17 + to * 3);
    const MPI_Count count = this->bytes(from, to);
    for (MPI_Count i = 0; i < count; ++i) {
      bytes.push_back(static_cast<unsigned char>(block + static_cast<std::uint64_t>(i * 31 + (i >> 8))));
    }
  }
};

class Traveller {
 public:
  Traveller(MPI_Comm comm, const Hints &hints, int plan, MPI_Count most) : plan_(comm, hints), draw_{plan, 0, most} {}

  // Whether a rank builds a start's blocks in memory of the plan, and reads blocks where they lie.
  [[nodiscard]] bool in_place() const {
    return mixed(static_cast<std::uint64_t>(draw_.plan) * 53 + draw_.start * 5 + world_rank()) % 2 == 0;
  }

  [[nodiscard]] int starts() const { return draw_.start; }
  [[nodiscard]] bool active() const { return active_; }
  [[nodiscard]] Request &request() { return plan_.request(); }

  void start() {
    active_ = true;
    sent_.clear();
    if (in_place()) {
      plan_.start_blocks(built());
      return;
    }
    std::vector<MPI_Count> counts;
    for (int to = 0; to < world_ranks(); ++to) {
      counts.push_back(draw_.bytes(world_rank(), to));
      draw_.append(world_rank(), to, sent_);
    }
    plan_.start(sent_, counts);
  }
  // Once the start is complete.
  void look() {
    std::fill(sent_.begin(), sent_.end(), 0xee);
    const Draw draw_before{draw_.plan, draw_.start - 1, draw_.most};
    if (before_.ranks() > 0) expect(before_, draw_before);
    if (blocks_before_.ranks() > 0) expect(blocks_before_, draw_before);
    before_ = {};
    blocks_before_ = {};
    if (in_place()) {
      blocks_before_ = plan_.received_blocks();
      expect(blocks_before_, draw_);
    } else {
      before_ = plan_.received();
      expect(before_, draw_);
    }
    active_ = false;
    ++draw_.start;
  }

 private:
  std::vector<SendBlock<unsigned char>> built() {
    auto blocks = plan_.new_blocks();
    for (int to = 0; to < world_ranks(); ++to) {
      Bytes bytes;
      draw_.append(world_rank(), to, bytes);
      for (const unsigned char byte : bytes) blocks[to].push_back(byte);
    }
    return blocks;
  }
  template <class Blocks>
  static void expect(const Blocks &received, const Draw &draw) {
    for (int from = 0; from < world_ranks(); ++from) {
      Bytes expected;
      draw.append(from, world_rank(), expected);
      const auto block = received.from(from);
      ASSERT_TRUE(std::equal(block.begin(), block.end(), expected.begin(), expected.end()))
          << "plan " << draw.plan << ", start " << draw.start << ", from rank " << from << ": " << block.size()
          << " bytes, expected " << expected.size();
    }
  }

  VaryingAlltoallv<unsigned char> plan_;
  Draw draw_;
  Bytes sent_;
  Received<unsigned char> before_;  // what the start before has brought, one of the two
  ReceivedBlocks<unsigned char> blocks_before_;
  bool active_ = false;
};

class Journey {
 public:
  Journey(const Hints &hints, unsigned seed, int plans, int starts, MPI_Count most)
      : own_(1000 * seed + static_cast<unsigned>(world_rank())), starts_(starts) {
    MPI_Comm comm = MPI_COMM_NULL;
    MPI_Comm_dup(MPI_COMM_WORLD, &comm);
    for (int i = 0; i < plans; ++i) {
      plans_.emplace_back(comm, hints, static_cast<int>(seed) * 10 + i, most);
      // Another rank may still be in the init of the next plan.
      if (seed % 2 == 0) plans_.back().start();
    }
    MPI_Comm_free(&comm);
  }

  void go() {
    while (!testing::Test::HasFailure() && std::any_of(plans_.begin(), plans_.end(), [&](const Traveller &plan) {
      return plan.active() || plan.starts() < starts_;
    })) {
      switch (own_() % 8) {
        case 0: start_one(); break;
        case 1: test_one(); break;
        case 2: ask_one(); break;
        case 3: wait_for_oldest(); break;
        case 4: wait_any(); break;
        case 5: test_some(); break;
        case 6: start_all(); break;
        default: compute(); break;
      }
    }
  }

 private:
  Traveller &any() { return plans_[own_() % plans_.size()]; }

  void start_one() {
    Traveller &plan = any();
    if (!plan.active() && plan.starts() < starts_) plan.start();
  }
  // Before a wait: what this rank has not started, others may wait for.
  void start_all() {
    std::vector<std::size_t> order(plans_.size());
    std::iota(order.begin(), order.end(), 0);
    std::shuffle(order.begin(), order.end(), own_);
    for (const std::size_t i : order) {
      if (!plans_[i].active() && plans_[i].starts() < starts_) plans_[i].start();
    }
  }
  void test_one() {
    Traveller &plan = any();
    if (plan.active() && plan.request().test()) plan.look();
  }
  void ask_one() {
    Traveller &plan = any();
    if (!plan.active() || !plan.request().is_complete()) return;
    plan.request().wait();
    plan.look();
  }
  void wait_for_oldest() {
    start_all();
    Traveller *oldest = nullptr;
    for (Traveller &plan : plans_) {
      if (plan.active() && (oldest == nullptr || plan.starts() < oldest->starts())) oldest = &plan;
    }
    if (oldest == nullptr) return;
    oldest->request().wait();
    oldest->look();
  }

  struct Handles {
    std::vector<RONDO_Request> requests;
    std::vector<Traveller *> plans;
  };
  Handles active() {
    Handles handles;
    for (Traveller &plan : plans_) {
      if (!plan.active()) continue;
      handles.requests.push_back(plan.request().native());
      handles.plans.push_back(&plan);
    }
    return handles;
  }
  void wait_any() {
    start_all();
    Handles handles = active();
    int index = MPI_UNDEFINED;
    ASSERT_EQ(
        RONDO_Waitany(static_cast<int>(handles.requests.size()), handles.requests.data(), &index, MPI_STATUS_IGNORE),
        MPI_SUCCESS);
    if (index != MPI_UNDEFINED) handles.plans[index]->look();
  }
  void test_some() {
    Handles handles = active();
    std::vector<int> indices(handles.requests.size() + 1);
    int count = 0;
    ASSERT_EQ(RONDO_Testsome(static_cast<int>(handles.requests.size()), handles.requests.data(), &count, indices.data(),
                             MPI_STATUSES_IGNORE),
              MPI_SUCCESS);
    for (int i = 0; count != MPI_UNDEFINED && i < count; ++i) handles.plans[indices[i]]->look();
  }
  void compute() {
    if (own_() % 20 == 0) std::this_thread::sleep_for(std::chrono::microseconds(own_() % 3000));
  }

  Random own_;
  int starts_;
  std::vector<Traveller> plans_;
};

struct Way {
  const char *name;
  Hints hints;
};

class RandomVarying : public testing::TestWithParam<Way> {};
INSTANTIATE_TEST_SUITE_P(
    , RandomVarying,
    testing::ValuesIn(std::vector<Way>{
        {"Chosen", {}},
        {"OnNodesOfTwo", {{"rondo_node_size", "2"}}},
        {"ByMessages", {{"rondo_wire", "packed"}}},
        {"Attached", {{"rondo_long_messages", "attach"}}},
        {"Forwarding", {{"rondo_algorithm", "tuna"}}},
        {"ForwardingOnNodesOfTwo", {{"rondo_algorithm", "tuna_hierarchical"}, {"rondo_node_size", "2"}}},
        {"SeparateMetadata", {{"rondo_metadata", "separate"}, {"rondo_algorithm", "two_phase_bruck"}}}}),
    [](const auto &way) { return way.param.name; });

TEST_P(RandomVarying, ProgramsEnd) {
  for (unsigned seed = 1; seed <= 3 && !HasFailure(); ++seed) {
    Journey journey(GetParam().hints, seed, 2 + static_cast<int>(seed % 2), 10, MPI_Count{1} << 20);

    journey.go();
  }
}

}  // namespace
}  // namespace rondo
