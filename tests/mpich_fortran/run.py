#!/usr/bin/env python3
"""Runs the Fortran tests of MPICH's own test suite as they are and under the interposer, on any MPI.

Each test that passes as it is must print the same in two more runs: with the interposer as users have it, and with all
that it can take over taken over from the first call on. Ends with 1 if one does not, if a collective test cannot be
compiled or fails without the interposer, or if Rondo has taken over nothing of an interface."""

import argparse
import json
import os
import re
import subprocess
import sys
import tempfile
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path

INTERFACES = {"f77": "mpif.h", "f90": "mpi", "f08": "mpi_f08"}  # what a program includes or uses
FLAGS = ["-O1", "-fallow-argument-mismatch", "-fcray-pointer"]  # by mpif.h, buffers of all types go to one routine

# What the module `mpi` of MPICH does not see and that of Open MPI refuses: where it asks for an array there is a single
# number that nobody reads, or for a number an array. MPI-4.0, 19.1.4, asks for what stands on the right.
ARGUMENTS = [
    (r"(alltoallw\( *MPI_IN_PLACE, *)0, *0, *MPI_DATATYPE_NULL", r"\1[0], [0], [MPI_DATATYPE_NULL]"),
    (r"(alltoallv\( *MPI_IN_PLACE, *)0, *0,", r"\1[0], [0],"),
    (r"(alltoallv\( *sbuf, *scounts, *sdispls, *)stypes,([^)]*)rtypes,", r"\1stypes(1),\2rtypes(1),"),
]

KINDS = {"plain": {}, "as users have it": {}, "from the first call": {"RONDO_INTERCEPT": "all", "RONDO_CACHE_AFTER": "1"}}


@dataclass
class Test:
    """One line of a list of tests."""

    interface: str
    folder: str
    name: str
    ranks: int
    sources: list
    program: Path

    def title(self):
        return f"{self.interface}/{self.folder}/{self.name}"


def find_tests(suite, folders, programs):
    """All tests of the lists that are Fortran alone."""
    found = []
    for interface in INTERFACES:
        for folder in folders:
            where = suite / interface / folder
            more = dict(re.findall(r"^(\w+)_SOURCES *= *(.+)$", (where / "Makefile.am").read_text(), re.MULTILINE))
            suffix = ".f" if interface == "f77" else ".f90"
            for name, ranks in re.findall(r"^(\w+) +(\d+)", (where / "testlist").read_text(), re.MULTILINE):
                sources = [where / source for source in more.get(name, name + suffix).split()]
                if all(source.suffix == suffix for source in sources):
                    found.append(Test(interface, folder, name, int(ranks), sources, programs / interface / folder / name))
    return found


def compile_test(test, suite, compiler):
    """Makes the program of a test. None, or what the compiler says against it."""
    where = test.program.parent / f"{test.name}.parts"  # modules with the same names lie apart
    where.mkdir(parents=True, exist_ok=True)
    helper = suite / "util" / ("mtest_f77.f" if test.interface == "f77" else f"mtest_{test.interface}.f90")
    sources = []
    for source in [*test.sources, helper]:
        text = source.read_text()
        if test.interface == "f90":
            for wrong, right in ARGUMENTS:
                text = re.sub(wrong, right, text)
        sources.append(where / source.name)
        sources[-1].write_text(text)
    for header in test.sources[0].parent.glob("*.h.in"):  # declarations of variables that hold addresses
        text = re.sub(r"@F77_MPI_(ADDRESS|OFFSET)@", "integer*8", header.read_text())
        (where / header.stem).write_text(text)
    sources = [sources[-1], *reversed(sources[:-1])] if test.interface == "f08" else sources
    done = subprocess.run([compiler, *FLAGS, f"-I{where}", *sources, "-o", test.program], cwd=where,
                          stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
    return None if done.returncode == 0 else done.stdout


def run_test(test, kind, arguments, folder):
    """What a test prints, its result, and the calls that Rondo has done."""
    report = folder / "report.json"
    report.unlink(missing_ok=True)
    environment = dict(os.environ)
    preload = []
    if kind != "plain":
        environment |= KINDS[kind] | {"RONDO_REPORT": f"json:{report}", "XDG_CACHE_HOME": str(folder / "cache")}
        preload = ["env", f"LD_PRELOAD={arguments.library}"]  # the launcher is not run with it
    command = [*arguments.launcher.split(), "-n", str(test.ranks), *preload, str(test.program)]
    try:
        done = subprocess.run(command, cwd=folder, env=environment, stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
                              stdin=subprocess.DEVNULL, text=True, timeout=arguments.timeout)
    except subprocess.TimeoutExpired:
        return "it does not end", False, 0
    ours = 0
    if report.exists():
        in_all = json.loads(report.read_text())["in_all"]
        ours = in_all["by_rondo"]["calls"] + in_all["set_up"]["calls"]
    return done.stdout, done.returncode == 0 and "No Errors" in done.stdout, ours


def parse():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("library", type=Path, help="librondo_pmpi.so, built for the MPI")
    parser.add_argument("suite", type=Path, help="the folder test/mpi of MPICH's source")
    parser.add_argument("--compiler", required=True, help="such as mpif90.openmpi")
    parser.add_argument("--launcher", required=True, help="with options, such as 'mpirun.openmpi --oversubscribe'")
    parser.add_argument("--folders", default="coll,topo", help="of each interface (default: %(default)s)")
    parser.add_argument("--only", default="", help="tests whose titles have this in them")
    parser.add_argument("--timeout", type=float, default=180, help="seconds for one run (default: %(default)s)")
    parser.add_argument("--jobs", type=int, default=os.cpu_count(), help="compilers at once")
    return parser.parse_args()


def main():
    arguments = parse()
    arguments.library = arguments.library.resolve(strict=True)
    arguments.suite = arguments.suite.resolve(strict=True)
    os.environ.pop("LD_PRELOAD", None)
    folders = arguments.folders.split(",")
    failed, left_out = 0, []
    passed, taken_over = dict.fromkeys(INTERFACES, 0), dict.fromkeys(INTERFACES, 0)
    with tempfile.TemporaryDirectory(prefix="rondo-mpich-fortran-") as name:
        folder = Path(name)
        tests = [test for test in find_tests(arguments.suite, folders, folder)
                 if arguments.only in test.title()]
        with ThreadPoolExecutor(arguments.jobs) as pool:
            compiled = list(pool.map(lambda test: compile_test(test, arguments.suite, arguments.compiler), tests))
        for test, refusal in zip(tests, compiled):
            fault = "cannot be compiled" if refusal else ""
            printed, said = {}, refusal
            for kind in KINDS if not refusal else ():
                printed[kind], right, ours = run_test(test, kind, arguments, folder)
                said = printed[kind]
                taken_over[test.interface] += ours
                if not right:
                    fault = "fails without the interposer" if kind == "plain" else f"fails under the interposer, {kind}"
                elif printed[kind] != printed["plain"]:
                    fault = f"prints something else under the interposer, {kind}"
                if fault:
                    break
            if not fault:
                passed[test.interface] += 1
                print(f"{test.title()} on {test.ranks} ranks: passes", flush=True)
            elif test.folder != "coll" and len(printed) <= 1:  # nothing of Rondo's was in it
                left_out.append(f"{test.title()}: {fault}")
            else:
                failed += 1
                print(f"{test.title()} on {test.ranks} ranks: {fault}\n{said}", flush=True)
    for interface, what in INTERFACES.items():
        print(f"{interface} ({what}): {passed[interface]} pass, {taken_over[interface]} calls taken over")
        if "coll" in folders and not arguments.only and taken_over[interface] == 0:
            print(f"{interface}: Rondo has taken over nothing")
            failed += 1
    print("\n".join(left_out))
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
