#pragma once

#include "call/arguments.hpp"
#include "call/messages.hpp"
#include "wire/side.hpp"

namespace rondo::internal::call {

// Reads what calls move from their arguments. Its own memory is used again by each reading.
class MessageReader {
 public:
  // Into what may have been another call's messages, whose memory is used again. Throws Error for a bad count, buffer
  // or type: then they are good for nothing but to be read into. Local.
  void read(const CallArguments &arguments, const Peers &peers, Messages &messages);

 private:
  // Most calls are plain: between all ranks or neighbours whose order is cyclic, with counts and displacements of int,
  // one type on either side that is small and has no gaps, buffers that no GPU has to do with, and nothing wrong. They
  // are read in one pass over each side. False for any other, with the messages as they may be then; but what is wrong
  // with a type is thrown at once.
  static bool read_plain(const CallArguments &arguments, const Peers &peers, Messages &messages);
  // `on_device`: blocks may lie in memory of a GPU.
  void read_any(const CallArguments &arguments, const Peers &peers, bool on_device, Messages &messages);

  Side send_{};
  Side receive_{};
};

Messages read_messages(const CallArguments &arguments, const Peers &peers);

}  // namespace rondo::internal::call
