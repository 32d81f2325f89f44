# The example gives the right answer on RANKS ranks: a serial program says so, and FIGURES, as name=value, name=value.
file(REMOVE ${OUT}.json)
separate_arguments(flags UNIX_COMMAND "${MPIEXEC_FLAGS}")
separate_arguments(arguments UNIX_COMMAND "${ARGUMENTS}")
execute_process(
  COMMAND ${MPIEXEC} ${flags} -n ${RANKS} ${EXAMPLE} ${arguments} --check --json ${OUT}.json
  OUTPUT_VARIABLE printed ERROR_VARIABLE printed RESULT_VARIABLE status)
message("${printed}")
if(NOT status EQUAL 0)
  message(FATAL_ERROR "exit status ${status}")
endif()

file(READ ${OUT}.json json)
string(REPLACE ", " ";" figures "${FIGURES};ranks=${RANKS};check=the serial program has the same answer")
foreach(figure IN LISTS figures)
  string(REGEX MATCH "^([^=]+)=(.*)$" matched "${figure}")
  string(JSON found GET "${json}" figures "${CMAKE_MATCH_1}")
  if(NOT found STREQUAL CMAKE_MATCH_2)
    message(FATAL_ERROR "expected ${figure}, found ${found}")
  endif()
endforeach()
