// A program that has sessions only, and so neither MPI_COMM_WORLD nor MPI_COMM_SELF. Not a GoogleTest program, as the
// session of those has a world.

#include <mpi.h>
#include <rondo/rondo.h>

#include <array>
#include <cstdio>
#include <cstring>
#include <string>
#include <vector>

namespace {

int rank = 0;
int ranks = 0;
int wrong = 0;
MPI_Comm comm = MPI_COMM_NULL;

void expect(bool holds, const std::string &what) {
  if (holds) return;
  ++wrong;
  std::printf("rank %d: %s\n", rank, what.c_str());
}

void expect_code(int code, int expected, const std::string &what) {
  std::array<char, RONDO_MAX_ERROR_STRING> text{};
  int length = 0;
  RONDO_Error_string(code, text.data(), &length);
  expect(code == expected,
         what + ": code " + std::to_string(code) + ", not " + std::to_string(expected) + ": " + text.data());
}

class Info {
 public:
  Info(const char *key, const char *value) { add(key, value); }
  ~Info() { MPI_Info_free(&info_); }
  Info(const Info &) = delete;
  Info &operator=(const Info &) = delete;

  void add(const char *key, const char *value) {
    if (info_ == MPI_INFO_NULL) MPI_Info_create(&info_);
    MPI_Info_set(info_, key, value);
  }
  [[nodiscard]] MPI_Info get() const { return info_; }

 private:
  MPI_Info info_ = MPI_INFO_NULL;
};

// Two integers for each rank, of a type with a gap between them.
void exchange(const std::string &algorithm, const char *wire) {
  const std::string what = algorithm + " " + wire;
  MPI_Datatype pair = MPI_DATATYPE_NULL;
  MPI_Type_vector(2, 1, 2, MPI_INT, &pair);
  MPI_Type_commit(&pair);
  const auto elements = static_cast<std::size_t>(3 * ranks);
  std::vector<int> sent(elements);
  std::vector<int> received(elements, -1);
  Info info("rondo_algorithm", algorithm.c_str());
  info.add("rondo_wire", wire);
  RONDO_Request request = RONDO_REQUEST_NULL;
  expect_code(RONDO_Alltoall_init(sent.data(), 1, pair, received.data(), 1, pair, comm, info.get(), &request),
              MPI_SUCCESS, what);
  MPI_Type_free(&pair);
  for (int start = 0; start < 3 && request != RONDO_REQUEST_NULL; ++start) {
    for (std::size_t i = 0; i < elements; ++i) sent[i] = 1000 * start + 100 * rank + static_cast<int>(i);
    expect_code(RONDO_Start(&request), MPI_SUCCESS, what + " start");
    expect_code(RONDO_Wait(&request, MPI_STATUS_IGNORE), MPI_SUCCESS, what + " wait");
    for (int peer = 0; peer < ranks; ++peer) {
      for (const int i : {0, 2}) {
        const int expected = 1000 * start + 100 * peer + 3 * rank + i;
        const int found = received[static_cast<std::size_t>(3 * peer + i)];
        expect(found == expected, what + ": " + std::to_string(found) + ", not " + std::to_string(expected));
      }
    }
  }
  if (request != RONDO_REQUEST_NULL) expect_code(RONDO_Request_free(&request), MPI_SUCCESS, what + " free");
}

void exchange_with_neighbors() {
  const int periodic = 1;
  MPI_Comm ring = MPI_COMM_NULL;
  MPI_Cart_create(comm, 1, &ranks, &periodic, 0, &ring);
  const int counts[] = {1, 1};
  const int displacements[] = {0, 1};
  const int sent[] = {10 * rank, 10 * rank + 1};
  int received[] = {-1, -1};
  RONDO_Request request = RONDO_REQUEST_NULL;
  expect_code(RONDO_Neighbor_alltoallv_init(sent, counts, displacements, MPI_INT, received, counts, displacements,
                                            MPI_INT, ring, MPI_INFO_NULL, &request),
              MPI_SUCCESS, "neighbors");
  RONDO_Start(&request);
  RONDO_Wait(&request, MPI_STATUS_IGNORE);
  expect(received[0] == 10 * ((rank + ranks - 1) % ranks) + 1 && received[1] == 10 * ((rank + 1) % ranks),
         "neighbors: what was received");
  MPI_Comm_free(&ring);
  RONDO_Request_free(&request);
}

void gather() {
  std::vector<int> received(static_cast<std::size_t>(ranks), -1);
  RONDO_Request request = RONDO_REQUEST_NULL;
  expect_code(RONDO_Allgather_init(&rank, 1, MPI_INT, received.data(), 1, MPI_INT, comm, MPI_INFO_NULL, &request),
              MPI_SUCCESS, "allgather");
  RONDO_Start(&request);
  RONDO_Wait(&request, MPI_STATUS_IGNORE);
  for (int peer = 0; peer < ranks; ++peer) expect(received[static_cast<std::size_t>(peer)] == peer, "allgather");
  RONDO_Request_free(&request);
}

void make_types() {
  MPI_Datatype type = MPI_DATATYPE_NULL;
  expect_code(RONDO_Type_create_bounded_vector(5, 1, 2, MPI_INT, &type), MPI_SUCCESS, "a bounded vector");
  int size = 0;
  MPI_Type_size(type, &size);
  expect(size == 12, "the size of a bounded vector");
  MPI_Type_free(&type);
}

int alltoall(int count, MPI_Datatype type, MPI_Comm on, MPI_Info info) {
  std::vector<int> sent(static_cast<std::size_t>(4 * ranks));
  std::vector<int> received(sent.size());
  RONDO_Request request = RONDO_REQUEST_NULL;
  const int code = RONDO_Alltoall_init(sent.data(), count, type, received.data(), count, type, on, info, &request);
  expect((code == MPI_SUCCESS) == (request != RONDO_REQUEST_NULL), "the request of a refused init");
  if (request != RONDO_REQUEST_NULL) RONDO_Request_free(&request);
  return code;
}

// Errors are returned, on all ranks.
void refuse() {
  expect_code(alltoall(rank == 0 ? -1 : 1, MPI_INT, comm, MPI_INFO_NULL), RONDO_ERR_COUNT, "a negative count");
  expect_code(alltoall(1, MPI_INT, comm, Info("rondo_radix", "x").get()), RONDO_ERR_HINT, "a faulty hint");
  expect_code(alltoall(1, MPI_INT, comm, Info("rondo_progress", "thread").get()), RONDO_ERR_HINT, "a progress thread");
  MPI_Datatype uncommitted = MPI_DATATYPE_NULL;
  MPI_Type_contiguous(2, MPI_INT, &uncommitted);
  expect_code(alltoall(1, uncommitted, comm, MPI_INFO_NULL), RONDO_ERR_TYPE, "an uncommitted datatype");
  MPI_Type_free(&uncommitted);
  for (MPI_Comm none : {MPI_COMM_WORLD, MPI_COMM_SELF, MPI_COMM_NULL}) {
    int size = 0;
    expect_code(alltoall(1, MPI_INT, none, MPI_INFO_NULL), RONDO_ERR_COMM, "a communicator of no session");
    expect_code(RONDO_Comm_size(none, &size), RONDO_ERR_COMM, "the size of a communicator of no session");
  }
  int size = 0;
  expect_code(RONDO_Comm_size(comm, &size), MPI_SUCCESS, "a size");
  expect(size == ranks, "the size");
}

}  // namespace

int main() {
  MPI_Session session = MPI_SESSION_NULL;
  MPI_Group group = MPI_GROUP_NULL;
  MPI_Session_init(MPI_INFO_NULL, MPI_ERRORS_ARE_FATAL, &session);
  MPI_Group_from_session_pset(session, "mpi://WORLD", &group);
  MPI_Comm_create_from_group(group, "rondo", MPI_INFO_NULL, MPI_ERRORS_ARE_FATAL, &comm);
  MPI_Comm_rank(comm, &rank);
  MPI_Comm_size(comm, &ranks);

  make_types();
  for (const char *algorithm : {"linear", "tuna", "native"}) {
    for (const char *wire : {"shared", "packed", "datatype"}) exchange(algorithm, wire);
  }
  exchange_with_neighbors();
  gather();
  refuse();

  int all = 0;
  MPI_Reduce(&wrong, &all, 1, MPI_INT, MPI_SUM, 0, comm);
  if (rank == 0) std::printf("sessions only: %d wrong\n", all);
  MPI_Comm_free(&comm);
  MPI_Group_free(&group);
  MPI_Session_finalize(&session);
  return wrong;
}
