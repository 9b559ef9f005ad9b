# `cpack` in a build folder makes Debian packages: the program, the library with its headers, and the
# Python module. In a sourced ROS 2 environment there are none: ROS 2's own tools (bloom) make packages
# from package.xml.
file(STRINGS package.xml maintainer_line REGEX "<maintainer")
string(REGEX REPLACE ".*email=\"([^\"]*)\">([^<]*)<.*" "\\2 <\\1>" CPACK_PACKAGE_CONTACT "${maintainer_line}")
set(CPACK_GENERATOR DEB)
set(CPACK_PACKAGE_NAME spatial-dynamics)
set(CPACK_PACKAGING_INSTALL_PREFIX /usr)
set(CPACK_PACKAGE_DESCRIPTION_SUMMARY "Rigid-body dynamics of robots from a URDF")
set(CPACK_RESOURCE_FILE_LICENSE ${PROJECT_SOURCE_DIR}/LICENSE)
set(CPACK_STRIP_FILES ON)
set(CPACK_PROJECT_CONFIG_FILE ${PROJECT_SOURCE_DIR}/cmake/check_packaging_tools.cmake)
set(CPACK_COMPONENTS_ALL library)
if(SPATIAL_DYNAMICS_CLI)
  list(APPEND CPACK_COMPONENTS_ALL program)
endif()

set(CPACK_DEB_COMPONENT_INSTALL ON)
set(CPACK_DEBIAN_FILE_NAME DEB-DEFAULT)
set(CPACK_DEBIAN_PACKAGE_SECTION science)
set(CPACK_DEBIAN_PROGRAM_PACKAGE_NAME spatial-dynamics)
set(CPACK_COMPONENT_PROGRAM_DESCRIPTION
  "The command line, the stand-alone node for ROS 2 graphs, sample robots and presets.")
set(CPACK_DEBIAN_PROGRAM_PACKAGE_SHLIBDEPS ON)  # uses dpkg-shlibdeps, of dpkg-dev

# The Python module, for Debian's Python and NumPy.
if(TARGET spatial_dynamics_python)
  list(APPEND CPACK_COMPONENTS_ALL python)
  set(CPACK_DEBIAN_PYTHON_PACKAGE_NAME python3-spatial-dynamics)
  set(CPACK_DEBIAN_PYTHON_PACKAGE_SECTION python)
  set(CPACK_COMPONENT_PYTHON_DESCRIPTION "The Python module: dynamics of one state or of batches, with NumPy.")
  set(CPACK_DEBIAN_PYTHON_PACKAGE_SHLIBDEPS ON)
  math(EXPR next_minor "${spatial_dynamics_python_minor} + 1")
  set(CPACK_DEBIAN_PYTHON_PACKAGE_DEPENDS
    "python3 (>= 3.${spatial_dynamics_python_minor}~), python3 (<< 3.${next_minor}), python3-numpy")
endif()

# Dependencies of find_package(spatial_dynamics).
set(CPACK_DEBIAN_LIBRARY_PACKAGE_NAME libspatial-dynamics-dev)
set(CPACK_DEBIAN_LIBRARY_PACKAGE_SECTION libdevel)
set(CPACK_COMPONENT_LIBRARY_DESCRIPTION
  "The C++17 library: headers, libraries and what find_package(spatial_dynamics) needs.")
set(CPACK_DEBIAN_LIBRARY_PACKAGE_DEPENDS
  "libeigen3-dev (>= 3.4), liburdfdom-headers-dev, liburdfdom-dev, libsqlite3-dev, liblz4-dev, libzstd-dev")
if(SPATIAL_DYNAMICS_CLI)  # which spatial_dynamics_generate() calls
  set(CPACK_DEBIAN_LIBRARY_PACKAGE_RECOMMENDS "spatial-dynamics (= ${PROJECT_VERSION})")
endif()
include(CPack)
