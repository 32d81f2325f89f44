#include "wire/bind.hpp"

#include <algorithm>
#include <map>
#include <span>

#include "wire/mpi_call.hpp"
#include "wire/pieces.hpp"

namespace rondo::internal {

namespace {

// Which of a step's shared messages with a peer this is.
class Count {
 public:
  int next(int peer) { return seen_[peer]++; }

 private:
  std::map<int, int> seen_;
};

template <class Item>
Range since(std::size_t first, const std::vector<Item> &items) {
  return {static_cast<std::uint32_t>(first), static_cast<std::uint32_t>(items.size() - first)};
}

class Binding {
 public:
  Binding(const Schedule &schedule, const BoundSpaces &spaces, const Channel &channel, const SharedWire *shared,
          int half)
      : schedule_(schedule), spaces_(spaces), channel_(channel), shared_(shared), half_(half) {}

  BoundSchedule bind() {
    copy_all(schedule_.prologue);
    for (std::size_t index = 0; index < schedule_.steps.size(); ++index) {
      const Step &step = schedule_.steps[index];
      if (step.sends + step.receives > 0) bind_step(step, static_cast<int>(index));
    }
    if (bound_.steps.empty()) bind_step({}, 0);  // one rank, or nothing to send: the copies remain
    copy_all(schedule_.epilogue);
    close(bound_.steps.back().after);
    return std::move(bound_);
  }

 private:
  void bind_step(const Step &step, int index) {
    if (!bound_.steps.empty()) close(bound_.steps.back().after);
    const bool first = bound_.steps.empty();
    BoundStep &bound = bound_.steps.emplace_back();
    if (step.sends + step.receives > 0) ++bound_.steps_with_messages;
    bind_requests(step, bound);
    bind_shared(step, index, bound);
    close(bound.before);
    if (first) copy_meanwhile();
    close(bound.meanwhile);
    unload(step, index);
  }

  void bind_requests(const Step &step, BoundStep &bound) {
    const std::size_t first = bound_.requests.size();
    if (bound_.steps.size() == 1) bound_.requests_need_no_copies = sends_from_send_space(step);
    for (const Transfer &receive : schedule_.receives_of(step)) {
      if (!receive.shared()) bind_receive(receive);
    }
    bound.receives = since(first, bound_.requests).count;
    for (const Transfer &send : schedule_.sends_of(step)) {
      if (send.staged()) gather(send);
      if (!send.shared()) bind_send(send);
    }
    bound.requests = since(first, bound_.requests);
  }

  // Whether all messages of the first step that are not shared lie there, and no copy comes before it.
  [[nodiscard]] bool sends_from_send_space(const Step &step) const {
    const auto sends = schedule_.sends_of(step);
    return schedule_.prologue.empty() && std::all_of(sends.begin(), sends.end(), [this](const Transfer &send) {
             const auto slices = schedule_.slices_of(send);
             return send.shared() ||
                    (!send.staged() && std::all_of(slices.begin(), slices.end(),
                                                   [](const Slice &slice) { return slice.space == Space::send; }));
           });
  }

  void bind_shared(const Step &step, int index, BoundStep &bound) {
    if (shared_ == nullptr) return;
    const std::size_t signals = bound_.signals.size();
    const std::size_t flags = bound_.flags.size();
    const std::size_t pulls = bound_.pulls.size();
    const std::size_t acknowledgements = bound_.acknowledgements.size();
    Count sent;
    for (const Transfer &send : schedule_.sends_of(step)) {
      if (send.shared()) shared_->bind_send(index, send, sent.next(send.peer), runs_of(send), half_, bound_, closed_);
    }
    Count received;
    for (const Transfer &receive : schedule_.receives_of(step)) {
      if (!receive.shared()) continue;
      shared_->bind_arrival(index, receive, received.next(receive.peer), runs_of(receive), half_, bound_);
    }
    bound.signals = since(signals, bound_.signals);
    bound.flags = since(flags, bound_.flags);
    bound.pulls = since(pulls, bound_.pulls);
    bound.acknowledgements = since(acknowledgements, bound_.acknowledgements);
    bound.gathering = shared_->bind_gathering(index, half_, bound_);
  }

  void unload(const Step &step, int index) {
    Count received;
    for (const Transfer &receive : schedule_.receives_of(step)) {
      if (receive.staged()) scatter(receive);
      if (!receive.shared()) continue;
      shared_->bind_unloading(index, receive, received.next(receive.peer), runs_of(receive), half_, bound_);
    }
  }

  [[nodiscard]] std::vector<Run> runs_of(const Transfer &transfer) const {
    std::vector<Run> runs;
    for (const Slice &slice : schedule_.slices_of(transfer)) {
      runs.push_back({address(slice.space, slice.offset), slice.length, slice.space == Space::scratch});
    }
    return runs;
  }

  // All copies added since the last close become this range.
  void close(Range &range) {
    range = {static_cast<std::uint32_t>(closed_), static_cast<std::uint32_t>(bound_.copies.size() - closed_)};
    closed_ = bound_.copies.size();
  }

  [[nodiscard]] std::byte *address(Space space, std::int64_t offset) const {
    switch (space) {
      case Space::receive: return spaces_.receive + offset;
      case Space::scratch: return spaces_.scratch + offset;
      case Space::send: break;
    }
    return const_cast<std::byte *>(spaces_.send) + offset;  // read only: rule 3 of schedule.hpp
  }

  // Scratch is shared when anything is.
  [[nodiscard]] BoundCopy copy_of(const Slice &from, std::byte *to) const {
    const bool takes = shared_ != nullptr && shared_->reads_once() && from.space == Space::scratch;
    return {address(from.space, from.offset), to, static_cast<std::size_t>(from.length), takes};
  }

  [[nodiscard]] std::byte *staging(const Transfer &transfer) const { return spaces_.staging + transfer.staging; }

  [[nodiscard]] const TypedSpace *typed(Space space) const {
    switch (space) {
      case Space::send: return spaces_.typed_send;
      case Space::receive: return spaces_.typed_receive;
      case Space::scratch: break;
    }
    return nullptr;
  }

  void resolve(const Slice &slice, std::vector<TypedPiece> &pieces) const {
    if (const TypedSpace *space = typed(slice.space)) return space->resolve(slice, pieces);
    pieces.push_back({address(slice.space, slice.offset), slice.length, MPI_BYTE});
  }

  // What MPI is to send or receive.
  TypedMessage message(const Transfer &transfer) {
    std::vector<TypedPiece> pieces;
    if (transfer.staged()) {
      pieces.push_back({staging(transfer), transfer.bytes, MPI_BYTE});
    } else {
      for (const Slice &slice : schedule_.slices_of(transfer)) resolve(slice, pieces);
    }
    return describe(pieces, bound_.types);
  }
  TypedMessage message(const Slice &slice) {
    std::vector<TypedPiece> pieces;
    resolve(slice, pieces);
    return describe(pieces, bound_.types);
  }

  void copy_meanwhile() {
    for (const Copy &copy : schedule_.meanwhile) {
      if (typed(copy.from.space) != nullptr || typed(copy.to.space) != nullptr) {
        bound_.typed_copies.push_back({message(copy.from), message(copy.target())});
      } else {
        copy_all({&copy, 1});
      }
    }
  }

  void copy_all(std::span<const Copy> copies) {
    for (const Copy &copy : copies) bound_.copies.push_back(copy_of(copy.from, address(copy.to.space, copy.to.offset)));
  }

  void gather(const Transfer &send) {
    std::byte *to = staging(send);
    for (const Slice &slice : schedule_.slices_of(send)) {
      bound_.copies.push_back(copy_of(slice, to));
      to += slice.length;
    }
  }

  void scatter(const Transfer &receive) {
    const std::byte *from = staging(receive);
    for (const Slice &slice : schedule_.slices_of(receive)) {
      bound_.copies.push_back({from, address(slice.space, slice.offset), static_cast<std::size_t>(slice.length)});
      from += slice.length;
    }
  }

  void bind_receive(const Transfer &receive) {
    const TypedMessage given = message(receive);
    bound_.peers_of_requests.push_back(receive.peer);
    check_mpi(MPI_Recv_init(given.buffer, given.count, given.type, receive.peer, channel_.tag, channel_.comm(),
                            &bound_.requests.emplace_back(MPI_REQUEST_NULL)),
              "MPI_Recv_init");
  }

  void bind_send(const Transfer &send) {
    const TypedMessage given = message(send);
    bound_.peers_of_requests.push_back(send.peer);
    check_mpi(MPI_Send_init(given.buffer, given.count, given.type, send.peer, channel_.tag, channel_.comm(),
                            &bound_.requests.emplace_back(MPI_REQUEST_NULL)),
              "MPI_Send_init");
  }

  const Schedule &schedule_;
  const BoundSpaces &spaces_;
  const Channel &channel_;
  const SharedWire *shared_;
  int half_;
  BoundSchedule bound_;
  std::size_t closed_ = 0;
};

}  // namespace

BoundSchedule::~BoundSchedule() {
  if (!mpi_is_up()) return;
  for (MPI_Request &request : requests) {
    if (request != MPI_REQUEST_NULL) MPI_Request_free(&request);
  }
  for (MPI_Datatype &type : types) {
    if (type != MPI_DATATYPE_NULL) MPI_Type_free(&type);
  }
}

BoundSchedule bind(const Schedule &schedule, const BoundSpaces &spaces, const Channel &channel,
                   const SharedWire *shared, int half) {
  return Binding(schedule, spaces, channel, shared, half).bind();
}

}  // namespace rondo::internal
