# Installs the build tree into an empty prefix, builds a consumer with that prefix alone, runs it
# and compares its output with EXPECTED. Needs BUILD_DIR, CONSUMER (its source folder), WORK_DIR,
# GENERATOR, COMPILER, EXPECTED. Optional: CONSUMER_OPTIONS (for CMake) and ARGUMENTS (for the
# program, which has the name of its folder).
file(REMOVE_RECURSE ${WORK_DIR})
get_filename_component(name ${CONSUMER} NAME)

function(run)
  execute_process(COMMAND ${ARGV} RESULT_VARIABLE result OUTPUT_VARIABLE output ERROR_VARIABLE output)
  if(NOT result EQUAL 0)
    message(FATAL_ERROR "${ARGV}\nended with ${result}:\n${output}")
  endif()
  set(output "${output}" PARENT_SCOPE)
endfunction()

run(${CMAKE_COMMAND} --install ${BUILD_DIR} --prefix ${WORK_DIR}/prefix)
run(${CMAKE_COMMAND} -S ${CONSUMER} -B ${WORK_DIR}/build -G ${GENERATOR} -DCMAKE_CXX_COMPILER=${COMPILER}
  -DCMAKE_PREFIX_PATH=${WORK_DIR}/prefix -Dspatial_dynamics_ROOT=${WORK_DIR}/prefix ${CONSUMER_OPTIONS})
file(STRINGS ${WORK_DIR}/build/CMakeCache.txt found REGEX "^spatial_dynamics_DIR")
if(NOT found MATCHES "=${WORK_DIR}/prefix/")
  message(FATAL_ERROR "the consumer found another spatial_dynamics: ${found}")
endif()
run(${CMAKE_COMMAND} --build ${WORK_DIR}/build)
run(${WORK_DIR}/build/${name} ${ARGUMENTS})
if(NOT output STREQUAL EXPECTED)
  message(FATAL_ERROR "expected:\n${EXPECTED}\ngot:\n${output}")
endif()
