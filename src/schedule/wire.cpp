#include "schedule/wire.hpp"

namespace rondo::internal {

std::string list_wires() {
  std::string text;
  for (std::size_t i = 0; i < wire_words.size(); ++i) {
    if (i > 0) text += i + 1 < wire_words.size() ? ", " : " or ";
    text += wire_words[i].word;
  }
  return text;
}

}  // namespace rondo::internal
