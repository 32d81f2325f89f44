#include "wire/learn.hpp"

#include <span>
#include <utility>

#include "wire/mpi_call.hpp"

namespace rondo::internal {

SizeLearner::SizeLearner(const Route &route, const ForwardingTable &forwarding, const Exchange &exchange)
    : route_(route),
      forwarding_(forwarding),
      exchange_(exchange),
      sizes_(known_sizes(route, exchange)),
      out_(route.sends.blocks().size()),
      in_(route.receives.blocks().size()) {
  requests_.reserve(route.sends.messages().size() + route.receives.messages().size());
}

Sizes SizeLearner::run(const Channel &channel) {
  for (int step = 0; step < route_.steps(); ++step) run_step(step, channel);
  check_sizes(route_, exchange_, sizes_);
  return std::move(sizes_);
}

void SizeLearner::run_step(int step, const Channel &channel) {
  forward_sizes(route_, forwarding_, step, sizes_);
  requests_.clear();
  for (const Message &message : route_.receives.messages(step)) {
    check_mpi(MPI_Irecv(&in_[message.first], static_cast<int>(message.count), MPI_INT64_T, message.peer, channel.tag,
                        channel.comm(), &requests_.emplace_back()),
              "MPI_Irecv");
  }
  for (const Message &message : route_.sends.messages(step)) {
    announce(message, sizes_, std::span(out_).subspan(message.first, message.count));
    check_mpi(MPI_Isend(&out_[message.first], static_cast<int>(message.count), MPI_INT64_T, message.peer, channel.tag,
                        channel.comm(), &requests_.emplace_back()),
              "MPI_Isend");
  }
  check_mpi(MPI_Waitall(static_cast<int>(requests_.size()), requests_.data(), MPI_STATUSES_IGNORE), "MPI_Waitall");
  for (const Message &message : route_.receives.messages(step)) {
    take_announced(message, std::span(in_).subspan(message.first, message.count), sizes_);
  }
}

}  // namespace rondo::internal
