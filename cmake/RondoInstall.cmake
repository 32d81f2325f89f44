# What an install holds: the headers, librondo, librondo_pmpi, the rondo command, a CMake package and rondo.pc. The last two
# name the MPI that Rondo was built on, since a program cannot mix two.
include(GNUInstallDirs)
include(CMakePackageConfigHelpers)

set(package_dir ${CMAKE_INSTALL_LIBDIR}/cmake/rondo)

install(DIRECTORY ${PROJECT_SOURCE_DIR}/include/rondo DESTINATION ${CMAKE_INSTALL_INCLUDEDIR} FILES_MATCHING PATTERN "*.h" PATTERN "*.hpp")
install(TARGETS rondo EXPORT rondoTargets
  LIBRARY DESTINATION ${CMAKE_INSTALL_LIBDIR}
  INCLUDES DESTINATION ${CMAKE_INSTALL_INCLUDEDIR})
if(TARGET rondo_pmpi)
  install(TARGETS rondo_pmpi LIBRARY DESTINATION ${CMAKE_INSTALL_LIBDIR})
endif()
if(TARGET rondo_command)
  install(TARGETS rondo_command RUNTIME DESTINATION ${CMAKE_INSTALL_BINDIR})
endif()

# How an outside program compiles and links with this MPI, without its wrapper.
set(RONDO_MPI_INCLUDE_DIRS ${MPI_C_INCLUDE_DIRS})
set(RONDO_MPI_LIBRARIES ${MPI_C_LIBRARIES})
set(RONDO_MPI_C_COMPILER ${MPI_C_COMPILER})
set(RONDO_MPI_MACRO MPI_VERSION)
if(RONDO_MPI STREQUAL mpich)
  set(RONDO_MPI_MACRO MPICH_VERSION)
elseif(RONDO_MPI STREQUAL openmpi)
  set(RONDO_MPI_MACRO OPEN_MPI)
endif()
find_program(RONDO_MPI_CXX_COMPILER NAMES mpicxx.${RONDO_MPI} mpic++.${RONDO_MPI})
mark_as_advanced(RONDO_MPI_CXX_COMPILER)

configure_package_config_file(${PROJECT_SOURCE_DIR}/cmake/rondoConfig.cmake.in ${PROJECT_BINARY_DIR}/package/rondoConfig.cmake
  INSTALL_DESTINATION ${package_dir} NO_SET_AND_CHECK_MACRO)
write_basic_package_version_file(${PROJECT_BINARY_DIR}/package/rondoConfigVersion.cmake COMPATIBILITY SameMinorVersion)
install(FILES ${PROJECT_BINARY_DIR}/package/rondoConfig.cmake ${PROJECT_BINARY_DIR}/package/rondoConfigVersion.cmake
  DESTINATION ${package_dir})
install(EXPORT rondoTargets NAMESPACE rondo:: DESTINATION ${package_dir})

# rondo.pc finds its prefix from its own place, so that an install can be moved.
file(RELATIVE_PATH pc_prefix /prefix/${CMAKE_INSTALL_LIBDIR}/pkgconfig /prefix)
list(TRANSFORM RONDO_MPI_INCLUDE_DIRS PREPEND -I OUTPUT_VARIABLE pc_mpi_cflags)
list(JOIN pc_mpi_cflags " " pc_mpi_cflags)
list(JOIN RONDO_MPI_LIBRARIES " " pc_mpi_libs)
configure_file(${PROJECT_SOURCE_DIR}/cmake/rondo.pc.in ${PROJECT_BINARY_DIR}/package/rondo.pc @ONLY)
install(FILES ${PROJECT_BINARY_DIR}/package/rondo.pc DESTINATION ${CMAKE_INSTALL_LIBDIR}/pkgconfig)
