# Finds the MPI named by RONDO_MPI through its own wrapper, so that MPICH and Open MPI can be installed
# side by side. Gives MPI::MPI_C, RONDO_MPIEXEC and RONDO_MPIEXEC_FLAGS.
if(RONDO_MPI STREQUAL openmpi)
  set(RONDO_MPIEXEC mpirun.openmpi)
  set(RONDO_MPIEXEC_FLAGS --oversubscribe --allow-run-as-root)
else()
  set(RONDO_MPIEXEC mpiexec.${RONDO_MPI})
  set(RONDO_MPIEXEC_FLAGS "")
endif()
if(RONDO_SANITIZE MATCHES address)
  # MPI libraries keep memory until the end, some of it from modules that are no longer there to be named.
  if(RONDO_MPI STREQUAL openmpi)
    list(APPEND RONDO_MPIEXEC_FLAGS -x ASAN_OPTIONS=detect_leaks=0)
  else()
    list(APPEND RONDO_MPIEXEC_FLAGS -genv ASAN_OPTIONS detect_leaks=0)
  endif()
endif()
# By which rondo.h knows the mpi.h that it should meet.
string(MAKE_C_IDENTIFIER ${RONDO_MPI} RONDO_MPI_NAME)
string(TOUPPER ${RONDO_MPI_NAME} RONDO_MPI_NAME)
find_program(RONDO_MPIEXEC_PATH ${RONDO_MPIEXEC} REQUIRED)
find_program(MPI_C_COMPILER mpicc.${RONDO_MPI} REQUIRED)
set(MPI_CXX_SKIP_MPICXX TRUE)
set(CMAKE_FIND_PACKAGE_TARGETS_GLOBAL TRUE)  # a project that adds this one as a folder links MPI through it
find_package(MPI 3.1 REQUIRED COMPONENTS C)
unset(CMAKE_FIND_PACKAGE_TARGETS_GLOBAL)
