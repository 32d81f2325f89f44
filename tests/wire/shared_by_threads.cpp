// The shared wire with threads as ranks: right data, start after start, and no data race (build with the thread
// sanitizer: the preset `thread`).

#include <gtest/gtest.h>

#include <chrono>
#include <memory>
#include <optional>
#include <semaphore>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include "exchanges.hpp"
#include "plan/plan.hpp"
#include "schedule/check.hpp"
#include "schedule/run.hpp"
#include "tests/route/journey.hpp"
#include "thread_node.hpp"
#include "wire/bind.hpp"

namespace rondo::internal::test {
namespace {

std::byte value_of(int start, int source, int destination, std::int64_t index) {
  return static_cast<std::byte>(start * 31 + source * 7 + destination * 3 + index);
}

struct Style {
  bool progress_thread = false;
  bool plans_buffers = false;   // from which long messages are pulled
  bool sent_in_halves = false;  // there: each block's second half lies before its first, with a gap between the two
  std::int64_t most_in_inbox = INT64_MAX;
  bool like_earlier = false;  // by what an earlier plan has read of the others' areas
  int banks = 2;
};

constexpr std::int64_t gap = 24;

// A block's two halves in a buffer in which the blocks have room for gaps.
struct Halves {
  Extent first;
  Extent second;

  Halves(const Extent &block, int peer) {
    const std::int64_t begin = block.offset + peer * gap;
    const std::int64_t half = block.length / 2;
    second = {begin, block.length - half};
    first = {second.end() + gap, half};
  }
  [[nodiscard]] std::int64_t place(std::int64_t index) const {
    return index < first.length ? first.offset + index : second.offset + index - first.length;
  }
};

Side side_of_halves(const Exchange &exchange) {
  Side side;
  side.ranks = exchange.ranks();
  side.plan_allocates = true;
  side.unit = Side::Unit::bytes;
  for (int peer = 0; peer < exchange.ranks(); ++peer) {
    const Extent &block = exchange.send[static_cast<std::size_t>(peer)];
    if (block.length == 0) continue;
    const Halves halves(block, peer);
    SideType type{MPI_BYTE};
    type.shape.size = block.length;
    type.shape.extent = halves.first.end() - halves.second.offset;
    type.shape.true_extent = type.shape.extent;
    std::vector<Extent> runs{{halves.first.offset - halves.second.offset, halves.first.length},
                             {0, halves.second.length}};
    std::erase_if(runs, [](const Extent &run) { return run.length == 0; });
    type.runs = std::make_shared<const std::vector<Extent>>(std::move(runs));
    side.parts.push_back({.peer = peer,
                          .count = 1,
                          .displacement = halves.second.offset,
                          .type = static_cast<std::int32_t>(side.types.size())});
    side.types.push_back(std::move(type));
  }
  return side;
}

// One rank: makes its plan, and runs it again and again with new data.
class ThreadRank {
 public:
  ThreadRank(ThreadNode &node, const Schedule &schedule, const Exchange &exchange, Style style,
             double stall_timeout = 0)
      : exchange_(exchange),
        in_halves_(style.sent_in_halves),
        own_send_(static_cast<std::size_t>(exchange.send.back().end())),
        own_receive_(static_cast<std::size_t>(exchange.receive.back().end())),
        send_(own_send_),
        receive_(own_receive_) {
    ThreadAccess access(node, exchange.rank);
    PlanParts parts;
    parts.schedule = std::make_shared<const Schedule>(schedule);
    parts.policy.patience = Patience::of(exchange.ranks(), 2);
    parts.policy.stall_timeout = std::chrono::duration<double>(stall_timeout);
    if (style.progress_thread) parts.policy.beside = Patience::beside(exchange.ranks(), 2);
    parts.staging = Storage(schedule.staging_bytes);
    SharedGroup group{.members = node.members,
                      .pull_mapped = style.plans_buffers,
                      .most_in_inbox = style.most_in_inbox,
                      .banks = style.banks};
    PlanBuffers own;
    if (style.plans_buffers) own = {Extent{0, exchange.send.back().end()}, Extent{0, exchange.receive.back().end()}};
    std::optional<RunSpace> sent;
    if (in_halves_) {
      const Side side = side_of_halves(exchange);
      own.send = Extent{0, static_cast<std::int64_t>(own_send_.size()) + (exchange.ranks() + 1) * gap};
      sent.emplace(side);
      parts.send.runs.emplace(side);
    }
    const SharedLayout layout(schedule, group, own, sent ? &*sent : nullptr);
    parts.shared = std::make_unique<SharedRegion>(layout, access);
    parts.shared->learn_areas(access);
    parts.shared->open(access, send_.data(), receive_.data());
    access.barrier();
    parts.shared->read_tables();
    if (style.like_earlier) {
      parts.shared = std::make_unique<SharedRegion>(layout, access, parts.shared->tables());
      parts.shared->open(access, send_.data(), receive_.data());
    }
    if (style.plans_buffers) {
      send_ = {parts.shared->send_base(), static_cast<std::size_t>(own.send->length)};
      receive_ = {parts.shared->receive_base(), receive_.size()};
    }
    parts.buffers.send = send_.data();
    parts.send.move_to(send_.data());
    parts.buffers.receive = receive_.data();
    parts.schedules = parts.bind_all();
    plan_ = std::make_unique<Plan>(std::move(parts));
    access.barrier();
  }

  Plan &plan() { return *plan_; }

  // meanwhile() comes between the start and the wait.
  template <class Work>
  void run(int start, Work &&meanwhile) {
    for (int peer = 0; peer < exchange_.ranks(); ++peer) {
      fill(exchange_.send[static_cast<std::size_t>(peer)], start, exchange_.rank, peer);
    }
    std::fill(receive_.begin(), receive_.end(), std::byte{0});
    plan_->start();
    meanwhile();
    plan_->wait();
    for (int peer = 0; peer < exchange_.ranks(); ++peer) {
      check(exchange_.receive[static_cast<std::size_t>(peer)], start, peer, exchange_.rank);
    }
  }

  [[nodiscard]] int wrong_bytes() const { return wrong_; }

 private:
  void fill(const Extent &extent, int start, int source, int destination) {
    const Halves halves(extent, destination);
    for (std::int64_t i = 0; i < extent.length; ++i) {
      const std::int64_t place = in_halves_ ? halves.place(i) : extent.offset + i;
      send_[static_cast<std::size_t>(place)] = value_of(start, source, destination, i);
    }
  }
  void check(const Extent &extent, int start, int source, int destination) {
    for (std::int64_t i = 0; i < extent.length; ++i) {
      const bool right =
          receive_[static_cast<std::size_t>(extent.offset + i)] == value_of(start, source, destination, i);
      wrong_ += right ? 0 : 1;
    }
  }

  const Exchange &exchange_;
  bool in_halves_;
  std::vector<std::byte> own_send_;
  std::vector<std::byte> own_receive_;
  std::span<std::byte> send_;
  std::span<std::byte> receive_;
  std::unique_ptr<Plan> plan_;
  int wrong_ = 0;
};

struct Trial {
  const char *algorithm;
  int ranks;
  std::int64_t most;
};

class SharedByThreads : public testing::TestWithParam<Trial> {
 protected:
  // Has each rank run its plan 40 times, with meanwhile(rank, start) between start and wait.
  template <class Work>
  void run(Style style, Work &&meanwhile) {
    const Trial trial = GetParam();
    const Algorithm &algorithm = *find_algorithm(trial.algorithm);
    const Topology topology{trial.ranks, {}};
    const bool uniform = algorithm.layout == Layout::unrotated || algorithm.layout == Layout::alternating;
    const std::vector<Exchange> exchanges = uneven_exchanges(trial.ranks, trial.most, uniform);
    const Planned planned =
        plan_all(algorithm, effective(algorithm, {}, trial.ranks), topology, exchanges, Wire::shared);
    ThreadNode node(trial.ranks);
    std::vector<int> wrong(static_cast<std::size_t>(trial.ranks), -1);
    std::vector<std::thread> threads;
    for (std::size_t rank = 0; rank < wrong.size(); ++rank) {
      threads.emplace_back([&, rank] {
        ThreadRank self(node, planned.schedules[rank], exchanges[rank], style);
        for (int start = 1; start <= 40; ++start) {
          self.run(start, [&] { meanwhile(rank, start); });
          ++waits_ended;
        }
        wrong[rank] = self.wrong_bytes();
      });
    }
    for (std::thread &thread : threads) thread.join();
    for (const int bytes : wrong) EXPECT_EQ(bytes, 0);
  }

  std::atomic<int> waits_ended{0};  // of all ranks and starts
};

TEST_P(SharedByThreads, DataIsRightStartAfterStart) {
  run({}, [](std::size_t, int) {});
}

TEST_P(SharedByThreads, DataIsRightFromThePlansBuffers) {
  run({.plans_buffers = true}, [](std::size_t, int) {});
}

TEST_P(SharedByThreads, DataIsRightFromThePlansBuffersWithGaps) {
  run({.plans_buffers = true, .sent_in_halves = true}, [](std::size_t, int) {});
}

TEST_P(SharedByThreads, DataIsRightWhereTheTablesAreAnEarlierPlans) {
  run({.plans_buffers = true, .sent_in_halves = true, .like_earlier = true}, [](std::size_t, int) {});
  run({.like_earlier = true}, [](std::size_t, int) {});
  run({.plans_buffers = true, .like_earlier = true}, [](std::size_t, int) {});
  run({.most_in_inbox = 200, .like_earlier = true}, [](std::size_t, int) {});
}

TEST_P(SharedByThreads, DataIsRightThroughRings) {
  run({.most_in_inbox = 200}, [](std::size_t, int) {});
}

TEST_P(SharedByThreads, DataIsRightInMoreBanks) {
  run({.banks = 5}, [](std::size_t, int) {});
  run({.plans_buffers = true, .banks = 3}, [](std::size_t, int) {});
  run({.most_in_inbox = 200, .banks = 4}, [](std::size_t, int) {});
}

// Ranks that are late with their later steps still need what lies in scratch.
TEST_P(SharedByThreads, DataIsRightWhereRanksAreLate) {
  run({}, [](std::size_t rank, int start) {
    if ((rank + static_cast<std::size_t>(start)) % 5 == 0) std::this_thread::sleep_for(std::chrono::milliseconds(1));
  });
}

TEST_P(SharedByThreads, CallersWaitOneAfterTheOtherForWhatPassesThroughRings) {
  run({.progress_thread = true, .most_in_inbox = 4096}, [&](std::size_t rank, int start) {
    const int before = (start - 1) * GetParam().ranks + static_cast<int>(rank);
    while (waits_ended < before) std::this_thread::yield();
  });
}

TEST_P(SharedByThreads, DataIsRightBesideTheProgressThread) {
  run({.progress_thread = true}, [](std::size_t, int) {});
}

// No rank waits before the wait of the rank below has ended: its plan is driven by the progress thread and by the waits
// of others, at once.
TEST_P(SharedByThreads, CallersWaitOneAfterTheOther) {
  run({.progress_thread = true}, [&](std::size_t rank, int start) {
    const int before = (start - 1) * GetParam().ranks + static_cast<int>(rank);
    while (waits_ended < before) std::this_thread::yield();
  });
}

INSTANTIATE_TEST_SUITE_P(
    Wires, SharedByThreads,
    testing::Values(Trial{"spread_out", 2, 8}, Trial{"spread_out", 2, 5000}, Trial{"spread_out", 2, 200'001},
                    Trial{"tuna", 3, 100'000}, Trial{"tuna", 4, 90'000}, Trial{"spread_out", 4, 300},
                    Trial{"spread_out", 4, 70'000}, Trial{"exclusive_or", 8, 2000}, Trial{"pairwise", 3, 100},
                    Trial{"tuna", 4, 60}, Trial{"tuna", 49, 60}, Trial{"tuna", 49, 4000},
                    Trial{"two_phase_bruck", 4, 60}, Trial{"zero_rotation_bruck", 3, 40},
                    Trial{"zero_copy_bruck", 4, 40}, Trial{"irregular_zero_copy_bruck", 7, 60}, Trial{"sloav", 3, 500},
                    Trial{"padded_bruck", 4, 30}, Trial{"two_phase_bruck", 4, 1700}, Trial{"zero_copy_bruck", 4, 900},
                    Trial{"padded_bruck", 4, 900}, Trial{"irregular_zero_copy_bruck", 7, 900}),
    [](const auto &chosen) {
      return std::string(chosen.param.algorithm) + "_" + std::to_string(chosen.param.ranks) + "_" +
             std::to_string(chosen.param.most);
    });

class AtRest : public testing::Test {
 protected:
  // The block of each pair of ranks has the bytes that the rule says.
  template <class Rule>
  static std::vector<Exchange> exchanges_of(int ranks, Rule &&bytes) {
    std::vector<Exchange> exchanges(static_cast<std::size_t>(ranks));
    for (int rank = 0; rank < ranks; ++rank) {
      Exchange &exchange = exchanges[static_cast<std::size_t>(rank)];
      exchange.rank = rank;
      for (int peer = 0; peer < ranks; ++peer) {
        exchange.send.push_back({peer * most, bytes(rank, peer)});
        exchange.receive.push_back({peer * most, bytes(peer, rank)});
      }
    }
    return exchanges;
  }

  // One that is late sleeps before some of its starts.
  template <class Late>
  static void expect_right_data(std::span<const Schedule> schedules, std::span<const Exchange> exchanges, Late &&late) {
    ThreadNode node(static_cast<int>(schedules.size()));
    std::vector<int> wrong(schedules.size(), -1);
    std::vector<std::jthread> threads;
    for (std::size_t rank = 0; rank < wrong.size(); ++rank) {
      threads.emplace_back([&, rank] {
        ThreadRank self(node, schedules[rank], exchanges[rank], {});
        for (int start = 1; start <= 60; ++start) {
          if (late(static_cast<int>(rank), start)) std::this_thread::sleep_for(std::chrono::milliseconds(1));
          self.run(start, [] {});
        }
        wrong[rank] = self.wrong_bytes();
      });
    }
    threads.clear();
    for (const int bytes : wrong) EXPECT_EQ(bytes, 0);
  }

  static constexpr std::int64_t most = 3000;
};

// What rank 0 has for the others goes by way of each other. As all hear of all in the first step, these two take it out
// of each other's scratch in the second.
TEST_F(AtRest, MessagesAreTakenWhereAllRanksMeet) {
  const auto exchanges = exchanges_of(3, [](int source, int destination) { return source == destination ? 0 : most; });
  const std::vector<Leg> legs{{0, 0, 1, {{0, 2}}}, {0, 0, 2, {{0, 1}}}, {0, 1, 0, {{1, 0}}}, {0, 1, 2, {{1, 2}}},
                              {0, 2, 0, {{2, 0}}}, {0, 2, 1, {{2, 1}}}, {1, 1, 2, {{0, 2}}}, {1, 2, 1, {{0, 1}}}};
  const std::vector<Schedule> schedules =
      lower_all(Layout::compact, Journey{3, 2, legs, legs}.routes(), {3, {}}, exchanges, Wire::shared);
  ASSERT_TRUE(schedules[1].receives.back().rests_at_sender);
  ASSERT_EQ(check_schedules(schedules, exchanges), "");

  expect_right_data(schedules, exchanges, [](int rank, int) { return rank == 2; });
  expect_right_data(schedules, exchanges, [](int rank, int start) { return (rank + start) % 3 == 0; });
}

// By `tuna` of radix 2 rank 3 passes on what rank 0 has for rank 1, which nobody hears of.
TEST_F(AtRest, MessagesArePushedWhereTheyDoNot) {
  const auto exchanges =
      exchanges_of(4, [](int source, int destination) { return source == 0 && destination == 1 ? most : 0; });
  const Planned planned = plan_all(*find_algorithm("tuna"), {.radix = 2}, {4, {}}, exchanges, Wire::shared);
  ASSERT_TRUE(planned.schedules[1].receives.back().rests_at_sender);

  expect_right_data(planned.schedules, exchanges, [](int rank, int) { return rank == 1; });
}

// There the one that passes on may be done while the one that receives has not begun.
TEST_F(AtRest, NobodyWaitsForOneThatIsLateWithTaking) {
  const auto exchanges =
      exchanges_of(4, [](int source, int destination) { return source == 0 && destination == 1 ? most : 0; });
  const Planned planned = plan_all(*find_algorithm("tuna"), {.radix = 2}, {4, {}}, exchanges, Wire::shared);
  ThreadNode node(4);
  std::binary_semaphore passed_on{0};
  std::vector<std::jthread> threads;
  for (std::size_t rank = 0; rank < exchanges.size(); ++rank) {
    threads.emplace_back([&, rank] {
      ThreadRank self(node, planned.schedules[rank], exchanges[rank], {});
      self.run(1, [&] {
        if (rank == 1) passed_on.acquire();  // for ever, if rank 3 waits for this one
      });
      if (rank == 3) passed_on.release();
      EXPECT_EQ(self.wrong_bytes(), 0);
    });
  }
}

// Rank 0 has 8 bytes for rank 1, and gets nothing.
TEST(Banks, AreAsManyStartsAsASenderMayBeAhead) {
  constexpr int banks = 5;
  constexpr int starts = 3 * banks;
  const std::vector<Exchange> exchanges{{.rank = 0, .send = {{0, 0}, {0, 8}}, .receive = {{0, 0}, {0, 0}}},
                                        {.rank = 1, .send = {{0, 0}, {0, 0}}, .receive = {{0, 8}, {8, 0}}}};
  const Algorithm &algorithm = *find_algorithm("spread_out");
  const Planned planned = plan_all(algorithm, effective(algorithm, {}, 2), {2, {}}, exchanges, Wire::shared);
  ThreadNode node(2);
  std::binary_semaphore may_receive{0};
  int wrong = -1;
  std::jthread receiver([&] {
    ThreadRank self(node, planned.schedules[1], exchanges[1], {.banks = banks});
    may_receive.acquire();
    for (int start = 1; start <= starts; ++start) self.run(start, [] {});
    wrong = self.wrong_bytes();
  });
  ThreadRank sender(node, planned.schedules[0], exchanges[0], {.banks = banks});
  for (int start = 1; start <= banks; ++start) sender.run(start, [] {});  // with nobody to take it

  bool complete_before = true;
  sender.run(banks + 1, [&] {
    complete_before = sender.plan().test();
    may_receive.release();
  });
  for (int start = banks + 2; start <= starts; ++start) sender.run(start, [] {});
  receiver.join();

  EXPECT_FALSE(complete_before);
  EXPECT_EQ(wrong, 0);
}

// Ranks 1 and 2 send to rank 0, which takes their messages out of their memory. One of them starts only when the
// other's message has been taken.
TEST(Pulls, TakeFirstWhatComesFirst) {
  constexpr std::int64_t bytes = 32 << 10;
  const std::vector<Exchange> exchanges{
      {.rank = 0, .send = {{0, 0}, {0, 0}, {0, 0}}, .receive = {{0, 0}, {0, bytes}, {bytes, bytes}}},
      {.rank = 1, .send = {{0, bytes}, {bytes, 0}, {bytes, 0}}, .receive = {{0, 0}, {0, 0}, {0, 0}}},
      {.rank = 2, .send = {{0, bytes}, {bytes, 0}, {bytes, 0}}, .receive = {{0, 0}, {0, 0}, {0, 0}}}};
  const Algorithm &algorithm = *find_algorithm("spread_out");
  const Planned planned = plan_all(algorithm, effective(algorithm, {}, 3), {3, {}}, exchanges, Wire::shared);
  for (const std::size_t late : {1U, 2U}) {
    ThreadNode node(3);
    std::binary_semaphore may_start{0};
    int wrong = -1;
    std::atomic<bool> taken_before{false};
    const auto rank = [&](std::size_t self) {
      return ThreadRank(node, planned.schedules[self], exchanges[self], {.plans_buffers = true});
    };
    {
      std::jthread receiver([&] {
        ThreadRank self = rank(0);
        self.run(1, [] {});
        wrong = self.wrong_bytes();
      });
      std::jthread waiting([&] {
        ThreadRank self = rank(late);
        may_start.acquire();
        self.run(1, [] {});
      });
      std::jthread prompt([&] {
        ThreadRank self = rank(3 - late);
        self.run(1, [&] {
          const auto end = std::chrono::steady_clock::now() + std::chrono::seconds(10);
          while (!taken_before && std::chrono::steady_clock::now() < end) taken_before = self.plan().test();
          may_start.release();
        });
      });
    }
    EXPECT_TRUE(taken_before) << "rank " << late << " is late";
    EXPECT_EQ(wrong, 0);
  }
}

// The others are late before each of two steps, by less than the timeout each time and by more in all.
TEST(StallOfThreads, IsPutOffByWhatArrives) {
  constexpr int ranks = 3;
  constexpr std::chrono::milliseconds late{400};
  const Algorithm &algorithm = *find_algorithm("tuna");
  const std::vector<Exchange> exchanges = uneven_exchanges(ranks, 60, true);
  const Planned planned = plan_all(algorithm, {.radix = 2}, {ranks, {}}, exchanges, Wire::shared);
  ThreadNode node(ranks);
  std::string fault = "none";

  std::vector<std::jthread> threads;
  for (std::size_t rank = 1; rank < ranks; ++rank) {
    threads.emplace_back([&, rank] {
      ThreadRank self(node, planned.schedules[rank], exchanges[rank], Style{});
      std::this_thread::sleep_for(late);
      self.plan().start();
      std::this_thread::sleep_for(late);
      self.plan().wait();
    });
  }
  ThreadRank self(node, planned.schedules[0], exchanges[0], Style{}, 0.6);
  self.plan().start();
  try {
    self.plan().wait();
  } catch (const Error &error) {
    fault = error.what();
  }
  threads.clear();

  EXPECT_EQ(fault, "none");
}

}  // namespace
}  // namespace rondo::internal::test
