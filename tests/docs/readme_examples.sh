#!/bin/sh
# The C and the C++ example of the README, as they stand there, built against an install and run with data.
# usage: readme_examples.sh README FOLDER PREFIX CC CXX LAUNCHER...
set -eu
here=$(cd "$(dirname "$0")" && pwd)
readme=$1 folder=$2 prefix=$3 cc=$4 cxx=$5
shift 5

mkdir -p "$folder"
block() { # the first block of a language
  awk -v fence="\`\`\`$1" '$0 == fence { inside = 1; next } /^```/ && inside { exit } inside' "$readme"
}
block c >"$folder/exchange_c.h"
block cpp >"$folder/exchange_cpp.hpp"
[ -s "$folder/exchange_c.h" ] || { echo "the README has no C example"; exit 1; }
[ -s "$folder/exchange_cpp.hpp" ] || { echo "the README has no C++ example"; exit 1; }

PKG_CONFIG_PATH=$(dirname "$(find "$prefix" -name rondo.pc)")
export PKG_CONFIG_PATH
unset LD_LIBRARY_PATH
warnings="-Wall -Wextra -Wpedantic -Werror"
# shellcheck disable=SC2046,SC2086 # words are wanted
$cc -std=c11 $warnings -I "$folder" "$here/readme_example.c" -o "$folder/example_c" $(pkg-config --cflags --libs rondo)
# shellcheck disable=SC2046,SC2086 # words are wanted
$cxx -std=c++20 $warnings -I "$folder" "$here/readme_example.cpp" -o "$folder/example_cpp" $(pkg-config --cflags --libs rondo)
"$@" "$folder/example_c"
"$@" "$folder/example_cpp"
