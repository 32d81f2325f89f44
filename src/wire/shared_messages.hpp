#pragma once

#include <cstdint>
#include <vector>

#include "wire/bound_copy.hpp"
#include "wire/flag.hpp"
#include "wire/pull.hpp"
#include "wire/ring_end.hpp"
#include "wire/shared_table.hpp"
#include "wire/signal.hpp"

namespace rondo::internal {

// A flag, and the rank that raises it.
struct PeerFlag {
  const Flag *flag;
  int rank;
};

// A place that is free once this mark of a rank says that it has come to that step of the schedule.
struct Awaited {
  const Flag *mark;
  int step;
  int rank;
};

// The pulls of one message, one after the other as its cuts come. Of several messages the one is taken first that
// comes first: where ranks take turns on a core, to wait for another might take a turn more.
struct Taking {
  Range pulls;
  std::uint32_t done = 0;
};

// Its parts of the lists of SharedMessages.
struct SharedStep {
  int number = 0;            // of the schedule
  Range awaited;             // before it may begin
  Range pushes;              // copies into memory of other ranks
  Range signals;             // given on the way
  Range flags;               // that others raise for what they have pushed
  Range takings;             // what this rank takes itself
  Range acknowledgements;    // by others of what they have pulled
  Range unloads;             // copies out of inboxes
  Range rings;               // ends of messages that pass through one
  int arrival_counter = -1;  // index, or none; replaces signals and flags
};

// What a rank has to do in a start with its messages that pass through shared memory, step by step.
struct SharedMessages {
  std::vector<SharedStep> steps;
  std::vector<BoundCopy> pushes;
  std::vector<Signal> signals;
  std::vector<PeerFlag> flags;
  std::vector<Pull> pulls;
  std::vector<Taking> takings;
  std::vector<PeerFlag> acknowledgements;
  std::vector<ArrivalCounter *> arrival_counters;
  std::vector<BoundCopy> unloads;
  std::vector<RingEnd> rings;
  std::vector<Awaited> awaited;
  std::vector<PeerFlag> credits;             // of receivers from which this rank hears nothing
  std::vector<const Flag *> fetched_before;  // of the first step, what the start before begins to fetch for writing
};

}  // namespace rondo::internal
