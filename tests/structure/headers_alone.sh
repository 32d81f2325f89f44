#!/bin/sh
# Whether every header can be included alone, as the first of a file.
# usage: headers_alone.sh COMPILER FLAG...
set -eu
cd "$(dirname "$0")/../.."
status=0
find include src plans -name '*.hpp' -o -name '*.h' | sort | tr '\n' '\0' |
  xargs -0 -P "$(nproc)" -I{} "$@" -fsyntax-only -x c++ -include {} /dev/null || status=1
[ "$status" = 0 ] || echo "the headers named need something that is not included in them"
exit "$status"
