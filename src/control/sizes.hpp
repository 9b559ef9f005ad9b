// Compares the sizes of inputs and outputs with those that a model needs.
#pragma once

#include "spatial_dynamics/control/control_input.hpp"
#include "spatial_dynamics/control/control_output.hpp"

namespace spatial_dynamics {

/// The sizes that one model needs. All functions are real-time safe.
class Sizes {
 public:
  Sizes(const Model& model, const Coordinates& coordinates) noexcept
      : nq_(model.nq()),
        nv_(model.nv()),
        links_(model.link_count()),
        scalars_(coordinates.size()) {}

  [[nodiscard]] bool fit(const JointSettings& joints) const noexcept;
  [[nodiscard]] bool fit(const EnvelopeLimits& limits) const noexcept;
  [[nodiscard]] bool fit(const JointStates& states) const noexcept;
  [[nodiscard]] bool fit(const References& references) const noexcept;
  [[nodiscard]] bool fit(const EffortCommand& command) const noexcept;
  [[nodiscard]] bool fit(const StiffnessCommand& command) const noexcept {
    return is_nv(command.stiffness);
  }
  [[nodiscard]] bool fit(const Wrenches& wrenches) const noexcept;
  [[nodiscard]] bool fit(const Payloads& payloads) const noexcept;
  [[nodiscard]] bool fit(const ControlView& input) const noexcept;
  [[nodiscard]] bool fit(const ControlOutput& output) const noexcept;

 private:
  [[nodiscard]] bool is_nv(const VectorXd& v) const noexcept { return v.size() == nv_; }
  [[nodiscard]] bool is_link(Index link) const noexcept { return link >= 0 && link < links_; }

  Index nq_, nv_, links_;
  std::size_t scalars_;
};

/// Copies the status, and the vectors whose sizes are equal in both. Clears the `send_` flags of
/// all other vectors. Real-time safe.
void copy_where_sizes_fit(const ControlOutput& from, ControlOutput& to) noexcept;

}  // namespace spatial_dynamics
