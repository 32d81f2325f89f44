#!/bin/sh
# Whether each function of the installed mpi.h is in the interposer, or in the list of those that are left to the MPI
# library, and none in both. What an MPI library has beyond the standard (MPIX_) is not asked for.
# usage: functions.sh NM INTERPOSER LIST COMPILER FLAG...
set -eu
nm=$1 interposer=$2 list=$3
shift 3

work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
echo '#include <mpi.h>' >"$work/mpi.c"
"$@" -E "$work/mpi.c" | grep -v typedef | grep -oE '\bMPI_[A-Z][A-Za-z0-9_]* *\(' | tr -d ' (' | sort -u >"$work/declared"
[ "$(wc -l <"$work/declared")" -gt 300 ] || { echo "mpi.h has not been understood"; exit 1; }
"$nm" -D --defined-only "$interposer" | awk '$3 ~ /^MPI_/ { print $3 }' | sort -u >"$work/interposed"
sed '/^#/d; /^$/d' "$list" >"$work/left"

# The list's patterns are few, the functions many: each function is held against all patterns.
awk '
  function expression(pattern) { gsub(/\*/, ".*", pattern); return "^" pattern "$" }
  FILENAME ~ /left$/ { left[++count] = expression($1); next }
  FILENAME ~ /interposed$/ { interposed[$1]; next }
  {
    found = ""
    for (i = 1; i <= count && found == ""; i++) if ($1 ~ left[i]) found = left[i]
    if ($1 in interposed) {
      if (found != "" && found !~ /\.\*/) { print $1 ": interposed, and in the list"; faults++ }
    } else if (found == "") {
      print $1 ": neither interposed nor in the list"
      faults++
    }
  }
  END { exit faults > 0 }
' "$work/left" "$work/interposed" "$work/declared"
