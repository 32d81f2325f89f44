#!/usr/bin/env python3
"""Times the example programs whole with --exchange mpi and with --exchange rondo, in runs by turns, and tells which are
slower with Rondo.

Each run is a process of its own and evaluates once: what one evaluation leaves in a process's heap makes the next one
faster or slower, by more than the exchanges take. A run with MPI and one with Rondo follow each other, and what counts
is the median of the pairs' ratios. Most of the time is the programs' own, and differs between runs by more than some
programs' exchanges take: those that seem slower are measured again, with three times as many runs, and then all of them
count; the fastest runs are compared, too. Answers are compared. Ends with 1 if any program is slower."""

import argparse
import json
import statistics
import sys
import tempfile

from by_turns import ROOT, SETTINGS, build_folder, by_turns, launcher, output_of

DATA = ROOT / "examples" / "data"
EXCHANGES = ("mpi", "rondo")
PROGRAMS = {
    "bcspwr06": ["transitive_closure", str(DATA / "bcspwr06.mtx")],
    "email-Eu-core": ["transitive_closure", str(DATA / "email-Eu-core.txt")],
    "ca-GrQc": ["transitive_closure", str(DATA / "ca-GrQc.mtx")],
    "p2p-Gnutella09": ["transitive_closure", str(DATA / "p2p-Gnutella09.txt")],
    "usroads": ["path_finding", str(DATA / "usroads.mtx")],
    "kcfa": ["kcfa", "--generate", "100", "4"],
    "fft 16,16,16": ["fft", "--size", "16,16,16"],
    "fft 64,64,64": ["fft", "--size", "64,64,64"],
}


def command_line(options, name, exchange, file):
    program, *arguments = PROGRAMS[name]
    binary = str(build_folder(options.mpi) / "bin" / program)
    return launcher(options.mpi, options.ranks) + [binary, *arguments, "--exchange", exchange, "--json", file]


def run(options, name, exchange):
    """Seconds of the whole, in exchanges, and in these without waiting for other ranks; and the answer."""
    with tempfile.NamedTemporaryFile(suffix=".json") as file:
        output_of(command_line(options, name, exchange, file.name))
        # Of several ways of MPI's that a program has, the fastest.
        one = min(json.load(file)["medians"], key=lambda each: each["seconds"])
    return (one["seconds"], one["exchange_seconds"], one.get("least_exchange_seconds")), one.get("checksum")


def measure(options, name, runs, times, answers):
    """Adds the times of runs by turns, and the answers, all of which are to be the same."""
    for exchange in by_turns(EXCHANGES, runs):
        seconds, answer = run(options, name, exchange)
        times[exchange].append(seconds)
        answers.add(answer)
    if len(answers) != 1:
        sys.exit(f"{name}: the answers differ")


def readable(seconds):
    for unit, scale in (("s", 1), ("ms", 1e3), ("us", 1e6)):
        if seconds * scale >= 1:
            return f"{seconds * scale:.3g} {unit}"
    return f"{seconds * 1e6:.2f} us"


def figures(times, part):
    """Of the runs with MPI, and of those with Rondo: the whole (0), in exchanges (1), in these without waiting (2).
    Without those that do not tell: FFTW's own transform, where it is the fastest of MPI's ways."""
    return tuple([each[part] for each in times[exchange] if each[part] is not None] for exchange in EXCHANGES)


def ratios(times):
    mpi, rondo = figures(times, 0)
    return sorted(one / other for one, other in zip(rondo, mpi))


def print_row(name, times):
    cells = []
    for part in range(3):
        mpi, rondo = figures(times, part)
        medians = [readable(statistics.median(each)) for each in (mpi, rondo) if each]
        cells.append(" / ".join(medians) if len(medians) == 2 else "")
    mpi, rondo = figures(times, 0)
    found = ratios(times)
    share = statistics.median(figures(times, 1)[1]) / statistics.median(rondo)
    print(f"| `{name}` | {cells[0]} | {statistics.median(found):.2f} ({found[0]:.2f} to {found[-1]:.2f}) | "
          f"{min(rondo) / min(mpi):.2f} | {cells[1]} | {cells[2]} | {share:.0%} | {len(found)} |", flush=True)


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--mpi", choices=SETTINGS, default="mpich")
    parser.add_argument("--ranks", type=int, default=2)
    parser.add_argument("--runs", type=int, default=9, help="of each kind")
    parser.add_argument("programs", nargs="*", metavar="program", help=f"of {', '.join(PROGRAMS)}; all by default")
    options = parser.parse_args()
    unknown = [name for name in options.programs if name not in PROGRAMS]
    if unknown:
        parser.error(f"no such program: {', '.join(unknown)}")

    print("| program | whole, MPI / Rondo | ratio | of the fastest | exchanges | without waiting | Rondo's share | runs |")
    print("|---|---|---|---|---|---|---|---|")
    names = options.programs or list(PROGRAMS)
    slower = []
    for name in names:
        times = {exchange: [] for exchange in EXCHANGES}
        answers = set()
        measure(options, name, options.runs, times, answers)
        if statistics.median(ratios(times)) > 1:
            measure(options, name, 3 * options.runs, times, answers)
        print_row(name, times)
        if statistics.median(ratios(times)) > 1:
            slower.append(name)
    print(f"\n{len(names)} programs; slower with Rondo: {', '.join(slower) or 'none'}")
    return 1 if slower else 0


if __name__ == "__main__":
    sys.exit(main())
