#!/bin/sh
# The installed library has its soname, the links to it, and shows no symbols but RONDO_ ones; the interposer is there.
# usage: soname.sh PREFIX SOVERSION NM READELF
set -eu
prefix=$1 soversion=$2 nm=$3 readelf=$4

library=$(find "$prefix" -name "librondo.so.$soversion")
[ -n "$library" ] || { echo "no librondo.so.$soversion below $prefix"; exit 1; }
[ -e "${library%."$soversion"}" ] || { echo "no librondo.so beside $library"; exit 1; }
$readelf -d "$library" | grep -q "SONAME.*\[librondo.so.$soversion\]" || { echo "wrong soname"; exit 1; }
if $readelf -d "$library" | grep -E 'RPATH|RUNPATH'; then
  echo "the installed library has a run path"
  exit 1
fi
[ -n "$(find "$prefix" -name librondo_pmpi.so)" ] || { echo "no librondo_pmpi.so below $prefix"; exit 1; }
# Weak symbols come from inlined templates of the standard library; what Rondo defines itself is not weak.
strangers=$($nm -D --defined-only "$library" | awk '$2 != "W" && $2 != "V" && $2 != "u" && $3 !~ /^RONDO_/ { print $3 }')
[ -z "$strangers" ] || { echo "symbols that are not Rondo's interface:"; echo "$strangers"; exit 1; }
