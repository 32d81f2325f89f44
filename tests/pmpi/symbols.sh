#!/bin/sh
# The interposer shows MPI functions and Fortran's only, and calls none but by PMPI. usage: symbols.sh LIBRARY NM
set -eu
library=$1 nm=$2
strangers=$("$nm" -D --defined-only "$library" | awk '$3 !~ /^MPIX?_/ && $3 !~ /^mpi_[a-z_]+_f08_$/ { print $3 }')
[ -z "$strangers" ] || { echo "symbols that are not MPI's:"; echo "$strangers"; exit 1; }
# MPI_UNWEIGHTED is no function.
own=$("$nm" -D --undefined-only "$library" | awk '$2 ~ /^MPIX?_[A-Z][a-z]/ { print $2 }')
[ -z "$own" ] || { echo "calls that would come back into it:"; echo "$own"; exit 1; }
