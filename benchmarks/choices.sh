#!/bin/sh
# Times all candidates, the choice by estimate, that by the prices of `rondo calibrate` and that by measurement in one run
# each, over ranks, transports and distributions, on MPICH (build/release) and Open MPI (build/openmpi), and judges these
# choices. Cells in which a choice is more than a tenth behind are then measured twice again, and of all three runs each
# contender's median counts. Takes some twenty minutes; what a file is there for is not measured again.
#
# usage: benchmarks/choices.sh [FOLDER]      where the figures go: out/choices
set -eu
cd "$(dirname "$0")/.."
out=${1:-out/choices}
mkdir -p "$out"
root_flags=
[ "$(id -u)" -ne 0 ] || root_flags=--allow-run-as-root
mpich=build/release/bin/rondo
openmpi=build/openmpi/bin/rondo

calibrated=chosen:profile=$out/prices
measured=chosen:tune=measure:profile=$out/prices

# Which sizes of a file are measured in this round: all in the first, the doubtful ones in the others.
sizes_of() {
  if [ -z "$doubtful" ]; then
    echo 8,64,512,4096,32768,262144
  else
    grep -F "$1 " "$doubtful" | cut -d ' ' -f 2 | paste -sd , -
  fi
}

# run NAME COMMAND...: the command is a launcher with the variables of the setting, without the benchmark.
run() {
  name=$1
  shift
  if [ ! -s "$out/$name.prices" ]; then
    echo "$out/$name.prices"
    "$@" calibrate "$out/$name.prices" --seconds $((2 * limit)) >"$out/log" 2>&1 || { cat "$out/log"; exit 1; }
  fi
  for dist in constant uniform powerlaw:0.9 sparse:3 one_heavy; do
    file=$folder/$name-$dist.json
    sizes=$(sizes_of "$name-$dist")
    if [ -s "$file" ] || [ -z "$sizes" ]; then continue; fi
    echo "$file"
    cp "$out/$name.prices" "$out/prices" # what is measured goes into it, too, and is not for the next run
    "$@" bench --dist "$dist" --sizes "$sizes" --repetitions 40 --time-limit "$limit" \
      --algorithms "all,$calibrated,$measured" --json "$file" >"$out/log" 2>&1 || { cat "$out/log"; exit 1; }
  done
}

run_all() {
  limit=10
  # With more ranks than cores MPICH's own calls take tens of milliseconds, so there is no time to compare anything.
  run mpich-2-shared mpiexec.mpich -n 2 $mpich
  run mpich-2-messages mpiexec.mpich -n 2 -env RONDO_WIRE packed $mpich
  for ranks in 2 4 8 16; do
    run "openmpi-$ranks-shared" mpirun.openmpi $root_flags --oversubscribe -n $ranks $openmpi
    run "openmpi-$ranks-messages" mpirun.openmpi $root_flags --oversubscribe -x RONDO_WIRE=packed -n $ranks $openmpi
  done
  for ranks in 8 16; do
    limit=$((ranks * 2)) # an exchange takes a millisecond there
    run "openmpi-$ranks-tcp" mpirun.openmpi $root_flags --oversubscribe --mca btl tcp,self --mca pml ob1 \
      -x RONDO_NODE_SIZE=4 -n $ranks $openmpi
  done
}

judged() {
  find "$out" -name '*.json' | sort | xargs "$mpich" choices "$@"
}

folder=$out
doubtful=
run_all
[ -f "$out/doubtful" ] || for contender in chosen "$calibrated" "$measured"; do
  judged --contender "$contender" --doubtful
done | sort -u >"$out/doubtful"
doubtful=$out/doubtful
for round in 2 3; do
  folder=$out/round-$round
  mkdir -p "$folder"
  run_all
done
rm -f "$out/log" "$out/prices"
for contender in chosen "$calibrated" "$measured"; do
  judged --contender "$contender"
  echo
done
if command -v gnuplot >/dev/null; then
  judged --plot "$out/estimate.svg" >/dev/null 2>&1
  judged --contender "$calibrated" --plot "$out/calibrated.svg" >/dev/null 2>&1
  judged --contender "$measured" --plot "$out/measure.svg" >/dev/null 2>&1
  echo "heat maps: $out/estimate.svg $out/calibrated.svg $out/measure.svg"
fi
