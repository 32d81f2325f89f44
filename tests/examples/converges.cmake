# The example solves MATRIX on two ranks, as its own JSON has it, and draws a chart where gnuplot is there.
file(REMOVE ${OUT}.json ${OUT}.svg)
separate_arguments(flags UNIX_COMMAND "${MPIEXEC_FLAGS}")
execute_process(
  COMMAND ${MPIEXEC} ${flags} -n 2 ${EXAMPLE} ${MATRIX} --repetitions 50 --json ${OUT}.json --svg ${OUT}.svg
  OUTPUT_VARIABLE printed RESULT_VARIABLE status)
message("${printed}")
if(NOT status EQUAL 0)
  message(FATAL_ERROR "exit status ${status}")
endif()

file(READ ${OUT}.json json)
foreach(key ranks rows nonzeros converged iterations)
  string(JSON ${key} GET "${json}" ${key})
endforeach()
if(NOT ranks EQUAL 2 OR NOT rows EQUAL 1138 OR NOT nonzeros EQUAL 4054 OR NOT converged)
  message(FATAL_ERROR "not what was expected: ${json}")
endif()
# Rounding moves it by a few.
if(iterations LESS 920 OR iterations GREATER 950)
  message(FATAL_ERROR "expected about 935 iterations, found ${iterations}")
endif()

find_program(gnuplot gnuplot)
if(gnuplot AND NOT EXISTS ${OUT}.svg)
  message(FATAL_ERROR "no chart")
endif()
if(NOT gnuplot AND NOT printed MATCHES "gnuplot is not installed")
  message(FATAL_ERROR "gnuplot is missing and nothing said so")
endif()
