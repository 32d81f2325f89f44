#!/bin/sh
# MPI_Finalize and the end of a request may come after main(): nothing in a library of ours is destroyed before. An object
# with a destructor that is called then is made known to the C library by one of these. usage: static_objects.sh NM LIBRARY...
set -eu
nm=$1
shift
status=0
for library; do
  "$nm" -D --undefined-only "$library" | grep -q MPI_ || { echo "$library: no symbols to look at"; exit 1; }
  found=$("$nm" -D --undefined-only "$library" | grep -oE '\b(__cxa_atexit|__cxa_thread_atexit(_impl)?|atexit|on_exit)\b' || true)
  [ -z "$found" ] || { echo "$library: an object is destroyed after main():" "$found"; status=1; }
done
exit "$status"
