#!/bin/sh
# One allocation after the other fails in the call that is made in MPI_Init, each time in another run of the program.
# The communicator of that call is the last that is split off there. usage: rehearsal.sh COMMAND..., which is given two
# more arguments
set -eu
[ "$(nproc)" -ge 2 ] || exit 77 # there is no such call where ranks share a core
last=0
failures=0
for after in 0 0 4 8 12 16 20 24 28 32 36 40 44 48 52 56 60; do
  printed=$("$@" "$after" "$last")
  case $printed in
  "splits: $last, failed: 1, wrong: 0") failures=$((failures + 1)) ;;
  "splits: $last, failed: 0, wrong: 0") break ;; # there are not so many
  # The first run, or one in which links for later communicators took longer, so that there are fewer.
  "splits: "*", failed: "[01]", wrong: 0") last=${printed#splits: } && last=${last%%,*} ;;
  *) echo "after $after: $printed" && exit 1 ;;
  esac
done
echo "$failures runs with a failure; the last: $printed"
[ $failures -ge 3 ]
