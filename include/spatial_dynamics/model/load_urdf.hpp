// From URDF text to a Model.
#pragma once

#include <string>
#include <string_view>

#include "spatial_dynamics/model/model_builder.hpp"

namespace spatial_dynamics {

using LoadOptions = BuildOptions;

/// Loads a URDF. Stricter than urdfdom: every number is checked, and the error of a rejected
/// document names the element and the correction. Allocates; throws ModelError.
Model load_urdf(std::string_view xml, const LoadOptions& options = {},
                ModelReport* report = nullptr);

/// The same from a file; error messages start with the file's name.
Model load_urdf_file(const std::string& path, const LoadOptions& options = {},
                     ModelReport* report = nullptr);

/// The links and joints of a URDF, for a program that builds a model several times with different
/// options. Allocates; throws ModelError.
ModelBuilder read_urdf(std::string_view xml);

}  // namespace spatial_dynamics
