#!/usr/bin/env python3
"""Times communicators that are made, used for three small calls and freed, by the MPI library and under the interposer,
in runs by turns (tests/pmpi/short_lived.c).

A run is a program of its own; figures are medians, in microseconds a communicator. What counts is the median of the
ratios of runs that follow each other, as the cores of a virtual machine are now faster and now slower. Ends with 1 if
the communicators of some kind take longer under the interposer than the limit allows, or memory grows under it."""

import argparse
import re
import statistics
import sys
from collections import defaultdict

from by_turns import SETTINGS, build_folder, by_turns, interposed, launcher, median_ratio, output_of

KINDS = ("native", "interposed")
LINE = re.compile(r"(\w+) +([\d.]+) us: made in ([\d.]+), three calls ([\d.]+), freed in ([\d.]+); (-?\d+) pages more")
PHASES = ("in all", "made", "three calls", "freed")
MOST_PAGES = 16  # that half of the communicators may add, as the MPI library's own do


def run(options, kind):
    """What the program prints for each way to make communicators: a time for each phase, and pages."""
    launch = launcher(options.mpi, options.ranks)
    if kind == "interposed":
        launch += interposed(options.mpi)
    program = str(build_folder(options.mpi) / "bin" / "pmpi_short_lived")
    text = output_of(launch + [program, "--times", str(options.communicators)])
    found = LINE.findall(text)
    if not found:
        sys.exit(f"{program} prints no times:\n{text}")
    return {maker: [float(figure) for figure in figures] for maker, *figures in found}


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--mpi", choices=SETTINGS, default="openmpi")
    parser.add_argument("--ranks", type=int, default=2)
    parser.add_argument("--runs", type=int, default=11, help="of each kind (default: %(default)s)")
    parser.add_argument("--communicators", type=int, default=10000, help="of each way to make them (default: %(default)s)")
    parser.add_argument("--limit", type=float, default=1.2, help="the ratio that is allowed (default: %(default)s)")
    options = parser.parse_args()

    figures = {kind: defaultdict(list) for kind in KINDS}
    for kind in by_turns(KINDS, options.runs):
        for maker, of_run in run(options, kind).items():
            figures[kind][maker].append(of_run)
    failed = False
    print("| made by | " + " | ".join(f"{phase}, us: interposed / native" for phase in PHASES) + " | ratio | pages more |")
    print("|---|" + "---|" * (len(PHASES) + 2))
    for maker in figures["native"]:
        native, ours = (list(zip(*figures[kind][maker])) for kind in KINDS)  # by phase, then by run
        ratio = median_ratio(ours[0], native[0])
        cells = [f"{statistics.median(one):.2f} / {statistics.median(other):.2f}" for one, other in zip(ours[:-1], native)]
        pages = statistics.median(ours[-1])
        print(f"| {maker} | " + " | ".join(cells) + f" | {ratio:.2f} | {pages:.0f} |")
        failed = failed or ratio > options.limit or pages > MOST_PAGES
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
