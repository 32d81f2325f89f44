#!/bin/sh
# A program prints what stands in a file. usage: expect.sh FILE COMMAND...
set -eu
expected=$1
shift
printed=$(mktemp)
trap 'rm -f "$printed"' EXIT
"$@" >"$printed" || { echo "it ended with $?, after it had printed"; cat "$printed"; exit 1; }
diff "$expected" "$printed" || { echo "< expected, > printed"; exit 1; }
echo "as expected: $(wc -l <"$printed") lines"
