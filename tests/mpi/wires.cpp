// Which wire carries what, when it is left to Rondo and when it is asked for.

#include <sys/resource.h>

#include <algorithm>
#include <array>
#include <optional>

#include "tests/mpi/comparison.hpp"
#include "tests/mpi/each_for_itself.hpp"

namespace rondo {
namespace {

int of_64_bytes(int, int) {
  return 16;
}
int of_4_kibibytes(int, int) {
  return 1024;
}
int of_a_mebibyte(int, int) {
  return 1 << 18;
}
// From each rank: so little that it is not taken out of the sender's memory, which needs no room.
int of_a_mebibyte_in_all(int, int) {
  return (1 << 18) / std::max(1, world_ranks() - 1);
}

// As by ulimit -f: a process that makes a file longer is ended by a signal.
class ShortFilesOnly {
 public:
  ShortFilesOnly() {
    getrlimit(RLIMIT_FSIZE, &before_);
    const rlimit limit{1 << 16, before_.rlim_max};
    setrlimit(RLIMIT_FSIZE, &limit);
  }
  ~ShortFilesOnly() { setrlimit(RLIMIT_FSIZE, &before_); }
  ShortFilesOnly(const ShortFilesOnly &) = delete;
  ShortFilesOnly &operator=(const ShortFilesOnly &) = delete;

 private:
  rlimit before_{};
};

// What carries the messages of an exchange that is made and found to be right.
std::string wire(Comparison comparison, const Hints &hints) {
  Request plan = comparison.plan(hints);
  comparison.expect_restarts(plan);
  return plan.report().wire;
}

// Every rank on a node of its own.
Hints far_apart(const char *algorithm) {
  return {{"rondo_algorithm", algorithm}, {"rondo_node_size", "1"}};
}

TEST(Wires, SharedMemoryInsideANode) {
  EXPECT_EQ(wire(Comparison::of(of_64_bytes), by("tuna")), "shared");
}

TEST(Wires, MessagesWhereFilesMayNotBeLong) {
  MPI_Comm comm = MPI_COMM_NULL;
  MPI_Comm_dup(MPI_COMM_WORLD, &comm);
  {
    Comparison comparison{sends(of_a_mebibyte), receives(of_a_mebibyte), comm};
    std::optional<ShortFilesOnly> limited(std::in_place);

    Request plan = comparison.plan(by("tuna"));
    limited.reset();

    comparison.expect_restarts(plan);
    EXPECT_STRNE(plan.report().wire, "shared");
  }
  MPI_Comm_free(&comm);
}

TEST(Wires, RefusedWhereFilesMayNoLongerBeLong) {
  if (world_ranks() == 1) GTEST_SKIP() << "there is nobody to share memory with";
  EXPECT_EQ(wire(Comparison::of(of_64_bytes), by("tuna")), "shared");
  Comparison comparison = Comparison::of(of_a_mebibyte_in_all);
  RONDO_Request request = RONDO_REQUEST_NULL;
  std::optional<ShortFilesOnly> limited(std::in_place);

  const int code = comparison.init(&request, by("tuna"));
  limited.reset();

  EXPECT_EQ(code, RONDO_ERR_NO_MEMORY);
}

TEST(Wires, AsAskedFor) {
  EXPECT_EQ(wire(Comparison::of(of_4_kibibytes), by({"tuna", "packed"})), "packed");
  EXPECT_EQ(wire(Comparison::of(of_64_bytes), by({"tuna", "datatype"})), "datatype");
}

TEST(Wires, TheLibrarysOwnCall) {
  EXPECT_EQ(wire(Comparison::of(of_64_bytes), by("native")), "native");
}

TEST(Wires, TheLibrarysOwnCallMadeWhereARequestToNobodyLay) {
  MPI_Request nobody = MPI_REQUEST_NULL;
  MPI_Send_init(nullptr, 0, MPI_BYTE, MPI_PROC_NULL, 0, MPI_COMM_WORLD, &nobody);
  MPI_Request_free(&nobody);

  EXPECT_EQ(wire(Comparison::of(of_64_bytes), by("native")), "native");
}

TEST(Wires, MessagesOfShortPiecesArePacked) {
  EXPECT_EQ(wire(Comparison::of(of_64_bytes), far_apart("tuna")), "packed");
}

TEST(Wires, MessagesOfLongPiecesAreDatatypes) {
  EXPECT_EQ(wire(Comparison::of(of_4_kibibytes), far_apart("tuna")), "datatype");
}

TEST(Wires, DirectMessagesAreOnePiece) {
  EXPECT_EQ(wire(Comparison::of(of_4_kibibytes), far_apart("linear")), "packed");
}

TEST(Wires, BothInOneExchange) {
  if (world_ranks() < 3) GTEST_SKIP() << "needs two nodes, and two ranks on one of them";
  const std::string each_message_one_block = std::to_string(world_ranks());
  const Hints hints{{"rondo_algorithm", "tuna"},
                    {"rondo_radix", each_message_one_block},
                    {"rondo_node_size", std::to_string(world_ranks() - 1)}};

  const std::string used = wire(Comparison::of(of_4_kibibytes), hints);

  EXPECT_EQ(used, world_rank() == world_ranks() - 1 ? "datatype" : "shared+packed");
}

// Each message is of two blocks. Ranks 1 and 2 hear from rank 3, ranks 0 and 1 send to it.
TEST(Wires, LongPiecesFromAnotherNodeAreReceivedByADatatype) {
  if (world_ranks() != 4) GTEST_SKIP() << "tells who hears from whom among 4 ranks";
  const Hints hints{{"rondo_algorithm", "tuna"}, {"rondo_radix", "2"}, {"rondo_node_size", "3"}};

  const std::string used = wire(Comparison::of(of_4_kibibytes), hints);

  const std::array expected{"shared+packed", "shared+packed+datatype", "shared+datatype", "datatype"};
  EXPECT_EQ(used, expected[static_cast<std::size_t>(world_rank())]);
}

class Columns : public testing::Test {
 protected:
  // One element: two runs of so many ints.
  explicit Columns(int run = 256) {
    MPI_Type_vector(2, run, 2 * run, MPI_INT, &type_);
    MPI_Type_commit(&type_);
  }
  ~Columns() override { MPI_Type_free(&type_); }

  std::string wire_of(CountRule rule) {
    return wire({sends(rule, {}, type_), receives(rule, {}, type_)}, far_apart("linear"));
  }

 private:
  MPI_Datatype type_ = MPI_DATATYPE_NULL;
};

TEST_F(Columns, OfLongRunsAreDatatypes) {
  EXPECT_EQ(wire_of([](int, int) { return 16; }), "datatype");  // 32 KiB
}

TEST_F(Columns, OfShortBlocksArePacked) {
  EXPECT_EQ(wire_of([](int, int) { return 2; }), "packed");  // 4 KiB
}

class NarrowColumns : public Columns {
 protected:
  NarrowColumns() : Columns(2) {}
};

TEST_F(NarrowColumns, ArePacked) {
  EXPECT_EQ(wire_of([](int, int) { return 4096; }), "packed");  // 64 KiB
}

}  // namespace
}  // namespace rondo
