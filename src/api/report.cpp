#include "api/report.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstdio>

namespace rondo::internal {

namespace {

// The report is zero at first.
template <std::size_t room>
void write(std::string_view text, char (&to)[room]) {
  text.copy(to, room - 1);
}

std::string wires_of(const Schedule &schedule) {
  const auto any = [&](Wire wire) {
    const auto is = [&](const Transfer &transfer) { return transfer.wire == wire; };
    return std::any_of(schedule.sends.begin(), schedule.sends.end(), is) ||
           std::any_of(schedule.receives.begin(), schedule.receives.end(), is);
  };
  std::string text;
  for (const auto &[wire, word] : wire_words) {
    if (any(wire)) text += (text.empty() ? "" : "+") + std::string(word);
  }
  return text.empty() ? "none" : text;
}

RONDO_Report choice_report(const Choice &choice, int ranks) {
  RONDO_Report report{};
  write(choice.algorithm->name, report.algorithm);
  report.radix = choice.parameters.radix;
  report.block_count = choice.parameters.block_count;
  report.leaders = choice.parameters.leaders;
  write(to_string(choice.parameters.pattern), report.pattern);
  write("caller", report.progress);
  report.ranks = ranks;
  report.predicted_seconds = choice.estimate.seconds;
  return report;
}

}  // namespace

RONDO_Report report_of(const Choice &choice, const Schedule &schedule) {
  RONDO_Report report = choice_report(choice, schedule.ranks);
  const Totals sum = totals(schedule);
  write(wires_of(schedule), report.wire);
  report.steps = sum.steps;
  report.messages = sum.messages;
  report.block_moves = schedule.block_moves;
  report.bytes = sum.bytes;
  report.scratch_bytes = schedule.scratch_bytes;
  report.staging_bytes = schedule.staging_bytes;
  return report;
}

RONDO_Report report_of(const Choice &choice, int ranks, std::span<const std::int64_t> bytes) {
  RONDO_Report report = choice_report(choice, ranks);
  write("native", report.wire);
  for (const std::int64_t block : bytes) {
    report.messages += block > 0 ? 1 : 0;
    report.bytes += block;
  }
  report.block_moves = report.messages;
  report.steps = report.messages > 0 ? 1 : 0;
  return report;
}

RONDO_Report report_of(const Choice &choice, const Route &route, int messages_each, std::string_view wires) {
  RONDO_Report report = choice_report(choice, route.ranks);
  write(wires, report.wire);
  for (int step = 0; step < route.steps(); ++step) {
    report.steps += route.sends.messages(step).empty() && route.receives.messages(step).empty() ? 0 : 1;
  }
  report.messages = static_cast<long long>(route.sends.messages().size()) * messages_each;
  report.block_moves = static_cast<long long>(route.sends.blocks().size());
  return report;
}

std::string algorithm_text(const RONDO_Report &report) {
  std::string text = report.algorithm;
  if (report.radix > 0) text += fmt::format(" radix={}", report.radix);
  if (report.block_count > 0) text += fmt::format(" block_count={}", report.block_count);
  if (report.leaders > 0) text += fmt::format(" leaders={}", report.leaders);
  if (*report.pattern != '\0') text += fmt::format(" pattern={}", report.pattern);
  return text;
}

std::string algorithm_text(const Choice &choice) {
  return algorithm_text(choice_report(choice, 0));
}

std::string to_json(const RONDO_Report &report) {
  // All values are numbers but for names, which come from our own tables: nothing needs quoting.
  return fmt::format(
      R"({{"algorithm":"{}","radix":{},"block_count":{},"leaders":{},"pattern":"{}","wire":"{}","progress":"{}","ranks":{},"steps":{},"messages":{},"block_moves":{},)"
      R"("bytes":{},"scratch_bytes":{},"staging_bytes":{},"predicted_seconds":{},"init_seconds":{},"reused":{},"measured_seconds":{}}})",
      report.algorithm, report.radix, report.block_count, report.leaders, report.pattern, report.wire, report.progress,
      report.ranks, report.steps, report.messages, report.block_moves, report.bytes, report.scratch_bytes,
      report.staging_bytes, report.predicted_seconds, report.init_seconds, report.reused != 0, report.measured_seconds);
}

void log_estimates(std::span<const Choice> candidates) {
  constexpr std::size_t most = 8;
  std::string line = fmt::format("[rondo] estimates of {} candidates:", candidates.size());
  for (std::size_t i = 0; i < std::min(most, candidates.size()); ++i) {
    const Estimate &estimate = candidates[i].estimate;
    line += fmt::format("{} {} {:.2f} us ({:.2f} to synchronise, {:.2f} to move, {:.2f} to copy)", i == 0 ? "" : ",",
                        algorithm_text(candidates[i]), estimate.seconds * 1e6, estimate.synchronising * 1e6,
                        estimate.moving * 1e6, estimate.copying * 1e6);
  }
  std::fputs((line + (candidates.size() > most ? ", ...\n" : "\n")).c_str(), stderr);
}

void log_report(const std::string &plan, const RONDO_Report &report) {
  std::string measured;
  if (report.measured_seconds > 0) measured = fmt::format(", measured {:.2f} us", report.measured_seconds * 1e6);
  const std::string line = fmt::format(
      "[rondo] {}, {}; rank 0: {} steps, {} messages, {} bytes, scratch {}, staging {}; predicted {:.2f} us{}, "
      "init {:.0f} us{}\n",
      plan, report.wire, report.steps, report.messages, report.bytes, report.scratch_bytes, report.staging_bytes,
      report.predicted_seconds * 1e6, measured, report.init_seconds * 1e6,
      report.reused != 0 ? ", as an earlier plan" : "");
  std::fputs(line.c_str(), stderr);
}

}  // namespace rondo::internal
