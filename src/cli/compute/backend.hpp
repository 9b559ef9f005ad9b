// The implementations that `compute` can use: textbook, kernels, batches, or code generated for the
// robot.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "cli/compute/answer_writer.hpp"
#include "cli/compute/state_reader.hpp"

namespace spatial_dynamics::cli {

/// Computes the quantities of one model.
class Backend {
 public:
  Backend() = default;
  Backend(const Backend&) = delete;
  Backend& operator=(const Backend&) = delete;
  virtual ~Backend() = default;

  /// Computes a quantity and writes its value. Returns false, with nothing written, if this backend
  /// does not compute the quantity. Throws InputError if the quantity does not exist at this state.
  virtual bool write(const State& state, const RequestedQuantity& request,
                     AnswerWriter& writer) = 0;

 protected:
  /// Throws InputError unless forces determine an acceleration of this model.
  static void require_forward_dynamics(const Model& model);
  /// Throws InputError if the mass matrix was singular.
  static void require_regular(bool singular, const std::string& quantity);
};

/// The folder in the user's cache that keeps compiled code between runs.
std::string cache_folder();

/// "textbook", "kernel", "batch", "generated".
const std::vector<std::string>& backend_names();

/// The model must outlive the backend. "generated" generates code, compiles it (once per robot: the
/// object is kept in cache_folder()) and loads it; throws std::runtime_error if that fails.
/// Allocates.
std::unique_ptr<Backend> make_backend(const std::string& name, const Model& model);

/// The backends of complete_backend.cpp, which compute every quantity.
std::unique_ptr<Backend> make_textbook_backend(const Model& model);
std::unique_ptr<Backend> make_kernel_backend(const Model& model);

}  // namespace spatial_dynamics::cli
