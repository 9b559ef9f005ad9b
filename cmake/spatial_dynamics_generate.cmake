# spatial_dynamics_generate(TARGET ROBOT.urdf [NAME name] [FLOATING_BASE] [NO_FRICTION] [STRICT]
#                           [PAYLOAD_LINK link] [ARMATURE joint=value…] [LOCK joint=value…]
#                           [PAYLOAD link=mass[,x,y,z]…])
#
# Generates C++ for the dynamics of one robot at build time and compiles it into TARGET, which may
# then include <name.hpp> and call name_inverse_dynamics, name_mass_matrix and
# name_forward_dynamics, for one state or (…_batch) for many. The default name is that of the
# robot's file; the options are those of `spatial_dynamics generate`. On x86-64 the code is compiled
# for processors without and with AVX2, and chooses at start; -march is not needed.
function(spatial_dynamics_generate target urdf)
  cmake_parse_arguments(GENERATE "FLOATING_BASE;NO_FRICTION;STRICT" "NAME;PAYLOAD_LINK" "ARMATURE;LOCK;PAYLOAD" ${ARGN})
  if(GENERATE_UNPARSED_ARGUMENTS OR GENERATE_KEYWORDS_MISSING_VALUES)
    message(FATAL_ERROR "spatial_dynamics_generate(${target} ${urdf} …) has an unknown option, or an option without value: "
      "${GENERATE_UNPARSED_ARGUMENTS} ${GENERATE_KEYWORDS_MISSING_VALUES}")
  endif()
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
  foreach(flag FLOATING_BASE NO_FRICTION STRICT)
    if(GENERATE_${flag})
      string(TOLOWER "--${flag}" option)
      string(REPLACE "_" "-" option ${option})
      list(APPEND options ${option})
    endif()
  endforeach()
  foreach(list ARMATURE LOCK PAYLOAD)
    string(TOLOWER "--${list}" option)
    foreach(value IN LISTS GENERATE_${list})
      list(APPEND options ${option} ${value})
    endforeach()
  endforeach()
  if(TARGET spatial_dynamics_cli)
    set(program spatial_dynamics_cli)
  else()
    find_program(spatial_dynamics_program spatial_dynamics
      HINTS "${CMAKE_CURRENT_FUNCTION_LIST_DIR}/../../../bin")
    if(NOT spatial_dynamics_program)
      message(FATAL_ERROR "spatial_dynamics_generate() needs the program spatial_dynamics, which is not installed with the library "
        "(Debian package spatial-dynamics; in a build of your own, SPATIAL_DYNAMICS_CLI=ON).")
    endif()
    set(program "${spatial_dynamics_program}")
  endif()
  add_custom_command(OUTPUT ${folder}/${GENERATE_NAME}.cpp ${folder}/${GENERATE_NAME}.hpp
    COMMAND ${program} generate "${urdf}" -o ${folder} ${options}
    DEPENDS "${urdf}" "${program}"  # another version may write other code
    COMMENT "Generating the dynamics of ${GENERATE_NAME}" VERBATIM)
  set(flags -O2 -ffp-contract=fast -fno-math-errno -Wno-psabi)
  if(CMAKE_SYSTEM_PROCESSOR MATCHES "x86_64|AMD64")
    # with -march=native alone, GCC would keep numbers in general registers
    list(APPEND flags -mtune=generic)
  endif()
  set_source_files_properties(${folder}/${GENERATE_NAME}.cpp PROPERTIES COMPILE_OPTIONS "${flags}")
  target_sources(${target} PRIVATE ${folder}/${GENERATE_NAME}.cpp ${folder}/${GENERATE_NAME}.hpp)
  target_include_directories(${target} PRIVATE ${folder})
endfunction()
