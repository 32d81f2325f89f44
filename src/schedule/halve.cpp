#include "schedule/halve.hpp"

#include <algorithm>
#include <utility>
#include <vector>

namespace rondo::internal {

namespace {

class Halver {
 public:
  Halver(Schedule &schedule, const Halving &halving) : schedule_(schedule), halving_(halving) {}

  // The transfers of one direction; `first` and `count` are where each step has them.
  void run(std::vector<Transfer> &transfers, std::size_t Step::*first, std::size_t Step::*count) {
    if (std::ranges::none_of(transfers, [&](const Transfer &transfer) { return halves(transfer); })) return;
    std::vector<Transfer> result;
    result.reserve(transfers.size());
    for (Step &step : schedule_.steps) {
      const auto of_step = std::span(std::as_const(transfers)).subspan(step.*first, step.*count);
      step.*first = result.size();
      for (const Transfer &transfer : of_step) add(transfer, result);
      step.*count = result.size() - step.*first;
    }
    transfers = std::move(result);
  }

 private:
  [[nodiscard]] bool halves(const Transfer &transfer) const {
    return !transfer.shared() && halving_.halves(schedule_.rank, transfer.peer, transfer.bytes);
  }

  void add(const Transfer &transfer, std::vector<Transfer> &to) {
    if (!halves(transfer)) {
      to.push_back(transfer);
      return;
    }
    const std::int64_t middle = (transfer.bytes + 1) / 2;
    to.push_back(part_of(transfer, 0, middle));
    to.push_back(part_of(transfer, middle, transfer.bytes));
  }

  // Its bytes from `begin` to `end`. Its slices are added behind all others.
  Transfer part_of(const Transfer &transfer, std::int64_t begin, std::int64_t end) {
    Transfer part = transfer;
    part.first = schedule_.slices.size();
    part.bytes = end - begin;
    std::int64_t at = 0;  // of the message
    for (std::size_t i = transfer.first; i < transfer.first + transfer.count; ++i) {
      const Slice slice = schedule_.slices[i];
      const std::int64_t from = std::max(begin, at);
      const std::int64_t to = std::min(end, at + slice.length);
      if (from < to) schedule_.slices.push_back({slice.offset + from - at, to - from, slice.space});
      at += slice.length;
    }
    part.count = static_cast<std::uint32_t>(schedule_.slices.size() - part.first);
    return part;
  }

  Schedule &schedule_;
  const Halving &halving_;
};

}  // namespace

void halve_long_messages(Schedule &schedule, const Halving &halving) {
  if (halving.node_of.empty()) return;
  Halver halver(schedule, halving);
  halver.run(schedule.sends, &Step::first_send, &Step::sends);
  halver.run(schedule.receives, &Step::first_receive, &Step::receives);
}

}  // namespace rondo::internal
