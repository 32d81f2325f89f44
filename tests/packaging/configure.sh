#!/bin/sh
# Rondo is configured as users of a cluster do it, and is labelled by the MPI that it is on.
# usage: configure.sh MPI LAUNCHER CMAKE SOURCE BUILD [CMAKE-ARGUMENT...]
# LAUNCHER is none where there is none.
set -eu
mpi=$1 launcher=$2 cmake=$3 source=$4 build=$5
shift 5

rm -rf "$build"
unset MPI_HOME
"$cmake" -S "$source" -B "$build" "$@"
pc=$(find "$build" -name rondo.pc)
grep -Fx "mpi=$mpi" "$pc" || { echo "another name than $mpi:"; cat "$pc"; exit 1; }
[ "$launcher" != none ] || launcher=
grep -Fx "mpiexec=$launcher" "$pc" || { echo "another launcher than $launcher:"; cat "$pc"; exit 1; }
grep -q '^Libs:.* /[^ ]*/lib[^ ]*mpi' "$pc" || { echo "no MPI library:"; cat "$pc"; exit 1; }
