# How everything of Rondo's is compiled: the target rondo_options carries it, privately.
set(CMAKE_CXX_STANDARD 20)
set(CMAKE_CXX_STANDARD_REQUIRED ON)
set(CMAKE_CXX_EXTENSIONS OFF)
set(CMAKE_C_STANDARD 11)
set(CMAKE_POSITION_INDEPENDENT_CODE ON)
set(CMAKE_CXX_VISIBILITY_PRESET hidden)
set(CMAKE_VISIBILITY_INLINES_HIDDEN ON)
set(CMAKE_EXPORT_COMPILE_COMMANDS ON)
if(NOT CMAKE_BUILD_TYPE AND NOT CMAKE_CONFIGURATION_TYPES)
  set(CMAKE_BUILD_TYPE Release CACHE STRING "Build type" FORCE)
endif()

set(RONDO_SANITIZE "" CACHE STRING "Sanitizers to build with, as -fsanitize= takes them")

add_library(rondo_options INTERFACE)
target_compile_options(rondo_options INTERFACE -Wall -Wextra -Wpedantic -Wshadow -Wnon-virtual-dtor -Wold-style-cast
                       -Wconversion -Wno-sign-conversion)
if(RONDO_WARNINGS_AS_ERRORS)
  target_compile_options(rondo_options INTERFACE -Werror)
endif()
if(RONDO_SANITIZE)
  target_compile_options(rondo_options INTERFACE -fsanitize=${RONDO_SANITIZE} -fno-omit-frame-pointer
                         -fno-sanitize-recover=all)
  target_link_options(rondo_options INTERFACE -fsanitize=${RONDO_SANITIZE})
endif()
