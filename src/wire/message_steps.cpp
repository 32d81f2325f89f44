#include "wire/message_steps.hpp"

#include <algorithm>

#include "wire/late_messages.hpp"
#include "wire/mpi_call.hpp"

namespace rondo::internal {

namespace {

#if defined(OPEN_MPI)
constexpr bool sends_are_persistent = false;
#else
constexpr bool sends_are_persistent = true;
#endif

bool carries(const Transfer &transfer) {
  return transfer.wire == Wire::packed || transfer.wire == Wire::datatype;
}

// Whether all that MPI sends in the step lies in the send space, and no copy comes before it.
bool sends_from_send_space(const Schedule &schedule, const Step &step) {
  const auto lies_there = [](const Slice &slice) { return slice.space == Space::send; };
  const auto sends = schedule.sends_of(step);
  return schedule.prologue.empty() && std::all_of(sends.begin(), sends.end(), [&](const Transfer &send) {
           const auto slices = schedule.slices_of(send);
           return !carries(send) || (!send.staged() && std::all_of(slices.begin(), slices.end(), lies_there));
         });
}

}  // namespace

MessageSteps::MessageSteps(const Binding &binding) : tag_(binding.channel.tag) {
  const Schedule &schedule = binding.schedule;
  for (const std::size_t index : binding.steps) bind_step(binding, schedule.steps[index]);
  starts_early_ = !binding.steps.empty() && sends_from_send_space(schedule, schedule.steps[binding.steps.front()]);
}

void MessageSteps::bind_step(const Binding &binding, const Step &step) {
  const std::size_t first = requests_.list().size();
  for (const Transfer &receive : binding.schedule.receives_of(step)) {
    if (carries(receive)) bind_transfer(binding, receive, true);
  }
  const Range receives = since(first, requests_.list());
  for (const Transfer &send : binding.schedule.sends_of(step)) {
    if (carries(send)) bind_transfer(binding, send, false);
  }
  steps_.push_back({since(first, requests_.list()), receives.count});
}

void MessageSteps::bind_transfer(const Binding &binding, const Transfer &transfer, bool receive) {
  const Channel &channel = binding.channel;
  const TypedMessage given =
      describe(binding.spaces.pieces_of(binding.schedule, transfer), types_.list(), binding.spaces.entries);
  peers_.push_back(transfer.peer);
  messages_.push_back(given);
  comm_ = channel.comm();
  MPI_Request *const request = &requests_.list().emplace_back(MPI_REQUEST_NULL);
  if (receive) {
    check_mpi(MPI_Recv_init(given.buffer, given.count, given.type, transfer.peer, channel.tag, channel.comm(), request),
              "MPI_Recv_init");
  } else if (sends_are_persistent) {
    check_mpi(MPI_Send_init(given.buffer, given.count, given.type, transfer.peer, channel.tag, channel.comm(), request),
              "MPI_Send_init");
  }
}

std::span<MPI_Request> MessageSteps::requests_of(std::size_t step) {
  const Range range = steps_[step].requests;
  return std::span(requests_.list()).subspan(range.first, range.count);
}

void MessageSteps::start_requests(std::size_t step) {
  const std::span<MPI_Request> requests = requests_of(step);
  under_way_ = !requests.empty();
  if (!under_way_) return;
  const auto persistent = sends_are_persistent ? requests.size() : steps_[step].receives;
  if (persistent > 0) check_mpi(MPI_Startall(static_cast<int>(persistent), requests.data()), "MPI_Startall");
  for (std::size_t i = persistent; i < requests.size(); ++i) send(steps_[step].requests.first + i);
}

void MessageSteps::send(std::size_t request) {
  const TypedMessage &given = messages_[request];
  check_mpi(MPI_Isend(given.buffer, given.count, given.type, peers_[request], tag_, comm_, &requests_.list()[request]),
            "MPI_Isend");
}  // NOLINT(clang-analyzer-optin.mpi.MPI-Checker): waits come later

bool MessageSteps::arrived(std::size_t step, const Start &, bool may_call_mpi) {
  if (!under_way_) return true;
  if (!may_call_mpi) return false;
  const std::span<MPI_Request> requests = requests_of(step);
  int all = 0;
  check_mpi(MPI_Testall(static_cast<int>(requests.size()), requests.data(), &all, MPI_STATUSES_IGNORE), "MPI_Testall");
  under_way_ = all == 0;
  return !under_way_;
}

void MessageSteps::wait_in_mpi(std::size_t step) {
  const std::span<MPI_Request> requests = requests_of(step);
  check_mpi(MPI_Waitall(static_cast<int>(requests.size()), requests.data(), MPI_STATUSES_IGNORE), "MPI_Waitall");
  under_way_ = false;
}

std::uint32_t MessageSteps::arrivals(std::size_t step) const {
  const Range requests = steps_[step].requests;
  if (!under_way_) return requests.count;
  return requests.count - static_cast<std::uint32_t>(count_pending(part(requests_.list(), requests)));
}

void MessageSteps::name_missing(std::size_t step, const Start &, std::set<int> &ranks) const {
  const Range requests = steps_[step].requests;
  for (std::uint32_t i = requests.first; under_way_ && i < requests.first + requests.count; ++i) {
    if (is_pending(requests_.list()[i])) ranks.insert(peers_[i]);
  }
}

Unfinished MessageSteps::withdraw(std::size_t step) {
  if (!under_way_ || !mpi_is_up()) return {};
  const ErrorsReturned returned;
  const std::span<MPI_Request> requests = requests_of(step);
  const std::span<MPI_Request> receives = requests.first(steps_[step].receives);
  cancel_pending(receives);
  if (complete_in_time(requests)) return {};
  return {count_pending(receives), count_pending(requests.subspan(receives.size()))};
}

}  // namespace rondo::internal
