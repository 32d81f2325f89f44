#!/bin/sh
# Builds a C program with the line that README has for pkg-config, and runs it as it is.
# usage: readme.sh README PREFIX FILE FOLDER [LAUNCHER...]
set -eu
readme=$1 prefix=$2 file=$3 folder=$4
shift 4

# shellcheck disable=SC2016 # backquotes are Markdown's
line=$(sed -n 's/^or `\(cc program\.c [^`]*\)`.*/\1/p' "$readme")
[ -n "$line" ] || { echo "no line for pkg-config in $readme"; exit 1; }
PKG_CONFIG_PATH=$(dirname "$(find "$prefix" -name rondo.pc)")
export PKG_CONFIG_PATH
unset LD_LIBRARY_PATH
mkdir -p "$folder"
cd "$folder"
cp "$file" program.c
eval "$line"
"$@" ./a.out
