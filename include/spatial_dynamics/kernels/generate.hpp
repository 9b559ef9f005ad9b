// Straight-line C++ for one robot: what the kernels would compute, without loops, branches and zeros.
#pragma once

#include <string>
#include <vector>

#include "spatial_dynamics/kernels/compact_model.hpp"

namespace spatial_dynamics {

struct GenerateOptions {
  std::string
      name;  ///< of the functions, NAME_inverse_dynamics and so on; empty: the model's, made an identifier
  std::string payload_link;  ///< that may carry a payload at run time; empty: the last that moves
};

/// What one generated function costs.
struct GeneratedFunction {
  std::string name;
  int multiplications = 0;
  int additions = 0;
  int divisions = 0;
};

struct GeneratedCode {
  std::string name;    ///< an identifier
  std::string header;  ///< text of NAME.hpp
  std::string source;  ///< text of NAME.cpp, which needs nothing but the header and a C library
  std::vector<GeneratedFunction> functions;
};

/// Generates inverse dynamics, mass matrix and forward dynamics of the model, each with and without a payload. Friction, rotors
/// and what the model carries today are in the code; gravity and the payload are arguments. Allocates; throws
/// std::invalid_argument if there is no such link.
GeneratedCode generate_code(const Model& model, const GenerateOptions& options = {});

}  // namespace spatial_dynamics
