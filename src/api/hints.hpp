#pragma once

#include <mpi.h>

#include <chrono>
#include <cstdint>
#include <map>
#include <optional>
#include <string>

#include "model/choose.hpp"
#include "wire/native.hpp"

namespace rondo {

// What carries messages: shared memory inside a node where it can be had, and packed messages else; or MPI's messages
// only, packed or described by datatypes.
enum class WireHint { automatic, packed, shared, datatype };

// What the caller may ask of an init, by MPI_Info or by environment variables of the same names in upper case
// (the info wins). docs/tuning.md lists them.
struct Hints {
  Wish wish;                            // rondo_algorithm, its parameters (rondo_radix, ...), rondo_scratch_limit
  bool validate = false;                // rondo_validate
  bool report = false;                  // rondo_report
  bool errors_to_handler = false;       // rondo_errors
  bool progress_thread = false;         // rondo_progress
  std::optional<NativeKind> native;     // rondo_native
  WireHint wire = WireHint::automatic;  // rondo_wire
  [[nodiscard]] bool messages_only() const { return wire == WireHint::packed || wire == WireHint::datatype; }
  int node_size = 0;                               // rondo_node_size: pretended ranks a node, 0 for the real nodes
  std::chrono::duration<double> stall_timeout{0};  // rondo_stall_timeout, 0 for none

  // A number that is the same on two ranks when their hints are.
  [[nodiscard]] std::int64_t fingerprint() const;

  std::string text;  // all hints as given, sorted, for messages and the fingerprint
};

// Values by key, as given.
using HintPairs = std::map<std::string, std::string>;

// Local. Throws Error (hint) that names an unknown rondo_ key of the info, or a value that does not parse.
Hints parse_hints(MPI_Info info);
// The same of what the info and the environment say.
Hints parse_hints(const HintPairs &pairs);

// Whether errors are to go to the communicator's error handler, as far as can be told of hints that may be faulty
// themselves. Local.
bool wants_handler(MPI_Info info) noexcept;

}  // namespace rondo
