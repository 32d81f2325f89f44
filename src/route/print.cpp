#include "route/print.hpp"

#include <fmt/format.h>

namespace rondo::internal {

namespace {

void print_messages(std::string &text, const Traffic &traffic, int step, const char *arrow) {
  for (const Message &message : traffic.messages(step)) {
    text += fmt::format("  {} rank {}:", arrow, message.peer);
    for (const Block &block : traffic.blocks(message)) {
      text += fmt::format(" ({}, {})", block.source, block.part);
    }
    text += '\n';
  }
}

}  // namespace

std::string to_string(const Route &route) {
  std::string text = fmt::format("rank {} of {}, {} steps\n", route.rank, route.ranks, route.steps());
  for (int step = 0; step < route.steps(); ++step) {
    text += fmt::format("step {}\n", step);
    print_messages(text, route.sends, step, "->");
    print_messages(text, route.receives, step, "<-");
  }
  return text;
}

}  // namespace rondo::internal
