#!/bin/sh
# A program prints the same with the interposer as without it, and Rondo has planned something for it.
# usage: compare.sh INTERPOSER [NAME=VALUE...] -- COMMAND...
#   RONDO_MAY_BE_IDLE=1 is for a program that may give Rondo nothing to do
#   COMMAND has @preload@ where `env LD_PRELOAD=...` belongs
set -eu
interposer=$1
shift
variables=
while [ "$1" != -- ]; do
  variables="$variables $1"
  shift
done
shift

folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT

# The ranks write to the file themselves: launchers mix what they print with what goes to the other stream.
run() { # OUTPUT PRELOAD-WORDS... -- COMMAND...
  output=$1
  shift
  words=
  while [ "$1" != -- ]; do
    words="$words $1"
    shift
  done
  shift
  count=$#
  for word; do
    # shellcheck disable=SC2016,SC2086 # expanded by the ranks' shell; words are wanted
    case $word in
      @preload@) set -- "$@" sh -c 'file=$1; shift; exec "$@" >>"$file"' sh "$output" env $words ;;
      *) set -- "$@" "$word" ;;
    esac
  done
  shift "$count"
  "$@"
}

run "$folder/without" RONDO=absent -- "$@" || { echo "fails without the interposer"; exit 1; }
# shellcheck disable=SC2086 # words are wanted
run "$folder/with" RONDO_REPORT=1 $variables "LD_PRELOAD=$interposer${LD_PRELOAD:+:$LD_PRELOAD}" -- "$@" 2>"$folder/report" ||
  { echo "fails with the interposer"; cat "$folder/with" "$folder/report"; exit 1; }
diff "$folder/without" "$folder/with" || { echo "< without the interposer, > with it"; exit 1; }
[ -s "$folder/with" ] || { echo "it prints nothing"; exit 1; }
case $variables in
  *RONDO_MAY_BE_IDLE=1*) ;;
  *) grep -q '^\[rondo\]' "$folder/report" || { echo "Rondo has not planned anything"; cat "$folder/report"; exit 1; } ;;
esac
echo "the same: $(wc -l <"$folder/with") lines"
