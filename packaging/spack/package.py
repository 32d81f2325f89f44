# Spack recipe: in a repository of one's own as packages/rondo/package.py, `spack install rondo ^mpich`.
from spack.package import *


class Rondo(CMakePackage):
    """Persistent, non-uniform all-to-all exchanges on MPI: planned once for a
    communicator, then run again and again; with an interposer that gives
    unmodified programs the same."""

    license("BSD-3-Clause")

    # Where the sources are: spack develop --path=FOLDER rondo@main
    version("main")

    variant("shared", default=True, description="Build a shared library")
    variant("cli", default=True, description="Build the rondo command")

    depends_on("c", type="build")
    depends_on("cxx", type="build")
    depends_on("cmake@3.22:", type="build")
    depends_on("mpi@3.1:")
    depends_on("fmt@8:")
    depends_on("cli11@2.1:", when="+cli", type="build")
    depends_on("nlohmann-json@3.10:", type="build")

    conflicts("%gcc@:10", msg="Rondo is written in C++20")

    def cmake_args(self):
        return [
            self.define_from_variant("BUILD_SHARED_LIBS", "shared"),
            self.define_from_variant("RONDO_BUILD_CLI", "cli"),
            self.define("MPI_C_COMPILER", self.spec["mpi"].mpicc),
            self.define("RONDO_BUILD_TESTS", False),
            self.define("RONDO_BUILD_EXAMPLES", False),
        ]
