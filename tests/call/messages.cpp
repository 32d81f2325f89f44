// What a call moves, read from its arguments.

#include "call/message_reader.hpp"

#include <algorithm>
#include <array>
#include <random>
#include <vector>

#include "exchange/error.hpp"
#include "with_mpi.hpp"

namespace rondo::internal::call {
namespace {

template <class Count>
SideArguments side(std::vector<int> &buffer, const std::vector<Count> &counts, const std::vector<Count> &displs) {
  static const MPI_Datatype type = MPI_INT;  // the address of an object, in Open MPI
  return {buffer.data(), counts.data(), displs.data(), &type, sizeof(Count), sizeof(Count), false};
}

std::vector<int> peers_of(const std::vector<Message> &messages) {
  std::vector<int> peers;
  for (const Message &message : messages) peers.push_back(message.peer);
  return peers;
}

std::vector<std::int64_t> offsets_of(const std::vector<Message> &messages) {
  std::vector<std::int64_t> offsets;
  for (const Message &message : messages) offsets.push_back(message.offset);
  return offsets;
}

// The fault that reading them, or work(), throws.
template <class Work>
Fault fault_in(Work &&work) {
  try {
    work();
  } catch (const Error &error) {
    return error.fault;
  }
  return Fault::none;
}

void expect_same(const std::vector<Message> &some, const std::vector<Message> &others) {
  ASSERT_EQ(peers_of(some), peers_of(others));
  EXPECT_EQ(offsets_of(some), offsets_of(others));
  for (std::size_t i = 0; i < some.size(); ++i) {
    EXPECT_EQ(some[i].count, others[i].count);
    EXPECT_EQ(some[i].bytes, others[i].bytes);
    EXPECT_EQ(some[i].element->type, others[i].element->type);
    EXPECT_EQ(some[i].element->shape, others[i].element->shape);
    EXPECT_EQ(some[i].by_runs, others[i].by_runs);
  }
}

void expect_same(const Messages &some, const Messages &others) {
  expect_same(some.sends, others.sends);
  expect_same(some.receives, others.receives);
  expect_same(some.own_sends, others.own_sends);
  expect_same(some.own_receives, others.own_receives);
  EXPECT_EQ(some.rank, others.rank);
  EXPECT_EQ(some.in_place, others.in_place);
  EXPECT_EQ(some.for_all, others.for_all);
  EXPECT_EQ(some.repeated, others.repeated);
  EXPECT_EQ(some.lies_ready, others.lies_ready);
  EXPECT_EQ(some.longest, others.longest);
  EXPECT_EQ(some.sent_bytes, others.sent_bytes);
  EXPECT_EQ(some.most_pieces, others.most_pieces);
  EXPECT_EQ(some.walks, others.walks);
  EXPECT_EQ(some.sent, others.sent);
  EXPECT_EQ(some.received, others.received);
}

// Neighbours that are some of so many ranks, in a cyclic order.
template <class Draw>
Neighbors draw_cyclic(const Draw &draw, int ranks) {
  Neighbors some;
  for (int rank = 0; rank < ranks; ++rank) {
    if (draw(2) == 0) continue;
    some.sources.push_back(rank);
    some.matching.push_back(static_cast<int>(some.matching.size()));
  }
  if (!some.sources.empty()) {
    std::rotate(some.sources.begin(), some.sources.begin() + draw(static_cast<int>(some.sources.size())),
                some.sources.end());
  }
  some.destinations = some.sources;
  some.cyclic = true;
  return some;
}

class ReadMessages : public test::WithMpi {
 protected:
  static constexpr Peers all{.rank = 1, .ranks = 4, .neighbors = nullptr};

  [[nodiscard]] CallArguments arguments() { return {side(sent, counts, displs), side(received, counts, displs)}; }

  std::vector<int> sent = std::vector<int>(16);
  std::vector<int> received = std::vector<int>(16);
  std::vector<int> counts = {2, 1, 0, 3};
  std::vector<int> displs = {0, 4, 8, 12};
};

TEST_F(ReadMessages, BeginWithTheNextRankAndLeaveOutEmptyBlocks) {
  const Messages messages = read_messages(arguments(), all);

  EXPECT_EQ(peers_of(messages.sends), (std::vector{3, 0}));
  EXPECT_EQ(peers_of(messages.receives), (std::vector{3, 0}));
  EXPECT_EQ(offsets_of(messages.sends), (std::vector<std::int64_t>{48, 0}));
  EXPECT_EQ(offsets_of(messages.own_sends), (std::vector<std::int64_t>{16}));
  EXPECT_EQ(messages.sent_bytes, 24);
}

TEST_F(ReadMessages, AreTheSameForWideCounts) {
  const std::vector<MPI_Count> wide_counts(counts.begin(), counts.end());
  const std::vector<MPI_Count> wide_displs(displs.begin(), displs.end());
  const CallArguments wide{side(sent, wide_counts, wide_displs), side(received, wide_counts, wide_displs)};

  const Messages messages = read_messages(wide, all);

  EXPECT_EQ(peers_of(messages.sends), (std::vector{3, 0}));
  EXPECT_EQ(offsets_of(messages.receives), (std::vector<std::int64_t>{48, 0}));
}

TEST_F(ReadMessages, OfOneCountFollowEachOther) {
  const int count = 3;
  CallArguments uniform = arguments();
  for (SideArguments *one : {&uniform.send, &uniform.receive}) {
    one->counts = &count;
    one->displs = nullptr;
  }

  const Messages messages = read_messages(uniform, all);

  EXPECT_EQ(peers_of(messages.sends), (std::vector{2, 3, 0}));
  EXPECT_EQ(offsets_of(messages.sends), (std::vector<std::int64_t>{24, 36, 0}));
}

TEST_F(ReadMessages, OfANeighborNamedTwiceStandInTheOrderOfItsMatching) {
  const Neighbors neighbors{
      .sources = {2, 0, 2, 1}, .destinations = {2, 2, 0, 1}, .matching = {2, 1, 0, 3}, .repeated = true};
  counts = {1, 1, 1, 1};

  const Messages messages = read_messages(arguments(), {.rank = 1, .ranks = 4, .neighbors = &neighbors});

  EXPECT_EQ(offsets_of(messages.sends), (std::vector<std::int64_t>{0, 16, 32}));
  EXPECT_EQ(peers_of(messages.receives), (std::vector{2, 2, 0}));
  EXPECT_EQ(offsets_of(messages.receives), (std::vector<std::int64_t>{32, 0, 16}));
  EXPECT_EQ(messages.own_receives.size(), 1U);
}

TEST_F(ReadMessages, InPlaceSendWhatTheyReceiveAndNothingToThemselves) {
  CallArguments in_place = arguments();
  in_place.send.buffer = MPI_IN_PLACE;

  const Messages messages = read_messages(in_place, all);

  EXPECT_EQ(offsets_of(messages.sends), offsets_of(messages.receives));
  EXPECT_TRUE(messages.own_sends.empty());
  EXPECT_TRUE(messages.own_receives.empty());
}

TEST_F(ReadMessages, OfBadArgumentsAreRefusedAsAnInitRefusesThem) {
  CallArguments null_buffer = arguments();
  null_buffer.receive.buffer = nullptr;
  MPI_Datatype no_type = MPI_DATATYPE_NULL;
  CallArguments null_type = arguments();
  null_type.send.types = &no_type;
  const std::vector<int> more = {2, 2, 0, 3};
  const CallArguments mismatch{side(sent, more, displs), side(received, counts, displs)};
  const std::vector<int> negative = {2, 1, -1, 3};
  const CallArguments negative_count{side(sent, negative, displs), side(received, counts, displs)};

  EXPECT_EQ(fault_in([&] { read_messages(null_buffer, all); }), Fault::buffer);
  EXPECT_EQ(fault_in([&] { read_messages(null_type, all); }), Fault::type);
  EXPECT_EQ(fault_in([&] { read_messages(mismatch, all); }), Fault::mismatch);
  EXPECT_EQ(fault_in([&] { read_messages(negative_count, all); }), Fault::count);
}

TEST_F(ReadMessages, MayInterleaveTheirBuffersButNotShareBytes) {
  const Messages messages = read_messages(arguments(), all);
  std::array<int, 32> both{};

  EXPECT_EQ(fault_in([&] { check_apart(messages, both.data(), both.data() + 5); }), Fault::none);
  EXPECT_EQ(fault_in([&] { check_apart(messages, both.data(), both.data() + 1); }), Fault::overlap);
}

// Between all ranks or some. Counts and displacements are drawn, of one int, of two or more, and of one that lies eight
// bytes further. Into the memory of what has been read before, even in vain.
TEST_F(ReadMessages, AreTheSameForWideCountsWhateverTheCountsAndWhatHasBeenReadBefore) {
  std::mt19937 random(1);
  MPI_Datatype several = MPI_DATATYPE_NULL;
  MPI_Datatype shifted = MPI_DATATYPE_NULL;
  const MPI_Aint shift = 8;
  MPI_Type_create_hindexed_block(1, 1, &shift, MPI_INT, &shifted);
  MPI_Type_commit(&shifted);
  MessageReader reader;
  Messages read;
  const auto draw = [&](int end) { return static_cast<int>(random() % static_cast<unsigned>(end)); };
  for (int round = 0; round < 600; ++round) {
    if (round % 10 == 0) {  // the next type may have the handle of this one
      if (round > 0) MPI_Type_free(&several);
      MPI_Type_contiguous(2 + round / 10 % 3, MPI_INT, &several);
      MPI_Type_commit(&several);
    }
    const std::array<MPI_Datatype, 3> types{MPI_INT, several, shifted};
    const int ranks = 1 + draw(6);
    const Neighbors some = draw_cyclic(draw, ranks);
    const Peers peers{.rank = draw(ranks), .ranks = ranks, .neighbors = draw(2) == 0 ? nullptr : &some};
    if (peers.sources() == 0) continue;
    std::vector<int> some_counts;
    std::vector<int> some_displs;
    for (int entry = 0; entry < peers.sources(); ++entry) {
      some_counts.push_back(draw(3));
      some_displs.push_back(draw(20) - 5);
    }
    CallArguments narrow{side(sent, some_counts, some_displs), side(received, some_counts, some_displs)};
    const std::vector<MPI_Count> wide_counts(some_counts.begin(), some_counts.end());
    const std::vector<MPI_Count> wide_displs(some_displs.begin(), some_displs.end());
    CallArguments wide{side(sent, wide_counts, wide_displs), side(received, wide_counts, wide_displs)};
    const int type = draw(3);
    for (CallArguments *arguments : {&narrow, &wide}) {
      arguments->send.types = arguments->receive.types = &types[type];
      if (round % 3 == 0) arguments->send.displs = arguments->receive.displs = nullptr;
    }
    if (peers.neighbors == nullptr && draw(2) == 0) {
      const int own = round % 3 == 0 ? 0 : peers.rank;
      for (CallArguments *arguments : {&narrow, &wide}) {
        arguments->gathers = true;
        arguments->send.displs = nullptr;
      }
      narrow.send.counts = &some_counts[own];
      wide.send.counts = &wide_counts[own];
    }

    reader.read(narrow, peers, read);
    expect_same(read, read_messages(wide, peers));
    if (draw(4) == 0) reader.read(wide, peers, read);
    some_counts.front() = some_counts.back() = -1;
    if (draw(4) == 0) {
      EXPECT_EQ(fault_in([&] { reader.read(narrow, peers, read); }), Fault::count);
    }
  }
  MPI_Type_free(&several);
  MPI_Type_free(&shifted);
}

}  // namespace
}  // namespace rondo::internal::call
