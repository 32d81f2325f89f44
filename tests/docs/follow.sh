#!/bin/sh
# Follows a document in a copy of the tree: a cpp block whose first line is "// path" is written there; sh blocks are
# run, and must change something; the targets of the indented "./dev build" lines are built, or the rondo command where
# these name none; "$ command" lines of console blocks must print what stands below them; indented mpiexec lines must
# succeed.
# usage: follow.sh DOCUMENT SOURCE COPY [LAUNCHER...], the launcher without its -n
set -eu
document=$1 source=$2 copy=$3
shift 3

# What was compiled stays from run to run; the sources are always those of the tree.
mkdir -p "$copy/steps"
parts="CMakeLists.txt CMakePresets.json LICENSE README.md benchmarks cmake examples include packaging plans src tests"
# shellcheck disable=SC2086 # the parts are words
(cd "$copy" && rm -rf $parts steps && mkdir steps)
# shellcheck disable=SC2086
(cd "$source" && cp -r $parts "$copy")

# Each block as a file of its own, in order: steps/NN.cpp, NN.sh, NN.console, NN.mpi.
awk -v folder="$copy/steps" '
  function open_step(kind) { file = sprintf("%s/%02d.%s", folder, ++count, kind) }
  /^```(cpp|sh|console)$/ { open_step(substr($0, 4)); next }
  /^```/ { close(file); file = ""; next }
  file != "" { print > file; next }
  /^    mpiexec / { open_step("mpi"); print > file; close(file); file = "" }
' "$document"
ls "$copy"/steps/*.cpp "$copy"/steps/*.console >/dev/null

cd "$copy"
for step in steps/*.cpp; do
  file=$(sed -n '1s|^// ||p' "$step")
  [ -n "$file" ] || { echo "$step has no path in its first line"; exit 1; }
  cp "$step" "$file"
done
for step in steps/*.sh; do
  before=$(find include plans src tests -type f -exec cat {} + | cksum)
  sh -eu "$step"
  [ "$(find include plans src tests -type f -exec cat {} + | cksum)" != "$before" ] ||
    { echo "$step changes nothing:"; cat "$step"; exit 1; }
done

export CCACHE_BASEDIR="$PWD"
targets=$(sed -n 's|^    ./dev build||p' "$document")
with_tests=OFF
case $targets in *test_* | *mpi_*) with_tests=ON ;; esac
cmake --preset release -DRONDO_BUILD_TESTS=$with_tests -DRONDO_BUILD_EXAMPLES=OFF --log-level=WARNING
# shellcheck disable=SC2086 # the targets are words
cmake --build build/release --target ${targets:-rondo_command} -- --quiet
PATH=$PWD/build/release/bin:$PATH
export PATH

failed=0
# expect COMMAND: its output is that of steps/expected.
expect() {
  if ! sh -c "$1" >steps/actual; then
    echo "FAILED: $1"
    failed=1
  elif ! diff -u steps/expected steps/actual; then
    echo "FAILED: $1 prints something else than the document says"
    failed=1
  fi
}

for step in steps/*.console; do
  awk -v folder=steps '
    /^\$ / { if (file != "") close(file); name = sprintf("%s/case.%s.%d", folder, substr(FILENAME, 7, 2), ++count)
             print substr($0, 3) > (name ".command"); file = name ".expected"; printf "" > file; next }
    { print > file }' "$step"
done
for case in steps/case.*.command; do
  cp "${case%.command}.expected" steps/expected
  expect "$(cat "$case")"
done
if [ $# -gt 0 ]; then
  for step in steps/*.mpi; do
    [ -e "$step" ] || continue
    if ! sh -c "$* $(sed 's/^ *mpiexec *//' "$step")"; then
      echo "FAILED: $(cat "$step")"
      failed=1
    fi
  done
fi
exit "$failed"
