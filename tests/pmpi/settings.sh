#!/bin/sh
# What the variables of the interposer do. usage: settings.sh CASE PROGRAM INTERPOSER MPIEXEC...
set -eu
what=$1 program=$2 preload=$3
shift 3
printed=$(mktemp)
trap 'rm -f "$printed"' EXIT

run() { # MPIEXEC... -- VARIABLE...
  count=0
  for word; do
    [ "$word" = -- ] && break
    count=$((count + 1))
  done
  total=$#
  i=0
  for word; do
    i=$((i + 1))
    if [ $i -eq $((count + 1)) ]; then set -- "$@" env "LD_PRELOAD=$preload" RONDO_REPORT=1; else set -- "$@" "$word"; fi
  done
  shift "$total"
  "$@" "$program" 60 >"$printed" 2>&1
}

fail() {
  echo "$1"
  cat "$printed"
  exit 1
}

case $what in
  off)
    run "$@" -- RONDO_PMPI=off || fail "it should run"
    if grep '^\[rondo\]' "$printed"; then fail "it is not off"; fi
    ;;
  unknown)
    if run "$@" -- RONDO_INTERCEPT=alltoallv,alltoal; then fail "it should not run"; fi
    grep -q "RONDO_INTERCEPT: there is no call 'alltoal'; there are all, gaining, none, alltoall," "$printed" || fail "no reason given"
    [ "$(grep -c RONDO_INTERCEPT "$printed")" -eq 1 ] || fail "it should be said once"
    ;;
  differ) # by the rank, as MPICH or Open MPI tells it
    # shellcheck disable=SC2016
    if "$@" sh -c 'RONDO_CACHE_AFTER=$((2 + ${PMI_RANK:-$OMPI_COMM_WORLD_RANK})) LD_PRELOAD=$1 exec "$2" 60' \
      of_a_rank "$preload" "$program" >"$printed" 2>&1; then fail "it should not run"; fi
    [ "$(grep -c 'RONDO_CACHE_ variables differ between ranks' "$printed")" -eq 1 ] || fail "no reason given"
    ;;
  some_ranks) # have it: the others are in their first collective call
    for having in 0 1; do
      # shellcheck disable=SC2016
      if "$@" sh -c '[ $((${PMI_RANK:-$OMPI_COMM_WORLD_RANK} > 0)) -eq "$3" ] && export LD_PRELOAD=$1; RONDO_INIT_TIMEOUT=1 exec "$2" 60' \
        of_a_rank "$preload" "$program" $having >"$printed" 2>&1; then fail "it should not run"; fi
      grep -q 'has waited for others in MPI_Init for 1 s: librondo_pmpi.so must be preloaded' "$printed" || fail "no reason given"
    done
    ;;
  some)
    run "$@" -- RONDO_INTERCEPT=alltoallw,neighbor_alltoallv || fail "it should run"
    grep -q '^\[rondo\] alltoallw ' "$printed" || fail "alltoallw should be taken over"
    grep -q '^\[rondo\] neighbor_alltoallv ' "$printed" || fail "neighbor_alltoallv should be taken over"
    if grep -E '^\[rondo\] i?alltoallv? ' "$printed"; then fail "others should not"; fi
    ;;
  other_mpi)
    run "$@" -- RONDO=unused || fail "it should run"
    grep -q 'ranks, 0 wrong, argument 60' "$printed" || fail "it should run as without the interposer"
    [ "$(grep -c 'was built for .*, and this program runs on .*: it goes on without' "$printed")" -eq 1 ] ||
      fail "it should be said once"
    ;;
  report) # of what the samples tell, and in a file
    file=$(mktemp)
    "$@" env "LD_PRELOAD=$preload" "RONDO_REPORT=saved,waits,json:$file" "$program" --iterations 100 alltoallv \
      alltoallv_init >"$printed" 2>&1 || fail "it should run"
    grep -q '^\[rondo\] alltoallv .* sample ' "$printed" ||
      fail "there is no line for alltoallv"
    grep -q '"saved_seconds"' "$file" || { cat "$file"; fail "the file does not tell what has been saved"; }
    ! grep -q '"refused"' "$file" || { cat "$file"; fail "calls are left to the MPI library"; }
    grep -q '"waited_seconds"' "$file" || { cat "$file"; fail "the file does not tell how long ranks have waited"; }
    grep -q '"persistent"' "$file" || { cat "$file"; fail "the file does not have the starts"; }
    rm "$file"
    ;;
  stacked)
    # Of the seven calls, three are the third ones on their communicators or later.
    run "$@" -- RONDO_CACHE_AFTER=3 || fail "it should run"
    grep -q 'other tool: 2 native calls of MPI_Alltoallv' "$printed" || fail "the tool beneath should see the calls that are left"
    ;;
esac
echo "as it should be"
