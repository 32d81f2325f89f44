#!/bin/sh
# run.sh FOLDER RANKS PROGRAM...: each test program of the folder under memcheck, on so many ranks. A wrong read or write,
# a value that was never set, or memory that is lost fails it, with the report.
set -u
folder=$1
ranks=$2
shift 2
here=$(dirname "$0")
logs=$(mktemp -d)
trap 'rm -rf "$logs"' EXIT
status=0
for program in "$@"; do
  # UCX replaces memory functions, as valgrind does.
  if UCX_MEM_EVENTS=n timeout 900 mpiexec.mpich -n "$ranks" valgrind --quiet --error-exitcode=9 --leak-check=full \
    --show-leak-kinds=definite --errors-for-leak-kinds=definite --suppressions="$here/mpich.supp" \
    --log-file="$logs/%p" "$folder/$program" >"$logs/out" 2>&1; then
    echo "$program on $ranks: clean"
  else
    echo "$program on $ranks: failed" >&2
    tail -n 20 "$logs/out" >&2
    find "$logs" -type f -size +0 ! -name out -exec cat {} + >&2
    status=1
  fi
  rm -f "$logs"/*
done
exit "$status"
