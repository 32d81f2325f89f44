# The command as it is met in a terminal, a pipe, with Ctrl-C and on a full disk. Where mpiexec stands between, the terminal
# is its own.
find_program(SH sh REQUIRED)
find_program(TIMEOUT timeout)  # of coreutils
find_program(SCRIPT script)    # of util-linux: gives a command a terminal
set(command $<TARGET_FILE:rondo_command>)
set(expect ${SH} ${CMAKE_CURRENT_SOURCE_DIR}/cli/exit_status.sh)
set(launch ${RONDO_MPIEXEC_PATH} ${RONDO_MPIEXEC_FLAGS} -n 2)
list(JOIN launch " " launch_line)

# name, and how the test is recognised as passed.
function(process_test name expected)
  add_test(NAME cli.${name} COMMAND ${ARGN})
  set_tests_properties(cli.${name} PROPERTIES LABELS core PASS_REGULAR_EXPRESSION "${expected}" PROCESSORS 2 TIMEOUT 60)
endfunction()

add_test(NAME cli.full_disk.status COMMAND ${expect} 1 ${SH} -c "${command} show 'alltoallv p=4' >/dev/full")
process_test(full_disk "rondo: cannot write to .*No space left on device" ${SH} -c "${command} algorithms >/dev/full")
process_test(bench_file "cannot write /no/such/x.json: No such file" ${launch} ${command} bench --json /no/such/x.json)
process_test(bench_says_what_set_up_took "the first plan on the communicator took" ${launch} ${command} bench --sizes 8
  --repetitions 3 --algorithms linear --time-limit 2)
process_test(bench_gather "MPI_Allgatherv .*MPI_Allgatherv_init.*segmented .*MPI_Iallgatherv " ${launch} ${command}
  bench allgatherv group=1 dist=constant --sizes 8 --algorithms segmented,nonblocking --repetitions 3 --time-limit 2)
process_test(bench_neighbors "MPI_Neighbor_alltoallv .*linear .*MPI_Ineighbor_alltoallv " ${launch} ${command}
  bench "neighbor_alltoallv dist=sparse:1" --algorithms linear,nonblocking --repetitions 3 --time-limit 2)
process_test(bench_types "at most 400 bytes.*MPI_Alltoallw .*chosen.*MPI_Ialltoallw " ${launch} ${command}
  bench alltoallw max=400 --algorithms chosen,nonblocking --repetitions 3 --time-limit 2)
process_test(bench_algorithm_of_the_problem "MPI_Alltoall .*MPI_Alltoall_init.*tuna:radix=2:wire=packed " ${launch}
  ${command} bench alltoall algorithm=tuna radix=2 wire=packed --repetitions 3 --time-limit 2)
process_test(bench_whole_calls "chosen:whole .* - +-" ${launch} ${command}
  bench --sizes 8 --algorithms chosen:whole --repetitions 3 --time-limit 2)
process_test(bench_numbers_of_ranks "1 rank on.*2 ranks on.*figures in.*ranks, 1 ranks.*ranks, 2 ranks" ${SH} -c
  "${launch_line} ${command} bench --sizes 8 --ranks 1,2 --algorithms chosen,linear --repetitions 3 --time-limit 4 \
   --json ranks.json && ${command} choices ranks.json")
process_test(bench_distributions
  "dist=constant.*dist=powerlaw:0.5.*2 runs.*tuna:radix=3.*2 ranks, constant.*8 to 512 B.*2 ranks, powerlaw:0.5 .*8 to 512 B"
  ${SH} -c "${launch_line} ${command} bench --sizes 8,512 --dist constant,powerlaw:0.5 --algorithms tuna:radix=2..3 \
   --repetitions 3 --time-limit 4 --json spread.json && echo 2 runs && ${command} choices --fastest spread.json && \
   ${command} crossings tuna:radix=3 MPI_Alltoallv spread.json")
find_program(GNUPLOT gnuplot)
if(GNUPLOT)
  process_test(show_estimates_drawn "node_aggregated.*bytes between ranks" ${SH} -c
    "${command} show --explain --svg estimates.svg 'alltoallv p=16 node=4 max=512' >/dev/null && cat estimates.svg")
  process_test(charts_drawn "microseconds per exchange.*fastest of each run.*linear.*change places|neither becomes faster"
    ${SH} -c "${launch_line} ${command} bench --sizes 8,64,512 --ranks 1,2 --algorithms linear --repetitions 3 \
     --time-limit 4 --json drawn.json >/dev/null && ${launch_line} ${command} bench --sizes 8,64 --algorithms linear \
     --repetitions 3 --time-limit 2 --plot times.svg >/dev/null && cat times.svg && \
     ${command} choices --fastest drawn.json --contender linear --plot fastest.svg >/dev/null && cat fastest.svg && \
     ${command} crossings linear MPI_Alltoallv drawn.json --plot crossings.svg 2>&1 && cat crossings.svg")
endif()
process_test(bench_too_many_ranks "--ranks 3: there are 2 .mpiexec -n 3" ${launch} ${command} bench --sizes 8 --ranks 3)
process_test(bench_init "bytes +first +calls.* 8 .*MPI_Alltoallv; new" ${launch} ${command} bench --init --sizes 8
  --repetitions 3 --time-limit 2)
process_test(bench_phases "whole +sizes +preparation.*MPI_Alltoallv .*padded_bruck .*native +left out.*figures in" ${launch}
  ${command} bench --phases --dist uniform --sizes 100 --algorithms padded_bruck,basic_bruck,tuna:wire=datatype,native
  --repetitions 3 --time-limit 4 --json phases.json)
process_test(bench_phases_of_plans "--phases takes no tuna:buffers=plan" ${launch} ${command} bench --phases
  --algorithms tuna:buffers=plan)
process_test(bench_varying_of_plans "--varying takes no chosen:buffers=plan" ${launch} ${command} bench --varying
  --sizes 8 --algorithms chosen:buffers=plan)
process_test(bench_varying_of_types "--varying takes no linear:types=each" ${launch} ${command} bench --varying
  --sizes 8 --algorithms linear:types=each)
process_test(bench_varying_without_time "MPI_Alltoall . MPI_Alltoallv +[0-9.]+ +1[.]00x" ${launch} ${command} bench --varying
  --sizes 8 --algorithms chosen --time-limit 0.01)
process_test(bench_phases_of_several "--phases takes one --dist" ${launch} ${command} bench --phases
  --dist uniform,constant)
process_test(bench_phases_of_a_wire "--phases takes no tuna:wire=shared" ${launch} ${command} bench
  "alltoallv algorithm=tuna wire=shared" --phases)
process_test(bench_phases_of_gathers "--phases takes alltoall and alltoallv, not allgatherv" ${launch} ${command} bench
  allgatherv --phases)
process_test(bench_init_of_algorithms "excludes" ${launch} ${command} bench --init --algorithms tuna)

# A profile from nothing, once more, and what it has.
set(tune "${launch_line} ${command} tune tuned.json --sizes 8,512 --dist constant --budget 0.05")
process_test(tune "8  constant  .*512  constant  .*2 cases.*\\(known\\).*512  constant .*\\(known\\).*2 cases.* us"
  ${SH} -c "rm -f tuned.json && ${tune} && ${tune} && ${command} profile tuned.json && ${command} profile tuned.json tuned.json")
process_test(tune_file "cannot be written: No such file" ${launch} ${command} tune /no/such/x.json --sizes 8)
set(calibrate "${launch_line} ${command} calibrate prices.json --seconds 3")
process_test(calibrate "2 ranks on 1 node.*shared_message .*262144 .*within 10 % of the best.*prices in prices.json.*prices, 2 ranks.*native of 262144 B"
  ${SH} -c "rm -f prices.json && ${calibrate} && ${command} profile prices.json && ${command} profile prices.json prices.json")
process_test(calibrate_file "cannot be written: No such file" ${launch} ${command} calibrate /no/such/x.json)
process_test(calibrate_alone "one rank exchanges nothing" ${command} calibrate alone.json)
process_test(profile_of_nothing "there is nothing in it" ${command} profile /no/such/x.json)

foreach(measuring bench overlap)
  process_test(${measuring}_without_time "left out: there was no time for it" ${launch} ${command} ${measuring}
    --sizes 8,16,32,64 --time-limit 0.01)
endforeach()

if(TIMEOUT)
  # One signal, as from a terminal: without --foreground timeout gives a second to its own group, at which MPICH's launcher
  # kills the ranks.
  set(interrupt ${TIMEOUT} --foreground -s INT)
  process_test(interrupted_verify "random problems of seed [0-9]+.*interrupted.*[0-9]+ passed, 0 failed"
    ${SH} -c "${TIMEOUT} -s INT 2 ${command} verify --random 1000000000 | cat")
  add_test(NAME cli.interrupted_verify.status COMMAND ${expect} 130 ${TIMEOUT} --preserve-status -s INT 2 ${command} verify
    --random 1000000000)
  # The launcher of Open MPI 5 kills the ranks then, or drops what they print.
  if(NOT RONDO_MPI_NAME STREQUAL openmpi OR RONDO_MPI_HAS_PERSISTENT_EXTENSION)
    process_test(interrupted_bench "MPI_Alltoallv  .*interrupted: this is what there was until then" ${interrupt} 15
      ${launch} ${command} bench --sizes 8 --repetitions 1000000 --algorithms linear)
    process_test(interrupted_overlap "linear  .*interrupted: this is what there was until then" ${interrupt} 15
      ${launch} ${command} overlap --sizes 8 --repetitions 1000000 --algorithms linear)
  endif()
endif()

if(SCRIPT AND TIMEOUT)
  process_test(terminal_show "planning for 1048576 ranks, 1 s" ${SCRIPT} -qec
    "${TIMEOUT} 3 ${command} show 'alltoallv p=1048576 algorithm=tuna dist=uniform max=1000000000000'" /dev/null)
  process_test(terminal_bench "measuring [0-9]+/1000000 .*MPI_Alltoallv_init  " ${SCRIPT} -qec
    "${launch_line} ${command} bench --sizes 8 --repetitions 1000000 --algorithms linear --time-limit 4" /dev/null)
  process_test(terminal_overlap "measuring [0-9]+/1000000 .*MPI_Alltoallv_init  " ${SCRIPT} -qec
    "${launch_line} ${command} overlap --sizes 8 --repetitions 1000000 --algorithms linear --time-limit 4" /dev/null)
endif()
add_test(NAME cli.pipe_bench COMMAND ${launch} ${command} bench --sizes 8 --repetitions 1000000 --algorithms linear --time-limit 1)
set_tests_properties(cli.pipe_bench PROPERTIES LABELS core FAIL_REGULAR_EXPRESSION "measuring" PROCESSORS 2 TIMEOUT 60)
