# Documents, man pages, and what cpack needs for a Debian package: rondo-mpich or rondo-openmpi, since a program cannot
# mix two MPI libraries. `./dev package` makes it in a build of its own, whose prefix is /usr.
install(FILES ${PROJECT_SOURCE_DIR}/README.md ${PROJECT_SOURCE_DIR}/CHANGELOG.md ${PROJECT_SOURCE_DIR}/LICENSE
  DESTINATION ${CMAKE_INSTALL_DOCDIR})
# Headers and --help name documents as docs/NAME.md.
install(DIRECTORY ${PROJECT_SOURCE_DIR}/docs DESTINATION ${CMAKE_INSTALL_DOCDIR})

# Man pages say what --help says.
find_program(HELP2MAN help2man)
mark_as_advanced(HELP2MAN)
if(HELP2MAN AND TARGET rondo_command AND NOT CMAKE_CROSSCOMPILING)
  set(man_pages)
  function(man_page page summary)
    set(output ${PROJECT_BINARY_DIR}/man/${page}.1)
    add_custom_command(OUTPUT ${output}
      COMMAND ${CMAKE_COMMAND} -E make_directory ${PROJECT_BINARY_DIR}/man
      COMMAND ${HELP2MAN} --no-info --section=1 --manual=Rondo --name=${summary}
              "--version-string=${page} ${PROJECT_VERSION}" --output=${output} "$<TARGET_FILE:rondo_command> ${ARGN}"
      DEPENDS rondo_command
      VERBATIM)
    set(man_pages ${man_pages} ${output} PARENT_SCOPE)
  endfunction()
  man_page(rondo "plan, check and time all-to-all exchanges on MPI")
  man_page(rondo-algorithms "list the algorithms of Rondo" algorithms)
  man_page(rondo-show "show what a plan of Rondo comes to" show)
  man_page(rondo-verify "run exchanges and check every byte" verify)
  man_page(rondo-bench "time exchanges beside those of MPI" bench)
  man_page(rondo-overlap "measure how much of an exchange is done beside computing" overlap)
  man_page(rondo-tune "measure which algorithm of Rondo is fastest" tune)
  man_page(rondo-profile "show what rondo tune has measured" profile)
  man_page(rondo-choices "judge the choices of rondo bench by the best candidate" choices)
  man_page(rondo-crossings "tell from which block size on one algorithm is faster than another" crossings)
  man_page(rondo-compare "compare two files of rondo bench" compare)
  man_page(rondo-calibrate "measure what messages cost on this machine" calibrate)
  if(CMAKE_INSTALL_PREFIX STREQUAL "/usr")  # Debian has them compressed
    set(compressed)
    foreach(page IN LISTS man_pages)
      add_custom_command(OUTPUT ${page}.gz COMMAND gzip -9nkf ${page} DEPENDS ${page} VERBATIM)
      list(APPEND compressed ${page}.gz)
    endforeach()
    set(man_pages ${compressed})
  endif()
  add_custom_target(man ALL DEPENDS ${man_pages})
  install(FILES ${man_pages} DESTINATION ${CMAKE_INSTALL_MANDIR}/man1)
endif()

if(NOT PROJECT_IS_TOP_LEVEL)
  return()
endif()

set(package rondo-${RONDO_MPI_NAME})
set(CPACK_GENERATOR DEB)
set(CPACK_PACKAGE_NAME ${package})
set(CPACK_PACKAGE_VERSION ${PROJECT_VERSION})
set(CPACK_PACKAGE_CONTACT "The Rondo authors <rondo@rondo.example>")
set(CPACK_PACKAGING_INSTALL_PREFIX /usr)
set(CPACK_STRIP_FILES ON)
set(CPACK_INSTALL_DEFAULT_DIRECTORY_PERMISSIONS OWNER_READ OWNER_WRITE OWNER_EXECUTE GROUP_READ GROUP_EXECUTE WORLD_READ WORLD_EXECUTE)
set(CPACK_DEBIAN_FILE_NAME DEB-DEFAULT)
set(CPACK_DEBIAN_PACKAGE_RELEASE 1)
set(CPACK_DEBIAN_PACKAGE_SECTION libs)
set(CPACK_DEBIAN_PACKAGE_SHLIBDEPS ON)
set(CPACK_DEBIAN_PACKAGE_CONTROL_EXTRA ${PROJECT_BINARY_DIR}/package/shlibs ${PROJECT_BINARY_DIR}/package/triggers)
file(WRITE ${PROJECT_BINARY_DIR}/package/shlibs "librondo ${PROJECT_VERSION_MAJOR} ${package}\n")
file(WRITE ${PROJECT_BINARY_DIR}/package/triggers "activate-noawait ldconfig\n")
set(CPACK_PACKAGE_DESCRIPTION_SUMMARY "${PROJECT_DESCRIPTION}")
set(CPACK_DEBIAN_PACKAGE_DESCRIPTION "A program says once who sends how much to whom; Rondo plans the exchange for
that communicator and runs it again and again. This package has the library,
its headers, the rondo command, and librondo_pmpi.so, which gives programs
that are already there its exchanges, all built on ${RONDO_MPI_FULL_NAME}.")
if(RONDO_MPI_NAME STREQUAL openmpi)
  set(CPACK_DEBIAN_PACKAGE_DEPENDS "libopenmpi-dev")
  set(CPACK_DEBIAN_PACKAGE_RECOMMENDS "openmpi-bin")
  set(other mpich)
else()
  set(CPACK_DEBIAN_PACKAGE_DEPENDS "libmpich-dev")
  set(CPACK_DEBIAN_PACKAGE_RECOMMENDS "mpich")
  set(other openmpi)
endif()
set(CPACK_DEBIAN_PACKAGE_SUGGESTS "gnuplot-nox, cmake, pkgconf")
set(CPACK_DEBIAN_PACKAGE_CONFLICTS "rondo-${other}")

# What Debian's policy asks of a package: its copyright, its changelog.
set(package_doc ${CMAKE_INSTALL_DATAROOTDIR}/doc/${package})
find_program(GZIP gzip)
mark_as_advanced(GZIP)
if(GZIP AND CMAKE_INSTALL_PREFIX STREQUAL "/usr")
  string(TIMESTAMP package_date "%a, %d %b %Y %H:%M:%S +0000" UTC)
  configure_file(${PROJECT_SOURCE_DIR}/packaging/debian/changelog.in ${PROJECT_BINARY_DIR}/package/changelog.Debian @ONLY)
  execute_process(COMMAND ${GZIP} -9nkf ${PROJECT_BINARY_DIR}/package/changelog.Debian COMMAND_ERROR_IS_FATAL ANY)
  install(FILES ${PROJECT_BINARY_DIR}/package/changelog.Debian.gz DESTINATION ${package_doc})
  install(FILES ${PROJECT_SOURCE_DIR}/packaging/debian/copyright DESTINATION ${package_doc})
endif()
include(CPack)
