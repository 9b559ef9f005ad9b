// From URDF text to a Model.
#pragma once

#include <string>
#include <string_view>

#include "spatial_dynamics/model/model_builder.hpp"

namespace spatial_dynamics {

using LoadOptions = BuildOptions;

/// Reads a URDF. Strict where urdfdom is lenient: every number is checked, and a document that is refused says which element
/// is at fault and what to do. Allocates; throws ModelError.
Model load_urdf(std::string_view xml, const LoadOptions& options = {},
                ModelReport* report = nullptr);

/// The same from a file; the sentence of a refusal starts with the file's name.
Model load_urdf_file(const std::string& path, const LoadOptions& options = {},
                     ModelReport* report = nullptr);

}  // namespace spatial_dynamics
