#include "wire/learn.hpp"

#include <vector>

#include "wire/mpi_call.hpp"

namespace rondo {

namespace {

// The announcements of one step, both directions, each message at the place of its first entry.
class StepNumbers {
 public:
  StepNumbers(const Route &route, const Channel &channel)
      : route_(route), channel_(channel), out_(route.sends.blocks().size()), in_(route.receives.blocks().size()) {}

  void exchange(int step, Sizes &sizes) {
    requests_.clear();
    for (const Message &message : route_.receives.messages(step)) {
      check_mpi(MPI_Irecv(&in_[message.first], static_cast<int>(message.count), MPI_INT64_T, message.peer, channel_.tag,
                          channel_.comm(), &requests_.emplace_back()),
                "MPI_Irecv");
    }
    for (const Message &message : route_.sends.messages(step)) {
      announce(message, sizes, std::span(out_).subspan(message.first, message.count));
      check_mpi(MPI_Isend(&out_[message.first], static_cast<int>(message.count), MPI_INT64_T, message.peer,
                          channel_.tag, channel_.comm(), &requests_.emplace_back()),
                "MPI_Isend");
    }
    check_mpi(MPI_Waitall(static_cast<int>(requests_.size()), requests_.data(), MPI_STATUSES_IGNORE), "MPI_Waitall");
    for (const Message &message : route_.receives.messages(step)) {
      learn(message, std::span(in_).subspan(message.first, message.count), sizes);
    }
  }

 private:
  const Route &route_;
  const Channel &channel_;
  std::vector<std::int64_t> out_;
  std::vector<std::int64_t> in_;
  std::vector<MPI_Request> requests_;
};

}  // namespace

Sizes learn_sizes(const Route &route, const Custody &custody, const Exchange &exchange, const Channel &channel) {
  Sizes sizes = known_sizes(route, exchange);
  StepNumbers numbers(route, channel);
  for (int step = 0; step < route.steps(); ++step) {
    forward_sizes(route, custody, step, sizes);
    numbers.exchange(step, sizes);
  }
  check_sizes(route, exchange, sizes);
  return sizes;
}

}  // namespace rondo
