// The text around generated statements: headers, arguments, sines and friction.
#pragma once

#include "kernels/compact_model.hpp"
#include "kernels/statements.hpp"
#include "spatial_dynamics/dynamics/generate.hpp"

namespace spatial_dynamics::kernels {

/// Sources of core/lanes.hpp, core/elementary.hpp and core/transpose.hpp, which generated code
/// includes.
extern const char* const kLanesSource;
extern const char* const kElementarySource;
extern const char* const kTransposeSource;

class GeneratedText {
 public:
  GeneratedText(const Model& model, const CompactModel& compact, std::string name,
                std::string payload_link);

  /// One function's statements, on q, v, a or tau, s, c, gravity and (if used) payload and
  /// external.
  void add(const std::string& function, bool loaded, const StatementParts& statements,
           const OperationCounts& counts);
  /// Forward dynamics by inverse_dynamics, mass_matrix and solve, which are added before.
  void add_composed_forward_dynamics(bool loaded, const OperationCounts& counts);
  GeneratedCode finish();

 private:
  [[nodiscard]] std::string header() const;
  [[nodiscard]] std::string sines() const;
  [[nodiscard]] std::string pack_sines() const;
  [[nodiscard]] std::string friction() const;
  [[nodiscard]] std::string pack_friction() const;
  /// The text with the robot's name and sizes in place of their marks.
  [[nodiscard]] std::string filled(std::string text) const;

  const Model& model_;
  const CompactModel& compact_;
  std::string name_;
  std::string payload_link_;
  std::string bodies_;
  std::vector<Index> turning_;  ///< joints whose sine is needed
  std::vector<Index> rubbing_;  ///< unreduced coordinates with Coulomb friction
  std::vector<GeneratedFunction> functions_;
};

}  // namespace spatial_dynamics::kernels
