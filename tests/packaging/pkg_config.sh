#!/bin/sh
# Builds one file with nothing but what rondo.pc says, and runs it.
# usage: pkg_config.sh PREFIX COMPILER FILE PROGRAM [LAUNCHER...]
set -eu
prefix=$1 compiler=$2 file=$3 program=$4
shift 4

pc=$(find "$prefix" -name rondo.pc)
PKG_CONFIG_PATH=$(dirname "$pc")
export PKG_CONFIG_PATH
# shellcheck disable=SC2046,SC2086 # words are wanted
$compiler -Wall -Wextra -Wpedantic -Werror "$file" -o "$program" $(pkg-config --cflags --libs rondo)
unset LD_LIBRARY_PATH
"$@" "$program"
