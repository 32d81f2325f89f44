# The all-to-all calls of mpi4py: of buffers, with counts, with types, between neighbours, persistent where it has them,
# and the one that sends Python objects.
import array
import sys

from mpi4py import MPI

ROUNDS = int(sys.argv[1]) if len(sys.argv) > 1 else 8

world = MPI.COMM_WORLD
rank = world.Get_rank()
ranks = world.Get_size()
wrong = {}


def ints(values):
    return array.array("i", values)


def value(source, destination, number):
    return 10000 * number + 100 * source + destination


def check(name, received, sources, number):
    expected = [value(source, rank, number) for source in sources]
    wrong[name] = wrong.get(name, 0) + sum(a != b for a, b in zip(received, expected, strict=True))


everyone = range(ranks)
ring = world.Create_dist_graph_adjacent([(rank - 1) % ranks], [(rank + 1) % ranks])
for number in range(ROUNDS):
    out = ints(value(rank, to, number) for to in everyone)

    got = ints([-1] * ranks)
    world.Alltoall(out, got)
    check("Alltoall", got, everyone, number)

    got = ints([-1] * ranks)
    ones, places = [1] * ranks, list(everyone)
    world.Alltoallv([out, ones, places, MPI.INT], [got, ones, places, MPI.INT])
    check("Alltoallv", got, everyone, number)

    got = ints([-1] * ranks)
    offsets = [4 * i for i in everyone]
    types = [MPI.INT] * ranks
    world.Alltoallw([out, (ones, offsets), types], [got, (ones, offsets), types])
    check("Alltoallw", got, everyone, number)

    got = ints([-1] * ranks)
    world.Ialltoallv([out, ones, places, MPI.INT], [got, ones, places, MPI.INT]).Wait()
    check("Ialltoallv", got, everyone, number)

    got = ints([-1] * ranks)
    got_too = ints([-1] * ranks)
    MPI.Request.Waitall([world.Ialltoall(out, got), world.Ialltoall(out, got_too)])
    check("Ialltoall", got, everyone, number)
    check("Ialltoall", got_too, everyone, number)

    got = ints([-1])
    ring.Neighbor_alltoallv([ints([value(rank, (rank + 1) % ranks, number)]), [1], [0], MPI.INT],
                            [got, [1], [0], MPI.INT])
    check("Neighbor_alltoallv", got, [(rank - 1) % ranks], number)

    check("alltoall", world.alltoall(list(out)), everyone, number)

if hasattr(world, "Alltoallv_init"):  # mpi4py 4
    out, got = ints([0] * ranks), ints([0] * ranks)
    request = world.Alltoallv_init(out, got)
    for number in range(ROUNDS):
        out[:] = ints(value(rank, to, number) for to in everyone)
        request.Start()
        request.Wait()
        check("Alltoallv_init", got, everyone, number)
    request.Free()

for name, count in sorted(wrong.items()):
    total = world.reduce(count)
    if rank == 0:
        print(f"{name}: {total} wrong")
