// Generates straight-line C++ for one robot: the same computation as the kernels, without loops,
// branches and zeros.
#pragma once

#include <string>
#include <vector>

#include "spatial_dynamics/model/model.hpp"

namespace spatial_dynamics {

struct GenerateOptions {
  /// Prefix of the functions, as in NAME_inverse_dynamics. Empty: the name of the model, changed to
  /// an identifier.
  std::string name;
  /// The link that may have a payload at run time. Empty: the last moving link (last_moving_link).
  std::string payload_link;
};

/// The operations of one generated function.
struct GeneratedFunction {
  std::string name;
  int multiplications = 0;
  int additions = 0;
  int divisions = 0;
};

struct GeneratedCode {
  std::string name;    ///< an identifier
  std::string header;  ///< text of NAME.hpp
  std::string source;  ///< text of NAME.cpp, which needs only the header and a C library
  std::vector<GeneratedFunction> functions;
};

/// Generates inverse dynamics, mass matrix and forward dynamics of the model, each with and without
/// a payload. Friction, rotors and the present payloads of the model are constants in the code;
/// gravity and the payload of payload_link are arguments. Allocates; throws std::invalid_argument
/// if the link does not exist or is fixed to the world.
GeneratedCode generate_code(const Model& model, const GenerateOptions& options = {});

}  // namespace spatial_dynamics
