# Builds for arm64 with Debian's cross compiler, on libraries that lie in build/arm64-root (./dev build --arm64 puts them
# there), and runs programs in qemu.
set(CMAKE_SYSTEM_NAME Linux)
set(CMAKE_SYSTEM_PROCESSOR aarch64)
set(CMAKE_C_COMPILER aarch64-linux-gnu-gcc)
set(CMAKE_CXX_COMPILER aarch64-linux-gnu-g++)

get_filename_component(CMAKE_SYSROOT "${CMAKE_CURRENT_LIST_DIR}/../build/arm64-root" ABSOLUTE)
set(CMAKE_FIND_ROOT_PATH_MODE_PROGRAM NEVER)
set(CMAKE_FIND_ROOT_PATH_MODE_LIBRARY ONLY)
set(CMAKE_FIND_ROOT_PATH_MODE_INCLUDE ONLY)
set(CMAKE_FIND_ROOT_PATH_MODE_PACKAGE ONLY)
set(CMAKE_CROSSCOMPILING_EMULATOR qemu-aarch64 -L ${CMAKE_SYSROOT})

# This machine's mpicc knows nothing of that MPICH. Without a launcher the tests are those that need no ranks.
set(MPI_C_LIB_NAMES mpich)
set(MPI_mpich_LIBRARY ${CMAKE_SYSROOT}/usr/lib/aarch64-linux-gnu/libmpich.so)
set(MPI_C_COMPILER_INCLUDE_DIRS ${CMAKE_SYSROOT}/usr/include/aarch64-linux-gnu/mpich)
set(MPIEXEC_EXECUTABLE "" CACHE FILEPATH "No launcher")
