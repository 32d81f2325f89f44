#include "wire/bind.hpp"

#include <utility>

namespace rondo::internal {

namespace {

std::vector<std::size_t> steps_with_messages(const Schedule &schedule) {
  std::vector<std::size_t> steps;
  for (std::size_t i = 0; i < schedule.steps.size(); ++i) {
    if (schedule.steps[i].sends + schedule.steps[i].receives > 0) steps.push_back(i);
  }
  return steps;
}

// The schedule's own copies.
class Copying {
 public:
  Copying(const Binding &binding, BoundSchedule &bound)
      : schedule_(binding.schedule), spaces_(binding.spaces), bound_(bound) {}

  void bind(std::span<const std::size_t> steps) {
    const Step nothing;  // where there is one rank, or nothing to send: the copies remain
    copy_all(schedule_.prologue);
    for (std::size_t i = 0; i == 0 || i < steps.size(); ++i) {
      const Step &step = steps.empty() ? nothing : schedule_.steps[steps[i]];
      for (const Transfer &send : schedule_.sends_of(step)) stage(send);
      bound_.steps.push_back({close(), {}});
      if (i == 0) copy_meanwhile();
      for (const Transfer &receive : schedule_.receives_of(step)) unstage(receive);
      bound_.steps.back().after = close();
    }
    copy_all(schedule_.epilogue);
    bound_.steps.back().after.count += close().count;
  }

 private:
  // All copies added since the last close.
  Range close() {
    const Range range = since(closed_, bound_.copies);
    closed_ = bound_.copies.size();
    return range;
  }

  void copy_all(std::span<const Copy> copies) {
    for (const Copy &copy : copies) {
      to_.clear();
      spaces_.resolve(copy.target(), to_);
      from_.clear();
      spaces_.resolve(copy.from, from_);
      copy_runs();
    }
  }

  void copy_meanwhile() {
    for (const Copy &copy : schedule_.meanwhile) {
      if (spaces_.typed(copy.from.space) != nullptr || spaces_.typed(copy.to.space) != nullptr) {
        bound_.typed_meanwhile.add(copy, spaces_);
      } else {
        copy_all({&copy, 1});
      }
    }
    bound_.meanwhile = close();
  }

  void stage(const Transfer &send) {
    if (!send.staged()) return;
    spaces_.resolve(schedule_, send, to_);
    from_.clear();
    for (const Slice &slice : schedule_.slices_of(send)) spaces_.resolve(slice, from_);
    copy_runs();
  }

  void unstage(const Transfer &receive) {
    if (!receive.staged()) return;
    spaces_.resolve(schedule_, receive, from_);
    to_.clear();
    for (const Slice &slice : schedule_.slices_of(receive)) spaces_.resolve(slice, to_);
    copy_runs();
  }

  // From the one list of runs to the other.
  void copy_runs() {
    for_each_stretch(std::span<const Run>(to_), std::span<const Run>(from_),
                     [&](const Run &to, std::int64_t done, const Run &from, std::int64_t used, std::int64_t bytes) {
                       bound_.copies.push_back({from.address + used, to.address + done, static_cast<std::size_t>(bytes),
                                                spaces_.takes_from(from), from.home, to.home});
                     });
  }

  const Schedule &schedule_;
  const BoundSpaces &spaces_;
  BoundSchedule &bound_;
  std::size_t closed_ = 0;
  std::vector<Run> from_;
  std::vector<Run> to_;
};

}  // namespace

BoundSchedule bind(const Schedule &schedule, const BoundSpaces &spaces, const Channel &channel,
                   const SharedRegion *shared, int bank, NativeCall *native) {
  const Binding binding{schedule, spaces, channel, steps_with_messages(schedule), shared, bank, native};
  BoundSchedule bound{.wires = Wires(binding)};
  Copying(binding, bound).bind(binding.steps);
  return bound;
}

}  // namespace rondo::internal
