#!/bin/sh
# The examples of the README, as they stand there, built against an install and run with data.
# usage: readme_examples.sh README FOLDER PREFIX CC CXX LAUNCHER...
set -eu
here=$(cd "$(dirname "$0")" && pwd)
readme=$1 folder=$2 prefix=$3 cc=$4 cxx=$5
shift 5

mkdir -p "$folder"
block() { # the nth block of a language
  awk -v fence="\`\`\`$1" -v wanted="$2" '
    $0 == fence { inside = ++count == wanted; next }
    /^```/ && inside { exit }
    inside' "$readme"
}
block c 1 >"$folder/exchange_c.h"
block cpp 1 >"$folder/exchange_cpp.hpp"
block cpp 2 >"$folder/reach.hpp"
[ -s "$folder/exchange_c.h" ] || { echo "the README has no C example"; exit 1; }
[ -s "$folder/exchange_cpp.hpp" ] || { echo "the README has no C++ example"; exit 1; }
[ -s "$folder/reach.hpp" ] || { echo "the README has no example of varying counts"; exit 1; }

PKG_CONFIG_PATH=$(dirname "$(find "$prefix" -name rondo.pc)")
export PKG_CONFIG_PATH
unset LD_LIBRARY_PATH
warnings="-Wall -Wextra -Wpedantic -Werror"
# shellcheck disable=SC2046,SC2086 # words are wanted
$cc -std=c11 $warnings -I "$folder" "$here/readme_example.c" -o "$folder/example_c" $(pkg-config --cflags --libs rondo)
# shellcheck disable=SC2046,SC2086 # words are wanted
$cxx -std=c++20 $warnings -I "$folder" "$here/readme_example.cpp" -o "$folder/example_cpp" $(pkg-config --cflags --libs rondo)
# shellcheck disable=SC2046,SC2086 # words are wanted
$cxx -std=c++20 $warnings -I "$folder" "$here/readme_varying.cpp" -o "$folder/example_varying" \
  $(pkg-config --cflags --libs rondo)
"$@" "$folder/example_varying"
"$@" "$folder/example_c"
"$@" "$folder/example_cpp"
