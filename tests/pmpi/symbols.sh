#!/bin/sh
# The interposer shows MPI functions only, each by both of its names, and calls none but by PMPI, and none that is its own.
# usage: symbols.sh LIBRARY NM
set -eu
library=$1 nm=$2
strangers=$("$nm" -D --defined-only "$library" | awk '$3 !~ /^P?MPIX?_/ { print $3 }')
[ -z "$strangers" ] || { echo "symbols that are not MPI's:"; echo "$strangers"; exit 1; }
# MPI_UNWEIGHTED is no function.
own=$("$nm" -D --undefined-only "$library" | awk '$2 ~ /^MPIX?_[A-Z][a-z]/ { print $2 }')
[ -z "$own" ] || { echo "calls that would come back into it:"; echo "$own"; exit 1; }
shown=$("$nm" -D --defined-only "$library" | awk '{ print $3 }' | sort)
single=$(echo "$shown" | sed 's/^P//' | sort | uniq -u)
[ -z "$single" ] || { echo "functions that it has by one name only:"; echo "$single"; exit 1; }
