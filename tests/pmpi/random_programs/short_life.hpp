#pragma once

// A communicator that lives for a few calls, and a datatype of theirs. Their attributes may have delete functions that
// use them once more, by this thread or by another.

#include <mpi.h>

namespace rondo::random_programs {

struct ShortLife {
  int calls = 0;
  int ints = 1;  // of the type
  // Calls before the attribute is set; -1: there is none.
  int calls_before_attribute = -1;
  int calls_before_attribute_of_type = -1;
  int calls_at_end = 1;
  bool another_thread_at_end = false;
  bool new_type_at_end = false;  // the delete function of the type's attribute makes others
};

// Collective over the communicator that is duplicated, of at most 16 ranks. How many ints that came are wrong.
long wrong_in(const ShortLife &life, MPI_Comm comm);

}  // namespace rondo::random_programs
