#!/bin/sh
# Copies of archives in which every call of an MPI function is one of its PMPI twin.
# usage: redirect.sh DIRECTORY NM OBJCOPY ARCHIVE... -- MPI-LIBRARY...
set -eu
directory=$1 nm=$2 objcopy=$3
shift 3
archives=
while [ "$1" != -- ]; do
  archives="$archives $1"
  shift
done
shift

mkdir -p "$directory"
# What the MPI libraries have twins of: MPI_UNWEIGHTED and its like are no functions and have none.
"$nm" --dynamic --defined-only "$@" | awk '$3 ~ /^PMPIX?_/ { print substr($3, 2) }' | sort -u >"$directory/twins"
for archive in $archives; do
  "$nm" --undefined-only "$archive" | awk '$1 == "U" && $2 ~ /^MPIX?_/ { print $2 }'
done | sort -u | comm -12 - "$directory/twins" | awk '{ print $1, "P" $1 }' >"$directory/symbols"
[ -s "$directory/symbols" ] || { echo "redirect.sh: no MPI calls in $archives"; exit 1; }
for archive in $archives; do
  "$objcopy" --redefine-syms="$directory/symbols" "$archive" "$directory/${archive##*/}"
done
