# What an install holds: the headers, librondo, librondo_pmpi, the rondo command, a CMake package and rondo.pc. The last two
# name the MPI that Rondo was built on, since a program cannot mix two.
include(GNUInstallDirs)
include(CMakePackageConfigHelpers)

set(package_dir ${CMAKE_INSTALL_LIBDIR}/cmake/rondo)

install(DIRECTORY ${PROJECT_SOURCE_DIR}/include/rondo DESTINATION ${CMAKE_INSTALL_INCLUDEDIR} FILES_MATCHING PATTERN "*.h" PATTERN "*.hpp")
install(TARGETS rondo EXPORT rondoTargets
  LIBRARY DESTINATION ${CMAKE_INSTALL_LIBDIR}
  ARCHIVE DESTINATION ${CMAKE_INSTALL_LIBDIR}
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
rondo_find_beside_wrapper(RONDO_MPI_CXX_COMPILER mpicxx mpic++)

# What a program written in C needs besides to link a static library.
get_target_property(RONDO_TYPE rondo TYPE)
string(TOUPPER "${CMAKE_BUILD_TYPE}" RONDO_CONFIGURATION)
set(RONDO_CXX_LIBRARIES ${CMAKE_CXX_IMPLICIT_LINK_LIBRARIES})
list(REMOVE_ITEM RONDO_CXX_LIBRARIES ${CMAKE_C_IMPLICIT_LINK_LIBRARIES})

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
if(RONDO_TYPE STREQUAL "STATIC_LIBRARY")
  set(pc_requires "Requires: fmt")
  list(TRANSFORM RONDO_CXX_LIBRARIES PREPEND -l OUTPUT_VARIABLE pc_cxx_libs)
  list(JOIN pc_cxx_libs " " pc_cxx_libs)
  string(APPEND pc_mpi_libs " ${pc_cxx_libs} ${CMAKE_THREAD_LIBS_INIT}")
endif()
configure_file(${PROJECT_SOURCE_DIR}/cmake/rondo.pc.in ${PROJECT_BINARY_DIR}/package/rondo.pc @ONLY)
install(FILES ${PROJECT_BINARY_DIR}/package/rondo.pc DESTINATION ${CMAKE_INSTALL_LIBDIR}/pkgconfig)
