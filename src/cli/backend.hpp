// Which implementation computes: the textbook's, the kernels', or code made for this robot alone.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "state_reader.hpp"

namespace spatial_dynamics::cli {

/// Inverse dynamics, forward dynamics and the mass matrix of one model. Results are valid until the next call.
class Backend {
 public:
  Backend() = default;
  Backend(const Backend&) = delete;
  Backend& operator=(const Backend&) = delete;
  virtual ~Backend() = default;

  virtual const VectorXd& inverse_dynamics(const State& state) = 0;
  /// Sets `singular` and answers zero where forces determine no acceleration.
  virtual const VectorXd& forward_dynamics(const State& state, bool& singular) = 0;
  virtual const MatrixXd& mass_matrix(const State& state) = 0;
};

/// Where compiled code is kept between runs: in the user's cache.
std::string cache_folder();

/// "textbook", "kernel", "batch", "generated".
const std::vector<std::string>& backend_names();

/// The model must outlive the backend. "generated" generates, compiles (once per robot: the object is kept in the user's cache)
/// and loads; throws std::runtime_error with a sentence if that fails. Allocates.
std::unique_ptr<Backend> make_backend(const std::string& name, const Model& model);

}  // namespace spatial_dynamics::cli
