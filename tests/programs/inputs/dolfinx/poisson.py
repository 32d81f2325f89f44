# The Poisson equation on refined boxes, each of which has a mesh of its own.

import numpy as np
import ufl
from dolfinx import fem, mesh
from mpi4py import MPI
from petsc4py.PETSc import ScalarType

comm = MPI.COMM_WORLD
for cells in (6, 8):
    corners = [np.zeros(3), np.ones(3)]
    box = mesh.create_box(comm, corners, [cells, cells, cells], mesh.CellType.tetrahedron)
    box.topology.create_entities(1)
    fine = mesh.refine(box)
    fine.topology.create_connectivity(2, 3)
    for degree in (1, 2):
        space = fem.FunctionSpace(fine, ("Lagrange", degree))
        u, v, x = ufl.TrialFunction(space), ufl.TestFunction(space), ufl.SpatialCoordinate(fine)
        facets = mesh.exterior_facet_indices(fine.topology)
        edge = fem.dirichletbc(ScalarType(0), fem.locate_dofs_topological(space, 2, facets), space)
        left = ufl.inner(ufl.grad(u), ufl.grad(v)) * ufl.dx
        right = ufl.inner(x[0] * x[1], v) * ufl.dx
        options = {"ksp_type": "cg", "pc_type": "jacobi", "ksp_rtol": 1e-10}
        solution = fem.petsc.LinearProblem(left, right, bcs=[edge], petsc_options=options).solve()
        norm = comm.allreduce(fem.assemble_scalar(fem.form(ufl.inner(solution, solution) * ufl.dx)))
        if comm.rank == 0:
            print(f"degree {degree}, {space.dofmap.index_map.size_global} unknowns: {norm:.15e}", flush=True)
