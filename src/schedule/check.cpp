#include "schedule/check.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <tuple>
#include <utility>
#include <vector>

#include "schedule/slice_order.hpp"

namespace rondo::internal {

namespace {

const char *name(Space space) {
  constexpr const char *names[] = {"send", "receive", "scratch"};
  return names[static_cast<int>(space)];
}

std::string describe(const Slice &slice) {
  return fmt::format("{} bytes {}..{}", name(slice.space), slice.offset, slice.end());
}

// The bytes that some extents name, as sorted runs that neither overlap nor touch.
std::vector<Extent> named_bytes(std::vector<Extent> extents) {
  std::erase_if(extents, [](const Extent &extent) { return extent.length == 0; });
  std::ranges::sort(extents, {}, &Extent::offset);
  std::vector<Extent> runs;
  for (const Extent &extent : extents) {
    if (!runs.empty() && extent.offset <= runs.back().end()) {
      runs.back().length = std::max(runs.back().end(), extent.end()) - runs.back().offset;
    } else {
      runs.push_back(extent);
    }
  }
  return runs;
}

bool within(const std::vector<Extent> &runs, const Slice &slice) {
  const auto after = std::upper_bound(runs.begin(), runs.end(), slice.offset,
                                      [](std::int64_t offset, const Extent &run) { return offset < run.offset; });
  return after != runs.begin() && std::prev(after)->end() >= slice.end();
}

// The first two that overlap; empty when none do.
std::string first_overlap(std::vector<Slice> slices) {
  std::sort(slices.begin(), slices.end(), by_place);
  for (std::size_t i = 1; i < slices.size(); ++i) {
    if (slices[i - 1].overlaps(slices[i])) return describe(slices[i - 1]) + " and " + describe(slices[i]);
  }
  return {};
}

// Rules 2 to 7 for one rank.
class RankCheck {
 public:
  RankCheck(const Schedule &schedule, const Exchange &exchange)
      : schedule_(schedule), sendable_(named_bytes(exchange.send)), receivable_(named_bytes(exchange.receive)) {}

  std::string run() {
    check_copies(schedule_.prologue, "prologue");
    check_copies(schedule_.meanwhile, "meanwhile");
    check_meanwhile();
    for (std::size_t step = 0; step < schedule_.steps.size(); ++step) check_step(step);
    for (std::size_t step = 0; step < schedule_.steps.size(); ++step) check_free(step);
    check_copies(schedule_.epilogue, "epilogue");
    if (!schedule_.rests_in_receive) fail("the whole exchange", first_overlap(written_), "writes twice to");
    return fault_;
  }

 private:
  void fail(const std::string &where, const std::string &what, const char *how) {
    if (fault_.empty() && !what.empty()) fault_ = fmt::format("rank {}, {}: {} {}", schedule_.rank, where, how, what);
  }

  void check_read(const Slice &slice, const std::string &where) {
    if (slice.length <= 0) fail(where, describe(slice), "reads the empty slice");
    if (!is_named(slice)) fail(where, describe(slice), "reads outside what is named:");
  }

  void check_write(const Slice &slice, const std::string &where) {
    if (slice.space == Space::send) return fail(where, describe(slice), "writes");
    if (slice.length <= 0) fail(where, describe(slice), "writes the empty slice");
    if (!is_named(slice)) fail(where, describe(slice), "writes outside what is named:");
    if (slice.space == Space::receive) written_.push_back(slice);
  }

  [[nodiscard]] bool is_named(const Slice &slice) const {
    switch (slice.space) {
      case Space::send: return within(sendable_, slice);
      case Space::receive: return within(receivable_, slice);
      case Space::scratch: break;
    }
    return slice.offset >= 0 && slice.end() <= schedule_.scratch_bytes;
  }

  void check_copies(const std::vector<Copy> &copies, const std::string &where) {
    for (const Copy &copy : copies) {
      check_read(copy.from, where);
      check_write(copy.target(), where);
      if (copy.from.overlaps(copy.target())) fail(where, describe(copy.from), "copies onto itself");
    }
  }

  void check_meanwhile() {
    if (schedule_.steps.empty()) return;
    const Step &first = schedule_.steps[0];
    for (const Copy &copy : schedule_.meanwhile) {
      for (const Transfer &send : schedule_.sends_of(first)) check_untouched(schedule_.slices_of(send), copy.target());
      for (const Transfer &receive : schedule_.receives_of(first)) {
        check_untouched(schedule_.slices_of(receive), copy.target());
        check_untouched(schedule_.slices_of(receive), copy.from);
      }
    }
  }

  void check_untouched(std::span<const Slice> moved, const Slice &copied) {
    for (const Slice &slice : moved) {
      if (slice.overlaps(copied)) fail("meanwhile", describe(copied), "copies what the first step moves:");
    }
  }

  void check_step(std::size_t index) {
    const std::string where = fmt::format("step {}", index);
    const Step &step = schedule_.steps[index];
    std::vector<Slice> writes;
    std::vector<Slice> in_place;  // received in place
    std::vector<Slice> shared;    // received through shared memory
    std::vector<Extent> staging;
    for (const Transfer &receive : schedule_.receives_of(step)) {
      check_transfer(receive, where, staging);
      for (const Slice &slice : schedule_.slices_of(receive)) {
        check_write(slice, where);
        writes.push_back(slice);
        if (receive.shared()) shared.push_back(slice);
        if (!receive.staged() && !receive.shared()) in_place.push_back(slice);
      }
    }
    fail(where, first_overlap(writes), "writes twice to");
    std::sort(in_place.begin(), in_place.end(), by_place);
    std::sort(shared.begin(), shared.end(), by_place);
    for (const Transfer &send : schedule_.sends_of(step)) {
      check_transfer(send, where, staging);
      for (const Slice &slice : schedule_.slices_of(send)) {
        check_read(slice, where);
        if (schedule_.steps_disjoint) check_not_overwritten(slice, shared, where);
        const bool read_later = send.shared() ? schedule_.steps_disjoint : !send.staged();
        if (read_later) check_not_overwritten(slice, in_place, where);
      }
      if (send.rests_at_sender) check_rests(send, index, where);
    }
    check_staging(std::move(staging), where);
  }

  void check_rests(const Transfer &send, std::size_t index, const std::string &where) {
    const bool last = index + 1 == schedule_.steps.size() && schedule_.steps_disjoint;
    if (!send.shared() || !last) fail(where, fmt::format("for rank {}", send.peer), "has a message that cannot rest");
    for (const Slice &slice : schedule_.slices_of(send)) {
      if (slice.space != Space::scratch) fail(where, describe(slice), "has at rest what is not in scratch:");
      for (const Copy &copy : schedule_.epilogue) {
        if (copy.target().overlaps(slice)) fail(where, describe(slice), "copies onto what rests:");
      }
    }
  }

  // That the places which others write to are free.
  void check_free(std::size_t index) {
    if (!schedule_.writers_reach_scratch) return;
    const std::string where = fmt::format("step {}", index);
    std::map<int, std::vector<Slice>> used;  // scratch that is in use from that step on
    for (const Transfer &receive : schedule_.receives_of(schedule_.steps[index])) {
      if (!receive.shared()) continue;
      for (const Slice &slice : schedule_.slices_of(receive)) {
        if (slice.space != Space::scratch) continue;
        const auto [place, missing] = used.try_emplace(receive.free_from);
        if (missing) place->second = scratch_in_use(receive.free_from, index);
        if (overlaps_any(place->second, slice)) fail(where, describe(slice), "has others write to what is in use:");
      }
      if (receive.free_from > static_cast<int>(index)) fail(where, std::to_string(receive.free_from), "waits for step");
    }
  }

  // The scratch that is read or written from step `from` on, and before anything arrives in step `until`.
  [[nodiscard]] std::vector<Slice> scratch_in_use(int from, std::size_t until) const {
    std::vector<Slice> slices;
    const auto add = [&](const Slice &slice) {
      if (slice.space == Space::scratch) slices.push_back(slice);
    };
    const auto add_all = [&](std::span<const Transfer> transfers) {
      for (const Transfer &transfer : transfers) std::ranges::for_each(schedule_.slices_of(transfer), add);
    };
    for (std::size_t step = from; step <= until; ++step) {
      add_all(schedule_.sends_of(schedule_.steps[step]));
      if (step < until) add_all(schedule_.receives_of(schedule_.steps[step]));
    }
    for (const auto *copies : {&schedule_.prologue, &schedule_.meanwhile}) {
      for (const Copy &copy : from == 0 ? *copies : std::vector<Copy>{}) {
        add(copy.from);
        add(copy.target());
      }
    }
    return joined(std::move(slices));
  }

  void check_staging(std::vector<Extent> pieces, const std::string &where) {
    std::ranges::sort(pieces, {}, &Extent::offset);
    for (std::size_t i = 0; i < pieces.size(); ++i) {
      const std::string piece = fmt::format("bytes {}..{}", pieces[i].offset, pieces[i].end());
      if (pieces[i].offset < 0 || pieces[i].end() > schedule_.staging_bytes) fail(where, piece, "stages outside:");
      if (i > 0 && pieces[i - 1].end() > pieces[i].offset) fail(where, piece, "stages twice in");
    }
  }

  // `received` is sorted, and its slices do not overlap each other.
  void check_not_overwritten(const Slice &sent, const std::vector<Slice> &received, const std::string &where) {
    if (overlaps_any(received, sent)) fail(where, describe(sent), "sends what it receives into:");
  }

  void check_transfer(const Transfer &transfer, const std::string &where, std::vector<Extent> &staging) {
    std::int64_t bytes = 0;
    for (const Slice &slice : schedule_.slices_of(transfer)) bytes += slice.length;
    if (bytes != transfer.bytes || bytes == 0) {
      fail(where, fmt::format("{} bytes in slices of {}", transfer.bytes, bytes), "has a message of");
    }
    if (!transfer.staged() && transfer.scattered()) fail(where, std::to_string(transfer.count), "has in place slices:");
    if (transfer.staged()) staging.push_back({transfer.staging, transfer.bytes});
  }

  const Schedule &schedule_;
  std::vector<Extent> sendable_;
  std::vector<Extent> receivable_;
  std::vector<Slice> written_;
  std::string fault_;
};

// Rule 1 for one step.
std::string check_matching(std::span<const Schedule> schedules, std::size_t step) {
  using End = std::tuple<int, int, std::int64_t, bool>;  // from, to, bytes, whether it rests
  const auto by_pair = [](const End &a, const End &b) {
    return std::pair(std::get<0>(a), std::get<1>(a)) < std::pair(std::get<0>(b), std::get<1>(b));
  };
  std::vector<End> sent;
  std::vector<End> received;
  for (const Schedule &schedule : schedules) {
    const Step &here = schedule.steps[step];
    for (const Transfer &t : schedule.sends_of(here))
      sent.emplace_back(schedule.rank, t.peer, t.bytes, t.rests_at_sender);
    for (const Transfer &t : schedule.receives_of(here))
      received.emplace_back(t.peer, schedule.rank, t.bytes, t.rests_at_sender);
  }
  std::stable_sort(sent.begin(), sent.end(), by_pair);
  std::stable_sort(received.begin(), received.end(), by_pair);
  const auto [a, b] = std::mismatch(sent.begin(), sent.end(), received.begin(), received.end());
  if (a == sent.end() && b == received.end()) return {};
  const auto text = [](bool there, const End &end) {
    if (!there) return std::string("nothing");
    return fmt::format("rank {} to rank {}, {} bytes{}", std::get<0>(end), std::get<1>(end), std::get<2>(end),
                       std::get<3>(end) ? " at rest" : "");
  };
  const End none{};
  return fmt::format("step {}: sent is {}, received is {}", step, text(a != sent.end(), a != sent.end() ? *a : none),
                     text(b != received.end(), b != received.end() ? *b : none));
}

}  // namespace

std::string check_schedules(std::span<const Schedule> schedules, std::span<const Exchange> exchanges) {
  if (schedules.empty()) return "there are no schedules";
  if (schedules.size() != exchanges.size()) {
    return fmt::format("{} schedules for {} exchanges", schedules.size(), exchanges.size());
  }
  for (std::size_t rank = 0; rank < schedules.size(); ++rank) {
    if (schedules[rank].steps.size() != schedules[0].steps.size()) {
      return fmt::format("rank {} has {} steps, rank 0 has {}", rank, schedules[rank].steps.size(),
                         schedules[0].steps.size());
    }
  }
  for (std::size_t step = 0; step < schedules[0].steps.size(); ++step) {
    if (std::string fault = check_matching(schedules, step); !fault.empty()) return fault;
  }
  for (std::size_t rank = 0; rank < schedules.size(); ++rank) {
    if (std::string fault = RankCheck(schedules[rank], exchanges[rank]).run(); !fault.empty()) return fault;
  }
  return {};
}

}  // namespace rondo::internal
