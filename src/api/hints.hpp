#pragma once

#include <mpi.h>

#include <chrono>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>

#include "model/choose.hpp"
#include "schedule/wire.hpp"
#include "varying/metadata.hpp"
#include "wire/native.hpp"
#include "wire/segment.hpp"

namespace rondo::internal {

// A hint as it was given.
struct GivenHint {
  std::string value;
  bool by_environment = false;

  // What to call it in a message: "hint rondo_radix of the info", "environment variable RONDO_RADIX".
  [[nodiscard]] std::string origin(const std::string &key) const;
};

// How long messages move inside a node, between buffers that the plan has not allocated.
enum class LongMessages : std::uint8_t {
  automatic,
  rings,   // cut by cut through shared memory
  attach,  // the receiver reads the sender's memory through the kernel
};

// By key.
using GivenHints = std::map<std::string, GivenHint>;

// What the caller may ask of an init, by MPI_Info or by environment variables of the same names in upper case
// (the info wins). docs/tuning.md lists them.
struct Hints {
  Wish wish;                         // rondo_algorithm, its parameters (rondo_radix, ...), rondo_scratch_limit
  bool validate = false;             // rondo_validate
  bool report = false;               // rondo_report
  bool explains = false;             // rondo_report=explain
  bool errors_to_handler = false;    // rondo_errors
  bool progress_thread = false;      // rondo_progress
  std::optional<NativeKind> native;  // rondo_native
  // rondo_wire. Shared memory inside a node where it can be had, and the wire of the library's choice else, is what
  // `shared` means, too.
  std::optional<Wire> wire;
  [[nodiscard]] bool messages_only() const { return wire && *wire != Wire::shared; }
  LongMessages long_messages = LongMessages::automatic;  // rondo_long_messages
  int node_size = 0;  // rondo_node_size: pretended ranks a node, 0 for the real nodes
  std::optional<std::int64_t>
      expected_bytes{};                  // rondo_expected_bytes: what a rank sends in a start, of varying counts
  Metadata metadata = Metadata::joined;  // rondo_metadata
  std::int64_t shared_limit = Segment::usual_most_free;  // rondo_shared_limit: bytes
  bool measures = false;                                 // rondo_tune=measure
  std::chrono::duration<double> tune_budget{0.05};       // rondo_tune_budget
  std::string profile{};                                 // rondo_profile: the file; empty: none
  std::chrono::duration<double> stall_timeout{0};        // rondo_stall_timeout, 0 for none

  // A number that is the same on two ranks when their hints are.
  [[nodiscard]] std::int64_t fingerprint() const;

  GivenHints given;  // all of them
  std::string text;  // the same as lines key=value, by which ranks are compared
};

// Local. Throws Error (hint) that names an unknown rondo_ key of the info, or a value that does not parse.
Hints parse_hints(MPI_Info info);
// The same of what the info and the environment say.
Hints parse_hints(GivenHints given);

// The same hints, but that they ask for this algorithm and these parameters, and for nothing that an init says, checks
// or measures besides: for a plan that is only made to be timed.
Hints hints_for_trial(const Hints &hints, const Choice &choice);

// Those of the hints on which it depends how fast an algorithm is, or which may be chosen, as text; empty where none is
// given.
std::string hints_of_case(const Hints &hints);

// How hints differ from those of another rank, as that rank's text has them: the first that does, and both values.
// Empty where none does.
std::string difference(const Hints &hints, std::string_view text_of_other, int other);

// Whether errors are to go to the communicator's error handler, as far as can be told of hints that may be faulty
// themselves. Local.
bool wants_handler(MPI_Info info) noexcept;

}  // namespace rondo::internal
