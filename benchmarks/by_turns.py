"""What the scripts that compare two kinds of runs have in common: how a program is launched, and runs by turns."""

import os
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


def by_turns(kinds, runs):
    """The kind of each run: each kind first in every other pair."""
    for turn in range(runs):
        yield from kinds if turn % 2 == 0 else reversed(kinds)
