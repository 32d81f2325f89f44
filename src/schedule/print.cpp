#include "schedule/print.hpp"

#include <fmt/format.h>

namespace rondo::internal {

namespace {

constexpr const char *letters = "SRT";  // send, receive, scratch (the papers' T)

std::string describe(const Slice &slice) {
  return fmt::format("{}[{}..{})", letters[static_cast<int>(slice.space)], slice.offset, slice.end());
}

void print_copies(std::string &text, const char *title, const std::vector<Copy> &copies) {
  if (copies.empty()) return;
  text += fmt::format("{}\n", title);
  for (const Copy &copy : copies) text += fmt::format("  {} to {}\n", describe(copy.from), describe(copy.target()));
}

void print_transfer(std::string &text, const char *arrow, const Schedule &schedule, const Transfer &transfer) {
  text += fmt::format("  {} rank {}, {} bytes{}:", arrow, transfer.peer, transfer.bytes,
                      transfer.shared()   ? " by shared memory"
                      : transfer.staged() ? fmt::format(" staged at {}", transfer.staging)
                                          : "");
  for (const Slice &slice : schedule.slices_of(transfer)) text += fmt::format(" {}", describe(slice));
  text += '\n';
}

}  // namespace

std::string to_string(const Schedule &schedule) {
  std::string text = fmt::format("rank {} of {}: scratch {} bytes, staging {} bytes\n", schedule.rank, schedule.ranks,
                                 schedule.scratch_bytes, schedule.staging_bytes);
  print_copies(text, "prologue", schedule.prologue);
  for (std::size_t step = 0; step < schedule.steps.size(); ++step) {
    text += fmt::format("step {}\n", step);
    for (const Transfer &t : schedule.sends_of(schedule.steps[step])) print_transfer(text, "->", schedule, t);
    for (const Transfer &t : schedule.receives_of(schedule.steps[step])) print_transfer(text, "<-", schedule, t);
    if (step == 0) print_copies(text, "meanwhile", schedule.meanwhile);
  }
  if (schedule.steps.empty()) print_copies(text, "meanwhile", schedule.meanwhile);
  print_copies(text, "epilogue", schedule.epilogue);
  return text;
}

}  // namespace rondo::internal
