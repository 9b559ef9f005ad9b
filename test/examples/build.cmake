# Installs the build tree into a fresh prefix and builds all examples against that prefix alone.
# Needs BUILD_DIR, EXAMPLES (their folder), WORK_DIR, GENERATOR, COMPILER.
file(REMOVE_RECURSE ${WORK_DIR})
function(run)
  execute_process(COMMAND ${ARGV} RESULT_VARIABLE result OUTPUT_VARIABLE output ERROR_VARIABLE output)
  if(NOT result EQUAL 0)
    message(FATAL_ERROR "${ARGV}\nended with ${result}:\n${output}")
  endif()
endfunction()

run(${CMAKE_COMMAND} --install ${BUILD_DIR} --prefix ${WORK_DIR}/prefix)
# As strict as the library itself: examples are copied.
run(${CMAKE_COMMAND} -S ${EXAMPLES} -B ${WORK_DIR}/build -G ${GENERATOR} -DCMAKE_CXX_COMPILER=${COMPILER}
  "-DCMAKE_CXX_FLAGS=-Wall -Wextra -Wpedantic -Wconversion -Wshadow -Werror -Wno-error=maybe-uninitialized"
  -DCMAKE_PREFIX_PATH=${WORK_DIR}/prefix -Dspatial_dynamics_ROOT=${WORK_DIR}/prefix)
run(${CMAKE_COMMAND} --build ${WORK_DIR}/build)
