# The example ends on two ranks with status 1 and says MESSAGE once, not once on every rank.
separate_arguments(flags UNIX_COMMAND "${MPIEXEC_FLAGS}")
execute_process(
  COMMAND ${MPIEXEC} ${flags} -n 2 ${EXAMPLE} ${MATRIX} ${ARGUMENTS}
  OUTPUT_VARIABLE printed ERROR_VARIABLE printed RESULT_VARIABLE status)
message("${printed}")
if(NOT status EQUAL 1)
  message(FATAL_ERROR "expected exit status 1, found ${status}")
endif()

get_filename_component(name ${EXAMPLE} NAME)
string(FIND "${printed}" "${name}: " first)
string(FIND "${printed}" "${name}: " last REVERSE)
string(FIND "${printed}" "${MESSAGE}" message)
if(first LESS 0 OR NOT first EQUAL last OR message LESS first)
  message(FATAL_ERROR "expected one message with: ${MESSAGE}")
endif()
