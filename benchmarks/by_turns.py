"""What the scripts that compare two kinds of runs have in common: how a program is launched, runs by turns, and what
they come to."""

import os
import statistics
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
SETTINGS = {"mpich": ("release", ["mpiexec.mpich"]), "openmpi": ("openmpi", ["mpirun.openmpi", "--oversubscribe"])}


def build_folder(mpi):
    return ROOT / "build" / SETTINGS[mpi][0]


def launcher(mpi, ranks):
    """The command line that begins a program on so many ranks."""
    launch = list(SETTINGS[mpi][1])
    if mpi == "openmpi" and os.geteuid() == 0:
        launch.append("--allow-run-as-root")
    return launch + ["-n", str(ranks)]


def interposed(mpi):
    """The words before a program that runs under the interposer."""
    return ["env", f"LD_PRELOAD={build_folder(mpi)}/lib/librondo_pmpi.so"]


def output_of(command_line):
    """What it prints. Where it fails, the script ends."""
    done = subprocess.run(command_line, capture_output=True, text=True, check=False)
    if done.returncode != 0:
        sys.exit(f"{' '.join(command_line)}\n{done.stdout}{done.stderr}")
    return done.stdout


def by_turns(kinds, runs):
    """The kind of each run: each kind first in every other pair."""
    for turn in range(runs):
        yield from kinds if turn % 2 == 0 else reversed(kinds)


def median_ratio(ones, others):
    """Of the ratios of runs that follow each other."""
    return statistics.median(one / other for one, other in zip(ones, others))
