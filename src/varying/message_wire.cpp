#include "varying/message_wire.hpp"

#include <algorithm>
#include <functional>

#include "wire/late_messages.hpp"
#include "wire/mpi_call.hpp"

namespace rondo::internal {

namespace {

constexpr std::int64_t most_in_one = std::int64_t{1} << 30;

}  // namespace

// A link has few transfers under way at a time.
MessageWire::MessageWire(MPI_Comm comm, int tag, int ranks) : comm_(comm), tag_(tag) {
  const std::size_t usual = 4 * static_cast<std::size_t>(ranks);
  requests_.reserve(usual);
  owners_.reserve(usual);
  completed_.reserve(usual);
}

template <class Begin>
void MessageWire::begin(std::int64_t bytes, Owner owner, Begin &&begin) {
  for (std::int64_t first = 0; first < bytes; first += most_in_one) {
    owners_.push_back(owner);
    begin(first, static_cast<int>(std::min(most_in_one, bytes - first)), &requests_.emplace_back(MPI_REQUEST_NULL));
    ++owner.pending->count;
  }
}

void MessageWire::send(const std::byte *data, std::int64_t bytes, int peer, Pending &pending) {
  begin(bytes, {&pending, true}, [&](std::int64_t first, int count, MPI_Request *request) {
    check_mpi(MPI_Isend(data + first, count, MPI_BYTE, peer, tag_, comm_, request), "MPI_Isend");
  });
}

void MessageWire::receive(std::byte *to, std::int64_t bytes, int peer, Pending &pending) {
  begin(bytes, {&pending, false}, [&](std::int64_t first, int count, MPI_Request *request) {
    check_mpi(MPI_Irecv(to + first, count, MPI_BYTE, peer, tag_, comm_, request), "MPI_Irecv");
  });
}

void MessageWire::look() {
  if (requests_.empty()) return;
  completed_.resize(requests_.size());
  int count = 0;
  check_mpi(MPI_Testsome(static_cast<int>(requests_.size()), requests_.data(), &count, completed_.data(),
                         MPI_STATUSES_IGNORE),
            "MPI_Testsome");
  if (count == MPI_UNDEFINED) return;
  completed_.resize(count);
  std::sort(completed_.begin(), completed_.end(), std::greater<>());
  for (const int index : completed_) {
    --owners_[index].pending->count;
    requests_[index] = requests_.back();
    owners_[index] = owners_.back();
    requests_.pop_back();
    owners_.pop_back();
  }
}

Unfinished MessageWire::withdraw() {
  int finalized = 0;
  MPI_Finalized(&finalized);
  Unfinished left;
  if (finalized == 0) {
    const ErrorsReturned returned;
    for (std::size_t i = 0; i < requests_.size(); ++i) {
      if (!owners_[i].sends) cancel_pending({&requests_[i], 1});
    }
    complete_in_time(requests_);
  }
  for (std::size_t i = 0; i < requests_.size(); ++i) {
    if (finalized == 0 && count_pending({&requests_[i], 1}) == 0) continue;
    (owners_[i].sends ? left.sent : left.received) += 1;
  }
  return left;
}

}  // namespace rondo::internal
