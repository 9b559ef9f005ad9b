// A library that links the project's libraries statically, as a plug-in does.
#include "spatial_dynamics/model/load_urdf.hpp"
#include "spatial_dynamics/model/model_error.hpp"

/// Loads a document and returns the number of its coordinates, or -1 if it is rejected.
extern "C" int count_coordinates(const char* urdf) {
  try {
    return static_cast<int>(spatial_dynamics::load_urdf(urdf).nv());
  } catch (const spatial_dynamics::ModelError&) {
    return -1;
  }
}
