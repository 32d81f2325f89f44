#pragma once

// How many libraries have been loaded in this process so far: as long as the number stays, none has come.
//
// The dynamic linker tells it in dl_iterate_phdr(), under a lock: 10 to 20 ns, where a call of the program's takes 100.
// The number itself is a word of the linker's data. It is looked for there by its value, at two moments between which
// libraries have been loaded; before the second some have been unloaded, too. It is read there from then on if one word
// had it at both, and no other.

namespace rondo::internal {

unsigned long long libraries_loaded() noexcept;

// To be called at these moments, once at each: in MPI_Init, before and after the MPI library loads what it consists of.
// Whether the word has been found. Local; one thread at a time.
bool look_for_count_of_loads() noexcept;

}  // namespace rondo::internal
