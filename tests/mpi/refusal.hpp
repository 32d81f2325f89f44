#pragma once

#include <rondo/rondo.h>

#include <string>

namespace rondo {

// What a call that was refused has left behind on this thread.
struct Refusal {
  int code;
  std::string message;
  RONDO_Error_values values;
};

inline Refusal refused(int code) {
  Refusal refusal{.code = code, .message = {}, .values = {}};
  char text[RONDO_MAX_ERROR_STRING];
  int length = 0;
  RONDO_Error_string(code, text, &length);
  refusal.message.assign(text, static_cast<std::size_t>(length));
  RONDO_Error_last(&refusal.values, sizeof(refusal.values));
  return refusal;
}

}  // namespace rondo
