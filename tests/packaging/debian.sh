#!/bin/sh
# In a fresh Debian: installs a package of Rondo's, and builds and runs the programs of README with it, by CMake and
# by pkg-config; runs the command, and finds its man page. Nothing else of Rondo's is there but the sources of the tests.
# usage: debian.sh PACKAGE
set -eu
package=$1
here=$(cd "$(dirname "$0")" && pwd)
export DEBIAN_FRONTEND=noninteractive
apt-get update >/dev/null
apt-get install --yes --no-install-recommends "$package" g++ cmake ninja-build pkgconf man-db >/dev/null
case $package in
  *openmpi*) launch="mpirun.openmpi --allow-run-as-root --oversubscribe -n 2"
    apt-get install --yes --no-install-recommends openmpi-bin >/dev/null ;;
  *) launch="mpiexec.mpich -n 2"
    apt-get install --yes --no-install-recommends mpich >/dev/null ;;
esac

work=$(mktemp -d)
for folder in outside_c outside_cpp; do
  cmake -S "$here/$folder" -B "$work/$folder" -G Ninja >"$work/log" || { cat "$work/log"; exit 1; }
  cmake --build "$work/$folder" >"$work/log" || { cat "$work/log"; exit 1; }
  $launch "$work/$folder/outside"
done
# shellcheck disable=SC2046 # words are wanted
cc "$here/outside_c/main.c" -o "$work/by_pkg_config" $(pkg-config --cflags --libs rondo)
$launch "$work/by_pkg_config"
$launch env LD_PRELOAD=librondo_pmpi.so RONDO_REPORT=1 "$work/by_pkg_config"

$launch rondo bench --sizes 8 --repetitions 5 --time-limit 5 --algorithms linear
rondo verify --random 20
man --pager=cat rondo-bench | head -n 5
test -f /usr/share/doc/rondo/docs/problems.md
echo "the package serves"
