"""The programs: for each what is made ready before it runs, how it is run, and what of its results is compared."""

import re
import shutil
import subprocess
from pathlib import Path

INPUTS = Path(__file__).parent / "inputs"
ENVIRONMENT = {"OMP_NUM_THREADS": "1", "CP2K_DATA_DIR": "/usr/share/cp2k", "WM_PROJECT_DIR": "/usr/share/openfoam"}
DECIMAL = r"[-+]?\d+\.\d+(?:[eE][-+]?\d+)?"


def make(folder, *command):
    """Runs a command that makes inputs ready; its output is shown if it fails."""
    done = subprocess.run(command, cwd=folder, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
    if done.returncode != 0:
        raise RuntimeError(f"{' '.join(map(str, command))}:\n{done.stdout}")


def lines_with(pattern, text):
    return [line.strip() for line in text.splitlines() if re.search(pattern, line)]


def replace_line(pattern, by, text):
    return re.sub(rf"^{pattern}$", by, text, flags=re.MULTILINE)


class Program:
    """One program and its case. A run has a folder of its own, in which prepare() has been at work once."""

    name = ""
    inputs = None  # a folder of INPUTS, whose files a run needs
    printed = None  # what marks the lines of its output that say what was computed, without times and dates
    needs = ()  # commands and files, without which it is not installed

    def installed(self):
        return all(shutil.which(need) or Path(need).exists() for need in self.needs)

    def prepare(self, folder, ranks):
        """Makes the inputs. `folder` is empty."""
        if self.inputs:
            shutil.copytree(INPUTS / self.inputs, folder, dirs_exist_ok=True)

    def command(self, ranks):
        """What each rank runs, in the folder."""
        raise NotImplementedError

    def results(self, folder, output):
        """The lines that say what was computed."""
        return lines_with(self.printed, output)


class Gromacs(Program):
    name = "GROMACS"
    inputs = "gromacs"
    needs = ("gmx_mpi",)

    def prepare(self, folder, ranks):
        super().prepare(folder, ranks)
        box = "/usr/share/gromacs/top/spc216.gro"
        make(folder, "gmx_mpi", "-quiet", "genconf", "-f", box, "-nbox", "2", "2", "2", "-o", "conf.gro")
        make(folder, "gmx_mpi", "-quiet", "grompp", "-f", "md.mdp", "-c", "conf.gro", "-p", "topol.top", "-maxwarn", "2")

    def command(self, ranks):
        threads = ["-ntomp", "1", "-pin", "off"]
        # Every rank has a part of the mesh, and nothing is balanced by time, so that runs are alike.
        alike = ["-npme", "0", "-dlb", "no", "-notunepme", "-reprod"]
        return ["gmx_mpi", "-quiet", "mdrun", "-s", "topol.tpr", *threads, *alike]

    def results(self, folder, output):
        log = (folder / "md.log").read_text()
        energies = re.findall(r"Energies \(kJ/mol\)\n(.*?)\n\n", log, re.DOTALL)
        return energies + (folder / "confout.gro").read_text().splitlines()


class Lammps(Program):
    name = "LAMMPS"
    printed = rf"^\s+\d+(\s+{DECIMAL}){{8}}"
    example = Path("/usr/share/lammps/examples/peptide")
    needs = ("lmp", str(example / "in.peptide"))
    columns = "step etotal ke pe ebond eangle evdwl ecoul elong press"

    def prepare(self, folder, ranks):
        text = (self.example / "in.peptide").read_text()
        text = replace_line(r"(kspace_style.*)", r"\1\nkspace_modify collective yes", text)
        text = replace_line(r"read_data.*", f"read_data {self.example / 'data.peptide'}", text)
        text = replace_line(r"run.*", "run 100", text)
        shown = f"thermo_style custom {self.columns}\nthermo_modify format float %20.15g\nthermo 10"
        text = replace_line(r"thermo_style.*", shown, replace_line(r"thermo\s.*", "", text))
        (folder / "in.peptide").write_text(text)

    def command(self, ranks):
        return ["lmp", "-in", "in.peptide"]


class QuantumEspresso(Program):
    name = "Quantum ESPRESSO"
    inputs = "espresso"
    printed = r"(total energy|accuracy|contribution|highest occupied|iterations)"
    needs = ("pw.x", "/usr/share/espresso/pseudo/Si.pz-vbc.UPF")

    def command(self, ranks):
        return ["pw.x", "-in", "silicon.in"]


class Cp2k(Program):
    name = "CP2K"
    inputs = "cp2k"
    printed = r"ENERGY\|"
    needs = ("cp2k.psmp", "/usr/share/cp2k/GTH_BASIS_SETS")

    def command(self, ranks):
        return ["cp2k.psmp", "water.inp"]


class HpcChallenge(Program):
    name = "HPC Challenge"
    example = "/usr/share/doc/hpcc/examples/_hpccinf.txt"
    needs = ("hpcc", example)

    def prepare(self, folder, ranks):
        text = Path(self.example).read_text()
        text = replace_line(r"\d+(\s+Ps)", rf"{ranks // 2}\1", text)
        text = replace_line(r"\d+(\s+Qs)", r"2\1", text)
        (folder / "hpccinf.txt").write_text(text)

    def command(self, ranks):
        return ["hpcc"]

    def results(self, folder, output):
        text = (folder / "hpccoutf.txt").read_text()
        (folder / "hpccoutf.txt").unlink()  # which the next run would write to the end of
        return lines_with(r"(Success|_Errors|_maxErr|residual checks|\|\|Ax-b\|\||HPL_.*norm)", text)


class Scotch(Program):
    name = "PT-Scotch"
    needs = ("gmk_m3", "dgord")

    def prepare(self, folder, ranks):
        make(folder, "gmk_m3", "40", "40", "40", "mesh.grf")

    def command(self, ranks):
        return ["dgord", "-Cd", "mesh.grf", "order.txt"]  # d: the same in each run

    def results(self, folder, output):
        return (folder / "order.txt").read_text().splitlines()


class Dolfinx(Program):
    name = "dolfinx"
    inputs = "dolfinx"
    printed = r"^degree"

    def installed(self):
        found = subprocess.run(["/usr/bin/python3", "-c", "import dolfinx"], stderr=subprocess.DEVNULL)
        return found.returncode == 0

    def prepare(self, folder, ranks):
        super().prepare(folder, ranks)
        make(folder, "env", f"XDG_CACHE_HOME={folder}/cache", *self.command(1))  # compiles the forms

    def command(self, ranks):
        return ["/usr/bin/python3", "poisson.py"]


class OpenFoam(Program):
    name = "OpenFOAM"
    printed = r"(Solving for|continuity errors|volume fraction|Selected|Courant)"
    case_folder = "/usr/share/doc/openfoam-examples/examples/multiphase/interFoam/laminar/damBreakWithObstacle"
    needs = ("interFoam", case_folder)

    def prepare(self, folder, ranks):
        shutil.copytree(self.case_folder, folder, dirs_exist_ok=True)
        shutil.copytree(folder / "0.orig", folder / "0")
        shutil.copy(INPUTS / "openfoam" / "controlDict", folder / "system")
        parts = (INPUTS / "openfoam" / "decomposeParDict").read_text().replace("RANKS", str(ranks))
        (folder / "system" / "decomposeParDict").write_text(parts)
        make(folder, "blockMesh")
        make(folder, "topoSet")
        make(folder, "subsetMesh", "-overwrite", "c0", "-patch", "walls")
        make(folder, "setFields")
        make(folder, "decomposePar")

    def command(self, ranks):
        return ["interFoam", "-parallel"]


ALL = [Gromacs(), Lammps(), QuantumEspresso(), Cp2k(), HpcChallenge(), Scotch(), Dolfinx(), OpenFoam()]
