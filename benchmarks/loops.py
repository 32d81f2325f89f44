#!/usr/bin/env python3
"""Times loops like those of the OSU and the Intel benchmarks (tests/pmpi/loops.c) by the MPI library and under the
interposer, in runs by turns, and tells which calls are slower under it.

A run is a program of its own, so that each has its own places in memory and its own cores. Two runs, one of each kind,
follow each other within a second; what counts is the median of the pairs' ratios, as on a virtual machine the cores are
now near each other and now far, and may share a core's units. A call and size that is too much slower is measured
again, with three times as many runs, and then all of them count. Ends with 1 if any remains slower."""

import argparse
import statistics
import sys
from collections import defaultdict

from by_turns import SETTINGS, build_folder, by_turns, interposed, launcher, median_ratio, output_of

KINDS = ("native", "interposed")
SHOWN = (64, 4096, 65536, 1048576)  # bytes


def command_line(options, kind):
    launch = launcher(options.mpi, options.ranks)
    if kind == "interposed":
        launch += interposed(options.mpi) + ["RONDO_INTERCEPT=all"]
    program = str(build_folder(options.mpi) / "bin" / "pmpi_loops")
    return launch + [program, "--times", "--iterations", str(options.iterations), "--warm-up", str(options.warm_up)]


def run(options, kind, calls):
    """Microseconds by call and size."""
    times = {}
    for line in output_of(command_line(options, kind) + calls).splitlines()[1:]:
        call, size, _, average = line.split()[:4]
        times[call, int(size)] = float(average)
    return times


def measure(options, calls, runs, times):
    """Adds the times of runs by turns."""
    for kind in by_turns(KINDS, runs):
        for place, average in run(options, kind, calls).items():
            times[kind][place].append(average)


def medians(times, place):
    """Under the interposer, and without it."""
    return tuple(statistics.median(times[kind][place]) for kind in reversed(KINDS))


def ratio(times, place):
    """Of the time under the interposer to that without it, in the median of the pairs."""
    return median_ratio(times["interposed"][place], times["native"][place])


def slower(times, limit):
    return [place for place in times["native"] if ratio(times, place) > limit]


def print_table(times):
    print("| call | " + " | ".join(f"{size} B" for size in SHOWN) + " | largest ratio |")
    print("|---|" + "---|" * (len(SHOWN) + 1))
    for call in dict.fromkeys(call for call, _ in times["native"]):
        cells = []
        for size in SHOWN:
            cells.append(" / ".join(f"{one:,.2f}" if one < 10 else f"{one:,.0f}" for one in medians(times, (call, size))))
        worst = max((size for each, size in times["native"] if each == call), key=lambda size: ratio(times, (call, size)))
        print(f"| `{call}` | " + " | ".join(cells) + f" | {ratio(times, (call, worst)):.2f} at {worst} B |")


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--mpi", choices=SETTINGS, default="mpich")
    parser.add_argument("--ranks", type=int, default=2)
    parser.add_argument("--runs", type=int, default=5, help="of each kind")
    parser.add_argument("--iterations", type=int, default=200, help="calls of a size in a run")
    parser.add_argument("--warm-up", type=int, default=20, help="calls of a size before these")
    parser.add_argument("--limit", type=float, default=1.05, help="the ratio from which on a call counts as slower")
    parser.add_argument("calls", nargs="*", help="names of loops.c, all by default")
    options = parser.parse_args()

    times = {kind: defaultdict(list) for kind in KINDS}
    measure(options, options.calls, options.runs, times)
    doubtful = slower(times, options.limit)
    if doubtful:
        again = list(dict.fromkeys(call for call, _ in doubtful))
        print(f"slower in the first {options.runs} runs, so measured again: {', '.join(again)}", file=sys.stderr)
        measure(options, again, 3 * options.runs, times)
    print_table(times)
    left = slower(times, options.limit)
    print(f"\n{len(times['native'])} calls and sizes; slower by more than {options.limit - 1:.0%} under the interposer: {len(left)}")
    for place in left:
        interposed, native = medians(times, place)
        print(f"  {place[0]}, {place[1]} B: {interposed:.3f} us, without it {native:.3f} us, {ratio(times, place):.2f} of it")
    return 1 if left else 0


if __name__ == "__main__":
    sys.exit(main())
