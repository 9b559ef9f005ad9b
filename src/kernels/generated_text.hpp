// The text around generated statements: headers, arguments, sines and friction.
#pragma once

#include "expression.hpp"
#include "spatial_dynamics/kernels/generate.hpp"

namespace spatial_dynamics {

/// Sources of core/lanes.hpp and core/elementary.hpp, which generated code brings along.
extern const char* const kLanesSource;
extern const char* const kElementarySource;

class GeneratedText {
 public:
  GeneratedText(const Model& model, const CompactModel& compact, std::string name,
                std::string payload_link);

  /// One function's statements, on q, v, a or tau, s, c, gravity and (where loaded) payload.
  void add(const std::string& function, bool loaded, const std::string& statements,
           const ExpressionGraph::Counts& counts);
  GeneratedCode finish();

 private:
  [[nodiscard]] std::string header() const;
  [[nodiscard]] std::string sines() const;
  [[nodiscard]] std::string friction(const std::string& target, const std::string& sign) const;
  [[nodiscard]] std::string entry_points() const;

  const Model& model_;
  const CompactModel& compact_;
  std::string name_;
  std::string payload_link_;
  std::string bodies_;
  std::vector<GeneratedFunction> functions_;
};

}  // namespace spatial_dynamics
