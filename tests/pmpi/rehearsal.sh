#!/bin/sh
# One allocation after the other fails in the call that is made in MPI_Init, each time in another run of the program.
# The communicator of that call is the last that is split off there. How many there are differs between runs where other
# programs have the cores, so that some failures come elsewhere or not at all: then all is done again. usage:
# rehearsal.sh COMMAND..., which is given two more arguments
set -eu
[ "$(nproc)" -ge 2 ] || exit 77 # there is no such call where ranks share a core
failures=0
for attempt in 1 2 3 4 5 6 7 8; do
  last=0
  for after in 0 0 4 8 12 16 20 24 28 32 36 40 44 48 52 56 60; do
    printed=$("$@" "$after" "$last")
    case $printed in
    "splits: $last, failed: 1, wrong: 0") failures=$((failures + 1)) ;;
    "splits: $last, failed: 0, wrong: 0") break ;; # there are not so many
    "splits: "*", failed: "[01]", wrong: 0") last=${printed#splits: } && last=${last%%,*} ;;
    *) echo "after $after: $printed" && exit 1 ;;
    esac
  done
  [ $failures -lt 3 ] || break
done
echo "$failures runs with a failure in $attempt attempts; the last: $printed"
[ $failures -ge 3 ]
