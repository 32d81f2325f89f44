#!/bin/sh
# One allocation after the other fails in the call that is made in MPI_Init, each time in another run of the program.
# usage: rehearsal.sh COMMAND..., which is given one more argument
set -eu
[ "$(nproc)" -ge 2 ] || exit 77 # there is no such call where ranks share a core
failures=0
for after in 0 4 8 12 16 20 24 28 32 36 40 50 60 80 100 150 200 300 400; do
  printed=$("$@" $after)
  case $printed in
  "failed: 1, wrong: 0") failures=$((failures + 1)) ;;
  "failed: 0, wrong: 0") break ;; # there are not so many
  *) echo "after $after: $printed" && exit 1 ;;
  esac
done
echo "$failures runs with a failure, and one without"
[ "$printed" = "failed: 0, wrong: 0" ] && [ $failures -ge 3 ]
