# Runs COMMAND_LINE (a list) and compares what it prints with the file EXPECTED.
execute_process(COMMAND ${COMMAND_LINE} RESULT_VARIABLE result OUTPUT_VARIABLE output ERROR_VARIABLE errors)
file(READ ${EXPECTED} expected)
if(NOT result EQUAL 0 OR NOT output STREQUAL expected)
  message(FATAL_ERROR "ended with ${result}; expected:\n${expected}\ngot:\n${output}\n${errors}")
endif()
