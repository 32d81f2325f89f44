# How everything of Rondo's is compiled: the target rondo_options carries it, privately.
set(CMAKE_CXX_STANDARD 20)
set(CMAKE_CXX_STANDARD_REQUIRED ON)
set(CMAKE_CXX_EXTENSIONS OFF)
set(CMAKE_C_STANDARD 11)
set(CMAKE_POSITION_INDEPENDENT_CODE ON)
set(CMAKE_CXX_VISIBILITY_PRESET hidden)
set(CMAKE_VISIBILITY_INLINES_HIDDEN ON)
set(CMAKE_EXPORT_COMPILE_COMMANDS ON)
if(PROJECT_IS_TOP_LEVEL)
  if(NOT CMAKE_BUILD_TYPE AND NOT CMAKE_CONFIGURATION_TYPES)
    set(CMAKE_BUILD_TYPE Release CACHE STRING "Build type" FORCE)
  endif()
  set(CMAKE_RUNTIME_OUTPUT_DIRECTORY ${CMAKE_BINARY_DIR}/bin)
  set(CMAKE_LIBRARY_OUTPUT_DIRECTORY ${CMAKE_BINARY_DIR}/lib)
endif()

# Finds what the library links, by its target, so that a project that adds this one as a folder can link it through it.
macro(rondo_find_package target)
  if(NOT TARGET ${target})
    find_package(${ARGN})
    set_target_properties(${target} PROPERTIES IMPORTED_GLOBAL TRUE)
  endif()
endmacro()

set(RONDO_SANITIZE "" CACHE STRING "Sanitizers to build with, as -fsanitize= takes them")
option(RONDO_FUZZ "Let libFuzzer drive the fuzzers of tests/fuzz (clang)" OFF)

add_library(rondo_options INTERFACE)
target_compile_options(rondo_options INTERFACE -Wall -Wextra -Wpedantic -Wshadow -Wnon-virtual-dtor -Wold-style-cast
                       -Wconversion -Wno-sign-conversion)
if(CMAKE_CXX_COMPILER_ID MATCHES Clang)
  # std::stable_sort of libstdc++ 12 calls what is deprecated.
  target_compile_options(rondo_options INTERFACE $<$<COMPILE_LANGUAGE:CXX>:-Wno-deprecated-declarations>)
endif()
if(RONDO_WARNINGS_AS_ERRORS)
  target_compile_options(rondo_options INTERFACE -Werror)
endif()
if(RONDO_SANITIZE)
  target_compile_options(rondo_options INTERFACE -fsanitize=${RONDO_SANITIZE} -fno-omit-frame-pointer
                         -fno-sanitize-recover=all)
  target_link_options(rondo_options INTERFACE -fsanitize=${RONDO_SANITIZE})
endif()
if(RONDO_SANITIZE MATCHES thread AND CMAKE_CXX_COMPILER_ID STREQUAL GNU)
  # It knows no fences. Ours are between processes; where threads rely on one (src/call/message_cache.cpp), what is built
  # for the sanitizer does without.
  target_compile_options(rondo_options INTERFACE -Wno-tsan)
endif()
if(RONDO_FUZZ)
  target_compile_options(rondo_options INTERFACE -fsanitize=fuzzer-no-link)
endif()
