# spatial_dynamics_generate(TARGET ROBOT.urdf [NAME name] [PAYLOAD_LINK link] [NO_FRICTION])
#
# Generates C++ for the dynamics of one robot at build time and compiles it into TARGET, which may then include <name.hpp> and
# call name_inverse_dynamics, name_mass_matrix and name_forward_dynamics, of one state or (…_batch) of many. The robot's file name is
# the default name. It is compiled for the target's processor: -march=x86-64-v3 or native in CMAKE_CXX_FLAGS makes batches three
# times as fast.
function(spatial_dynamics_generate target urdf)
  cmake_parse_arguments(GENERATE "NO_FRICTION" "NAME;PAYLOAD_LINK" "" ${ARGN})
  get_filename_component(urdf "${urdf}" ABSOLUTE)
  if(NOT GENERATE_NAME)
    get_filename_component(GENERATE_NAME "${urdf}" NAME_WE)
    string(MAKE_C_IDENTIFIER "${GENERATE_NAME}" GENERATE_NAME)
  endif()
  set(folder "${CMAKE_CURRENT_BINARY_DIR}/spatial_dynamics_generated")
  set(options --name ${GENERATE_NAME})
  if(GENERATE_PAYLOAD_LINK)
    list(APPEND options --payload-link ${GENERATE_PAYLOAD_LINK})
  endif()
  if(GENERATE_NO_FRICTION)
    list(APPEND options --no-friction)
  endif()
  if(TARGET spatial_dynamics_cli)
    set(program spatial_dynamics_cli)
  else()
    find_program(spatial_dynamics_program spatial_dynamics REQUIRED
      HINTS "${CMAKE_CURRENT_FUNCTION_LIST_DIR}/../../../bin")
    set(program "${spatial_dynamics_program}")
  endif()
  add_custom_command(OUTPUT ${folder}/${GENERATE_NAME}.cpp ${folder}/${GENERATE_NAME}.hpp
    COMMAND ${program} generate "${urdf}" -o ${folder} ${options}
    DEPENDS "${urdf}" COMMENT "Generating the dynamics of ${GENERATE_NAME}" VERBATIM)
  set_source_files_properties(${folder}/${GENERATE_NAME}.cpp PROPERTIES
    COMPILE_OPTIONS "-O2;-ffp-contract=fast;-fno-math-errno;-Wno-psabi")
  target_sources(${target} PRIVATE ${folder}/${GENERATE_NAME}.cpp ${folder}/${GENERATE_NAME}.hpp)
  target_include_directories(${target} PRIVATE ${folder})
endfunction()
