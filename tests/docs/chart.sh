#!/bin/sh
# The chart of docs/performance.md shows the figures of its data: each ratio is that of the two times, and each figure is
# a text of the chart. So it is in the tree named (the project's own without an argument).
set -eu
cd "${1:-"$(dirname "$0")/../.."}/docs/performance"

faults=$(grep -v '^#' overview.csv | awk -F, '
  FNR == NR { chart = chart $0 "\n"; next }
  FNR == 1 { next }
  {
    where = "overview.csv: " $1 ", " $2
    if ($3 != "") {
      off = $4 / $3 - $5
      if (off > 0.006 || off < -0.006) print where ": " $4 " / " $3 " is not " $5
      if (!index(chart, $3 " → " $4 "<")) print where ": the chart has no " $3 " → " $4
    }
    if (!index(chart, ">" $5 "<")) print where ": the chart has no " $5
    if (!index(chart, ">" $1 "<")) print where ": the chart does not name it"
  }' overview.svg -)
if [ -n "$faults" ]; then
  printf '%s\nto draw it: gnuplot docs/performance/overview.gnuplot\n' "$faults"
  exit 1
fi
echo "chart: $(grep -cv '^#\|^setting' overview.csv) bars, all as in the data"
