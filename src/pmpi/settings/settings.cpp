#include "pmpi/settings/settings.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cstdlib>
#include <optional>
#include <sstream>

#include "exchange/fingerprint.hpp"

namespace rondo::internal::pmpi {

namespace {

using Variable = const char *(*)(const char *name);

std::optional<bool> truth_of(std::string_view word) {
  const auto is = [&](auto... words) { return ((word == words) || ...); };
  if (is("1", "true", "yes", "on")) return true;
  if (is("0", "false", "no", "off")) return false;
  return std::nullopt;
}

// They return what is wrong, or nothing.
std::string read_truth(Variable variable, const char *name, bool &value) {
  const char *text = variable(name);
  if (text == nullptr) return {};
  const std::optional<bool> read = truth_of(text);
  if (!read) return fmt::format("{}: '{}' is not 'on' or 'off'", name, text);
  value = *read;
  return {};
}

std::string read_number(Variable variable, const char *name, std::int64_t least, std::int64_t &value) {
  const char *text = variable(name);
  if (text == nullptr) return {};
  const std::string_view digits(text);
  const auto [end, fault] = std::from_chars(digits.begin(), digits.end(), value);
  if (fault == std::errc{} && end == digits.end() && value >= least) return {};
  return fmt::format("{}: '{}' is not a whole number of at least {}", name, text, least);
}

// "gaining", "all", "none", or names with commas between them.
std::string read_calls(Variable variable, std::array<bool, calls> &taken, std::array<bool, calls> &by_messages) {
  const char *text = variable("RONDO_INTERCEPT");
  const std::string_view list = text == nullptr ? "gaining" : text;
  for (std::size_t i = 0; i < calls; ++i) {
    taken[i] = list == "all" || list == "gaining";
    by_messages[i] = list == "all" || (list == "gaining" && gains_by_messages(static_cast<Call>(i)));
  }
  if (list == "all" || list == "gaining" || list == "none") return {};
  for (std::size_t begin = 0; begin <= list.size();) {
    const std::size_t end = std::min(list.find(',', begin), list.size());
    const std::string_view word = list.substr(begin, end - begin);
    const auto *const found = std::find(call_names.begin(), call_names.end(), word);
    if (found == call_names.end()) {
      return fmt::format("RONDO_INTERCEPT: there is no call '{}'; there are all, gaining, none, {}", word,
                         fmt::join(call_names, ", "));
    }
    taken[found - call_names.begin()] = by_messages[found - call_names.begin()] = true;
    begin = end + 1;
  }
  return {};
}

// "on", "off", "saved", "waits", "json:FILE", and what plans know (rondo_report), with commas between them.
std::string read_report(Variable variable, ReportWish &report) {
  const char *text = variable("RONDO_REPORT");
  std::istringstream words(text == nullptr ? "" : text);
  for (std::string word; std::getline(words, word, ',');) {
    if (word == "explain" || word == "saved" || word == "waits") {
      report.table = true;
      report.samples = report.samples || word == "saved";
      report.waits = report.waits || word == "waits";
    } else if (word.starts_with("json:") && word.size() > 5) {
      report.file = word.substr(5);
    } else {
      const std::optional<bool> on = truth_of(word);
      if (!on) {
        return fmt::format("RONDO_REPORT: '{}' is not 'on', 'off', 'explain', 'saved', 'waits' or 'json:FILE'", word);
      }
      report.table = report.table || *on;
    }
  }
  return {};
}

}  // namespace

std::int64_t Settings::fingerprint() const {
  std::string taken_over;
  for (const auto &taken_so : {taken, taken_by_messages}) {
    for (const bool call : taken_so) taken_over += call && on ? '1' : '0';
  }
  return fingerprint_of(fmt::format("{} {} {} {} {} {} {}", taken_over, cache_after, links_at_init, cache_memory,
                                    report.any(), report.samples, report.waits));
}

Settings read_settings(Variable variable) {
  Settings read;
  read.links_at_init = variable("RONDO_CACHE_AFTER") == nullptr;
  for (const std::string &fault :
       {read_truth(variable, "RONDO_PMPI", read.on), read_calls(variable, read.taken, read.taken_by_messages),
        read_number(variable, "RONDO_CACHE_AFTER", 1, read.cache_after),
        read_number(variable, "RONDO_CACHE_MEMORY", 0, read.cache_memory),
        read_number(variable, "RONDO_INIT_TIMEOUT", 0, read.init_timeout),
        read_truth(variable, "RONDO_THREAD_MULTIPLE", read.thread_multiple), read_report(variable, read.report)}) {
    if (read.fault.empty()) read.fault = fault;
  }
  return read;
}

}  // namespace rondo::internal::pmpi
