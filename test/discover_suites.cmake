# Writes one ctest entry per GoogleTest suite of a program, <name>.<suite>: a process per test would
# take longer than the tests.
# cmake -DPROGRAM=… -DEMULATOR=… -DNAME=… -DOUTPUT=… -P discover_suites.cmake
# EMULATOR is empty, or a program that runs programs for another processor.
execute_process(COMMAND ${EMULATOR} ${PROGRAM} --gtest_list_tests OUTPUT_VARIABLE list RESULT_VARIABLE failed TIMEOUT 60)
if(failed)
  message(FATAL_ERROR "${PROGRAM} --gtest_list_tests failed: ${failed}")
endif()
string(REGEX MATCHALL "[^\n]+" lines "${list}")
set(entries "")
if(EMULATOR)
  set(emulated "[[${EMULATOR}]] ")
endif()
foreach(line IN LISTS lines)
  if(line MATCHES "^([A-Za-z0-9_/]+)\\.( |$)")  # tests are indented
    set(suite ${CMAKE_MATCH_1})
    string(APPEND entries "add_test([[${NAME}.${suite}]] ${emulated}[[${PROGRAM}]] [[--gtest_filter=${suite}.*]])\n")
  endif()
endforeach()
if(NOT entries)
  message(FATAL_ERROR "${PROGRAM} has no tests")
endif()
file(WRITE ${OUTPUT} "${entries}")
