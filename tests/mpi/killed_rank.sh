#!/bin/sh
# killed_rank.sh PROGRAM MPIEXEC [FLAG...]: runs the program on three ranks, of which rank 1 kills itself. The others
# must report a stall that names it, none may be left, and nothing of Rondo's in /dev/shm.
set -u
program=$1
shift
before=$(find /dev/shm -mindepth 1)
# mpiexec ends all ranks as soon as it sees one die: a shell stands between, which lives on for a while.
# shellcheck disable=SC2016 # the inner shell expands $1
out=$(timeout 60 "$@" -n 3 sh -c '"$1"; sleep 4; exit 0' rank "$program" 2>&1)
fail() {
  echo "killed_rank: $1" >&2
  printf '%s\n' "$out" >&2
  exit 1
}
for rank in 0 2; do
  printf '%s\n' "$out" | grep -q "rank $rank: code 10014: .*waiting for rank.* 1" || fail "rank $rank was not told"
done
sleep 1
if pgrep -x -f "$program" >/dev/null; then fail "a rank is left"; fi
# What the MPI library itself leaves there is not Rondo's.
left=$(find /dev/shm -mindepth 1 | grep -vxF "$before" | grep -vE '/(mpich|ucx|vader|sm_|osc|psm)' || true)
[ -z "$left" ] || fail "left in /dev/shm: $left"
printf '%s\n' "$out" | grep 'code 10014'
