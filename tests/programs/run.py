#!/usr/bin/env python3
"""Runs programs of Debian's packages as they are and under the interposer, and compares results and times.

Each run of a program is one of five kinds, by turns, so that what else goes on meets all alike:
  plain          without the interposer: its results are what others are held to, its whole time is what others are compared with;
  counted        with the interposer, which counts and times calls and takes over none but persistent ones;
  rondo          with the interposer as users have it;
  counted apart  and
  rondo apart    as these two, but that the ranks meet before each call, and their waiting is no part of its time.
Ends with 1 if results differ, or where a program fails."""

import argparse
import json
import os
import re
import shutil
import statistics
import subprocess
import sys
import tempfile
import time
from dataclasses import dataclass, field
from pathlib import Path

import programs

KINDS = ("plain", "counted", "rondo", "counted apart", "rondo apart")
NEVER = "1000000000"  # RONDO_CACHE_AFTER: more calls than a program makes


@dataclass
class Measured:
    """The runs of one kind."""

    seconds: list = field(default_factory=list)  # whole
    in_calls: list = field(default_factory=list)  # seconds in calls that the report has
    calls: int = 0  # on more than one rank, in the last run
    taken_over: int = 0
    results: list = field(default_factory=list)  # of each run, the lines

    def add_report(self, report):
        in_all = json.loads(report.read_text())["in_all"]
        ours = [in_all["by_rondo"], in_all["set_up"]]
        left = [each for why, each in in_all["left_to_mpi"].items() if why != "not_served"]
        self.in_calls.append(sum(each["seconds"] for each in ours + left))
        self.calls = sum(each["calls"] for each in ours + left)
        self.taken_over = sum(each["calls"] for each in ours)


def environment(kind, library, report, folder):
    """What the ranks have in their environment besides what this process has."""
    added = {"XDG_CACHE_HOME": str(folder / "cache")}
    if kind != "plain":
        words = f"waits,json:{report}" if kind.endswith("apart") else f"json:{report}"
        added |= {"LD_PRELOAD": str(library), "RONDO_REPORT": words}
    if kind.startswith("counted"):
        added["RONDO_CACHE_AFTER"] = NEVER
    return added


def run(program, kind, ranks, folder, arguments, measured):
    """One run, whose time and results are added to those of its kind."""
    report = folder / "rondo-report.json"
    report.unlink(missing_ok=True)
    words = [f"{name}={value}" for name, value in environment(kind, arguments.library, report, folder).items()]
    launch = [*arguments.launcher.split(), "-n", str(ranks), "env", *words, *program.command(ranks)]
    begin = time.monotonic()
    done = subprocess.run(launch, cwd=folder, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
                          stdin=subprocess.DEVNULL, timeout=arguments.timeout, errors="replace")
    seconds = time.monotonic() - begin
    if done.returncode != 0:
        raise RuntimeError(f"{program.name}, {kind}, ends with {done.returncode}:\n{done.stdout[-2000:]}{done.stderr[-2000:]}")
    measured.seconds.append(seconds)
    results = program.results(folder, done.stdout)
    if not results:
        raise RuntimeError(f"{program.name}, {kind}, has printed no results:\n{done.stdout[-2000:]}")
    measured.results.append(results)
    if kind != "plain":
        measured.add_report(report)


def numbers_near(one, other, tolerance):
    """Whether lines are the same but for numbers with a point, which may differ a little."""
    if len(one) != len(other):
        return False
    for left, right in zip(one, other):
        if re.sub(programs.DECIMAL, "#", left) != re.sub(programs.DECIMAL, "#", right):
            return False
        for a, b in zip(re.findall(programs.DECIMAL, left), re.findall(programs.DECIMAL, right)):
            if abs(float(a) - float(b)) > tolerance * max(abs(float(a)), abs(float(b)), 1e-6):
                return False
    return True


def compare(by_kind, tolerance):
    """Says how the results of all runs compare with those without the interposer; None if they differ."""
    plain = by_kind["plain"].results
    others = [each for kind in KINDS[1:] for each in by_kind[kind].results]
    if all(each == plain[0] for each in plain + others):
        return "equal"
    reproducible = len(plain) > 1 and all(each == plain[0] for each in plain)
    if not reproducible and all(numbers_near(plain[0], each, tolerance) for each in plain + others):
        return "near"
    return None


def first_difference(by_kind):
    plain = by_kind["plain"].results[0]
    for kind in KINDS:
        for number, lines in enumerate(by_kind[kind].results):
            for left, right in zip(plain + [""], lines + [""]):
                if left != right:
                    return f"run {number + 1}, {kind}:\n  {left}\n  {right}"
    return "in the number of lines"


def measure(program, ranks, arguments):
    """All runs of a program on so many ranks: a row of the table."""
    folder = Path(tempfile.mkdtemp(prefix="rondo-programs-", dir=arguments.folder))
    by_kind = {kind: Measured() for kind in KINDS}
    try:
        program.prepare(folder, ranks)
        run(program, "plain", ranks, folder, arguments, Measured())  # whose files are in no cache yet
        for number in range(arguments.runs):
            for at in range(len(KINDS)):
                kind = KINDS[(number + at) % len(KINDS)]
                run(program, kind, ranks, folder, arguments, by_kind[kind])
    finally:
        if not arguments.keep:
            shutil.rmtree(folder, ignore_errors=True)
    how = compare(by_kind, arguments.tolerance)
    if how is None:
        raise RuntimeError(f"{program.name} on {ranks} ranks: results differ, {first_difference(by_kind)}")
    rondo = by_kind["rondo"]
    ms = {kind: 1e3 * statistics.median(by_kind[kind].in_calls) for kind in KINDS[1:]}
    return {"program": program.name, "ranks": ranks, "results": how, "calls": rondo.calls, "taken_over": rondo.taken_over,
            "ms_in_calls": ms["rondo"], "ms_in_calls_native": ms["counted"],
            "ms_apart": ms["rondo apart"], "ms_apart_native": ms["counted apart"],
            "seconds": statistics.median(rondo.seconds), "seconds_native": statistics.median(by_kind["plain"].seconds)}


def as_line(row):
    share = 100.0 * row["taken_over"] / row["calls"] if row["calls"] else 0.0

    def beside(time):
        native = row[time + "_native"]
        return f"{row[time]:.1f} | {native:.1f} | {row[time] / native if native else 0.0:.2f}"

    return (f"| {row['program']} | {row['ranks']} | {row['results']} | {row['calls']:,} | {share:.1f} % "
            f"| {beside('ms_in_calls')} | {beside('ms_apart')} | {row['seconds']:.2f} | {row['seconds_native']:.2f} |")


HEAD = ["| program | ranks | results | calls | taken over | ms in these calls | native | ratio "
        "| ms without waits | native | ratio | whole, s | native |",
        "|---|---|---|---|---|---|---|---|---|---|---|---|---|"]


BEGIN, END = "<!-- table -->\n", "<!-- end of table -->"


def page(name):
    """A page that has room for the table. Looked at before the first run, as the last one comes much later."""
    path = Path(name)
    try:
        text = path.read_text()
    except OSError as error:
        raise argparse.ArgumentTypeError(f"{name}: {error.strerror}") from error
    if BEGIN not in text or END not in text.partition(BEGIN)[2]:
        raise argparse.ArgumentTypeError(f"{name} has no line {BEGIN.strip()} with a line {END} after it")
    return path


def key(line):
    """The program and the number of ranks of a line of the table."""
    return tuple(cell.strip() for cell in line.split("|")[1:3])


def write_table(page, lines):
    """Puts lines into the table between the two marks of the page, in place of those of the same program and ranks."""
    head, _, rest = page.read_text().partition(BEGIN)
    old, _, tail = rest.partition(END)
    table = {key(line): line for line in HEAD + old.splitlines()[len(HEAD):] + lines}
    page.write_text(head + BEGIN + "\n".join(table.values()) + "\n" + END + tail)


def parse():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("library", type=Path, help="librondo_pmpi.so, built for the programs' MPI")
    parser.add_argument("--ranks", default="2,4", help="numbers of ranks, with commas between them (default: %(default)s)")
    parser.add_argument("--runs", type=int, default=3, help="of each kind (default: %(default)s)")
    parser.add_argument("--only", help="names of programs, with commas between them; parts of names will do")
    parser.add_argument("--launcher", default="mpirun.openmpi --allow-run-as-root --oversubscribe")
    parser.add_argument("--timeout", type=float, default=300, help="seconds for one run (default: %(default)s)")
    parser.add_argument("--tolerance", type=float, default=1e-6,
                        help="by which numbers may differ, relatively, where runs without the interposer differ, too")
    parser.add_argument("--table", type=page, help="a page that the table is written to, between its marks")
    parser.add_argument("--json", type=Path, help="a file that the figures are written to")
    parser.add_argument("--folder", help="where the runs have their folders (default: that of temporary files)")
    parser.add_argument("--keep", action="store_true", help="leave these folders")
    return parser.parse_args()


def main():
    arguments = parse()
    arguments.library = arguments.library.resolve(strict=True)
    os.environ.pop("LD_PRELOAD", None)
    os.environ |= programs.ENVIRONMENT
    rows, failed = [], 0
    print("\n".join(HEAD), flush=True)
    for program in programs.ALL:
        if arguments.only and not any(word.lower() in program.name.lower() for word in arguments.only.split(",")):
            continue
        if not program.installed():
            print(f"{program.name} is not installed", file=sys.stderr)
            failed += 1
            continue
        for ranks in map(int, arguments.ranks.split(",")):
            try:
                rows.append(measure(program, ranks, arguments))
                print(as_line(rows[-1]), flush=True)
            except (RuntimeError, OSError, subprocess.TimeoutExpired) as error:
                print(error, file=sys.stderr)
                failed += 1
    if not rows and not failed:
        print(f"no program has a name with {arguments.only}", file=sys.stderr)
        return 1
    if arguments.table and not failed:
        write_table(arguments.table, [as_line(row) for row in rows])
    if arguments.json:
        arguments.json.write_text(json.dumps(rows, indent=2) + "\n")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
