# Finds MPI as find_package(MPI) does (by MPI_C_COMPILER, MPI_HOME, a CMAKE_C_COMPILER that is a wrapper, or the PATH), or,
# where several are installed side by side, by RONDO_MPI, the suffix of the wrapper's name. Gives
#
#   rondo_mpi                    what links and compiles with it; mpi_functions.h is there, which says what it has
#   RONDO_MPI_NAME               mpich, openmpi, or what another one calls itself: by its mpi.h, not by how it was found
#   RONDO_MPI_ID                 the same for rondo.h: MPICH, OPENMPI, ANOTHER_MPI
#   RONDO_MPIEXEC_PATH, _FLAGS   the launcher, which only tests need
#   RONDO_MPI_C_COMPILER         its wrapper, and rondo_find_beside_wrapper(), which finds what belongs to that
#   RONDO_MPI_HAS_...            as in mpi_functions.h
include(CheckCSourceCompiles)
include(CheckSymbolExists)

if(RONDO_MPI AND NOT MPI_C_COMPILER)
  find_program(MPI_C_COMPILER mpicc.${RONDO_MPI} REQUIRED)
endif()
if(MPI_C_COMPILER AND NOT IS_ABSOLUTE "${MPI_C_COMPILER}")
  find_program(RONDO_MPI_WRAPPER ${MPI_C_COMPILER} REQUIRED)
  mark_as_advanced(RONDO_MPI_WRAPPER)
  set(MPI_C_COMPILER ${RONDO_MPI_WRAPPER} CACHE FILEPATH "MPI compiler for C" FORCE)
endif()
# Where the C compiler is a wrapper, it is asked for what it adds, since C++ may be compiled by a compiler that is none, and
# programs will be. FindMPI does not ask the C compiler itself, and so is given it by another path.
set(rondo_link ${PROJECT_BINARY_DIR}/configured/wrapper)
get_filename_component(rondo_c_compiler "${CMAKE_C_COMPILER}" NAME)
if(NOT MPI_C_COMPILER AND rondo_c_compiler MATCHES "^mpi")
  file(MAKE_DIRECTORY ${rondo_link})
  file(CREATE_LINK ${CMAKE_C_COMPILER} ${rondo_link}/${rondo_c_compiler} SYMBOLIC)
  set(MPI_C_COMPILER ${rondo_link}/${rondo_c_compiler} CACHE FILEPATH "MPI compiler for C")
endif()

# What belongs to a wrapper lies beside it under a name with the same suffix: mpiexec.mpich beside mpicc.mpich.
function(rondo_find_beside_wrapper variable)
  get_filename_component(folder "${RONDO_MPI_C_COMPILER}" DIRECTORY)
  get_filename_component(name "${RONDO_MPI_C_COMPILER}" NAME)
  if(name MATCHES "^mpi[a-z]*(.*)$")
    list(TRANSFORM ARGN APPEND "${CMAKE_MATCH_1}" OUTPUT_VARIABLE names)
    find_program(${variable} NAMES ${names} PATHS "${folder}" NO_DEFAULT_PATH)
    mark_as_advanced(${variable})
  endif()
endfunction()
macro(rondo_note_wrapper)
  set(RONDO_MPI_C_COMPILER "${MPI_C_COMPILER}")
  if(MPI_C_COMPILER STREQUAL ${rondo_link}/${rondo_c_compiler})
    set(RONDO_MPI_C_COMPILER "${CMAKE_C_COMPILER}")
  endif()
endmacro()
rondo_note_wrapper()
rondo_find_beside_wrapper(MPIEXEC_EXECUTABLE mpiexec mpirun)

set(MPI_CXX_SKIP_MPICXX TRUE)
rondo_find_package(MPI::MPI_C MPI 3.1 REQUIRED COMPONENTS C)
rondo_note_wrapper()

# ---- Which one it is --------------------------------------------------------------------------------------------

# What was learnt of another one that was found here before says nothing.
if(NOT RONDO_MPI_CHECKED STREQUAL "${MPI_C_INCLUDE_DIRS};${MPI_C_LIBRARIES}")
  foreach(check IS_OPENMPI IS_MPICH HAS_PERSISTENT_COLLECTIVES HAS_PERSISTENT_EXTENSION HAS_BIG_COUNTS
                HAS_PARTITIONED_MESSAGES HAS_SESSIONS HAS_STATUS_OF_SEVERAL HAS_BUFFERS_OF_COMMUNICATORS)
    unset(RONDO_MPI_${check} CACHE)
  endforeach()
  set(RONDO_MPI_CHECKED "${MPI_C_INCLUDE_DIRS};${MPI_C_LIBRARIES}" CACHE INTERNAL "The MPI that was looked at")
endif()
set(CMAKE_REQUIRED_LIBRARIES MPI::MPI_C)
set(CMAKE_REQUIRED_QUIET TRUE)
check_symbol_exists(OPEN_MPI mpi.h RONDO_MPI_IS_OPENMPI)
check_symbol_exists(MPICH_VERSION mpi.h RONDO_MPI_IS_MPICH)
if(RONDO_MPI_IS_OPENMPI)
  set(RONDO_MPI_NAME openmpi)
  set(RONDO_MPI_FULL_NAME "Open MPI")
  set(RONDO_MPI_ID OPENMPI)
elseif(RONDO_MPI_IS_MPICH)  # and those made of it
  set(RONDO_MPI_NAME mpich)
  set(RONDO_MPI_FULL_NAME MPICH)
  set(RONDO_MPI_ID MPICH)
else()
  # Its first words, without the version.
  if(NOT MPI_C_LIBRARY_VERSION_STRING AND NOT CMAKE_CROSSCOMPILING)
    set(MPI_DETERMINE_LIBRARY_VERSION TRUE)
    find_package(MPI 3.1 REQUIRED COMPONENTS C)
  endif()
  string(REGEX REPLACE "[ \t]*([Vv]ersion.*|v?[0-9].*|[,:\n].*)$" "" RONDO_MPI_FULL_NAME "${MPI_C_LIBRARY_VERSION_STRING}")
  string(REPLACE "\"" "" RONDO_MPI_FULL_NAME "${RONDO_MPI_FULL_NAME}")
  if(RONDO_MPI_FULL_NAME STREQUAL "")
    set(RONDO_MPI_FULL_NAME "another MPI")
  endif()
  set(RONDO_MPI_NAME "${RONDO_MPI_FULL_NAME}")
  set(RONDO_MPI_ID ANOTHER_MPI)
endif()

# ---- What it has -------------------------------------------------------------------------------------------------

# Functions by their PMPI_ names, too, by which the interposer calls them.
function(rondo_check_mpi_has what header)
  set(uses)
  foreach(function IN LISTS ARGN)
    string(APPEND uses "  (void)${function};\n  (void)P${function};\n")
  endforeach()
  check_c_source_compiles("#include <mpi.h>\n${header}\nint main(void) {\n${uses}  return 0;\n}\n" RONDO_MPI_HAS_${what})
endfunction()
rondo_check_mpi_has(PERSISTENT_COLLECTIVES "" MPI_Alltoall_init MPI_Alltoallv_init MPI_Alltoallw_init
                    MPI_Neighbor_alltoallv_init MPI_Neighbor_alltoallw_init MPI_Allgather_init MPI_Allgatherv_init)
if(NOT RONDO_MPI_HAS_PERSISTENT_COLLECTIVES)  # Open MPI 4 has them as an extension
  rondo_check_mpi_has(PERSISTENT_EXTENSION "#include <mpi-ext.h>" MPIX_Alltoall_init MPIX_Alltoallv_init
                      MPIX_Alltoallw_init MPIX_Neighbor_alltoallv_init MPIX_Neighbor_alltoallw_init MPIX_Allgather_init
                      MPIX_Allgatherv_init)
endif()
rondo_check_mpi_has(BIG_COUNTS "" MPI_Isend_c MPI_Irecv_c MPI_Pack_c MPI_Alltoall_c MPI_Alltoallv_c MPI_Ialltoallw_c
                    MPI_Ineighbor_alltoallv_c MPI_Alltoallv_init_c MPI_Allgatherv_init_c MPI_Ireduce_scatter_c
                    MPI_Buffer_detach_c)
rondo_check_mpi_has(PARTITIONED_MESSAGES "" MPI_Psend_init MPI_Precv_init MPI_Pready MPI_Parrived)
rondo_check_mpi_has(SESSIONS "" MPI_Session_init MPI_Session_finalize MPI_Comm_create_from_group
                    MPI_Intercomm_create_from_groups)
rondo_check_mpi_has(STATUS_OF_SEVERAL "" MPI_Request_get_status_all MPI_Request_get_status_any MPI_Request_get_status_some)
rondo_check_mpi_has(BUFFERS_OF_COMMUNICATORS "" MPI_Buffer_flush MPI_Comm_flush_buffer MPI_Comm_detach_buffer_c
                    MPI_Session_flush_buffer MPI_Session_detach_buffer_c)
unset(CMAKE_REQUIRED_LIBRARIES)
unset(CMAKE_REQUIRED_QUIET)

configure_file(${CMAKE_CURRENT_LIST_DIR}/mpi_functions.h.in ${PROJECT_BINARY_DIR}/configured/mpi_functions.h @ONLY)
add_library(rondo_mpi INTERFACE)
target_link_libraries(rondo_mpi INTERFACE MPI::MPI_C)
target_include_directories(rondo_mpi INTERFACE ${PROJECT_BINARY_DIR}/configured)
target_compile_definitions(rondo_mpi INTERFACE MPICH_SKIP_MPICXX OMPI_SKIP_MPICXX)

# ---- How its programs are started ------------------------------------------------------------------------------------

set(RONDO_MPIEXEC_PATH)
if(MPIEXEC_EXECUTABLE)
  set(RONDO_MPIEXEC_PATH ${MPIEXEC_EXECUTABLE})
endif()
set(RONDO_MPIEXEC_FLAGS "")
if(RONDO_MPI_IS_OPENMPI)
  list(APPEND RONDO_MPIEXEC_FLAGS --oversubscribe --allow-run-as-root)
endif()
if(RONDO_SANITIZE MATCHES address)
  # MPI libraries keep memory until the end, some of it from modules that are no longer there to be named.
  if(RONDO_MPI_IS_OPENMPI)
    list(APPEND RONDO_MPIEXEC_FLAGS -x ASAN_OPTIONS=detect_leaks=0)
  else()
    list(APPEND RONDO_MPIEXEC_FLAGS -genv ASAN_OPTIONS detect_leaks=0)
  endif()
endif()
message(STATUS "Rondo on ${RONDO_MPI_FULL_NAME}: ${MPI_C_LIBRARIES}; launcher: ${RONDO_MPIEXEC_PATH}")
