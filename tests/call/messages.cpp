// What a call moves, read from its arguments.

#include "call/messages.hpp"

#include <array>
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

}  // namespace
}  // namespace rondo::internal::call
