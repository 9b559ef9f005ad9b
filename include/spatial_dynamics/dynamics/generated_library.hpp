// Compiles and loads generated code at run time, and compares it with the kernels before use.
#pragma once

#include <memory>
#include <string>

#include "spatial_dynamics/dynamics/generate.hpp"

namespace spatial_dynamics {

/// The functions of generated code, linked or loaded. The generated header documents their
/// arguments.
struct GeneratedFunctions {
  int (*nq)() noexcept = nullptr;
  int (*nv)() noexcept = nullptr;
  void (*inverse_dynamics)(const double* q, const double* v, const double* a, const double* gravity,
                           const double* payload, const double* external,
                           double* tau) noexcept = nullptr;
  void (*mass_matrix)(const double* q, const double* payload, double* M) noexcept = nullptr;
  int (*forward_dynamics)(const double* q, const double* v, const double* tau,
                          const double* gravity, const double* payload, const double* external,
                          double* acceleration) noexcept = nullptr;
  void (*inverse_dynamics_batch)(int states, const double* q, const double* v, const double* a,
                                 const double* gravity, const double* payload,
                                 const double* external, double* tau) noexcept = nullptr;
  void (*mass_matrix_batch)(int states, const double* q, const double* payload,
                            double* M) noexcept = nullptr;
  int (*forward_dynamics_batch)(int states, const double* q, const double* v, const double* tau,
                                const double* gravity, const double* payload,
                                const double* external, double* acceleration) noexcept = nullptr;
};

/// The functions of linked generated code, as in SPATIAL_DYNAMICS_GENERATED(arm7) after including
/// arm7.hpp.
#define SPATIAL_DYNAMICS_GENERATED(name)                                                          \
  (::spatial_dynamics::GeneratedFunctions{                                                        \
      name##_nq, name##_nv, name##_inverse_dynamics, name##_mass_matrix, name##_forward_dynamics, \
      name##_inverse_dynamics_batch, name##_mass_matrix_batch, name##_forward_dynamics_batch})

/// Compares generated functions with the kernels on random states, one by one and as a batch:
/// without and with wrenches, and with a payload on the link that they were generated for
/// (GenerateOptions::payload_link), unless the model has a payload there. Returns an empty string
/// if they agree to 1e-10 of the largest component, otherwise a sentence that describes the
/// difference. Accelerations are compared by the torques that they need. Allocates.
std::string find_difference(const GeneratedFunctions& generated, const Model& model,
                            const std::string& payload_link = {});

/// A shared object with generated code.
class GeneratedLibrary {
 public:
  /// Generates code for the model, compiles it with $CXX or c++ for this machine, loads it and
  /// compares it. Objects are kept in `folder` under a name that depends on their content, so the
  /// same robot is compiled once. Throws std::runtime_error if the compiler fails or results
  /// differ.
  static GeneratedLibrary build(const Model& model, const GenerateOptions& options,
                                const std::string& folder);

  [[nodiscard]] const GeneratedFunctions& functions() const noexcept { return functions_; }
  [[nodiscard]] const std::string& path() const noexcept { return path_; }

 private:
  struct Close {
    void operator()(void* handle) const noexcept;
  };
  std::unique_ptr<void, Close> handle_;
  GeneratedFunctions functions_;
  std::string path_;
};

}  // namespace spatial_dynamics
