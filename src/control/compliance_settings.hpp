// Resolves the settings of joint_impedance, hand_guiding and the detection of contacts, and checks
// whether they are stable and complete.
#pragma once

#include <string>
#include <vector>

#include "spatial_dynamics/control/control_settings.hpp"

namespace spatial_dynamics {

/// One number per scalar coordinate as nv numbers: `base_value` for a floating base. Allocates.
VectorXd on_velocities(const Model& model, const std::vector<ScalarCoordinate>& coordinates,
                       const std::vector<double>& values, double base_value);

/// Sets stiffness, damping, damping_ratio and locked of `joints`. A damping that is given replaces
/// the damping ratio of its joint. Allocates; throws as resolve_joint_settings().
void resolve_springs(const ControlSettings& settings, const JointOverrides& by_joint,
                     const Model& model, const std::vector<ScalarCoordinate>& coordinates,
                     JointSettings& joints);

/// Sets contact_threshold of `joints`. Allocates; throws as resolve_joint_settings(), also for a
/// threshold below the noise.
void resolve_contact(const ControlSettings& settings, const JointOverrides& by_joint,
                     const Model& model, const std::vector<ScalarCoordinate>& coordinates,
                     JointSettings& joints);

/// Whether springs act in the joints: in joint_impedance, in hand_guiding with locked joints, and
/// in modes without feedback that hold or retreat after a contact.
bool uses_springs(const ControlSettings& settings, const JointSettings& joints) noexcept;

/// A spring K with a damper D that a loop of period T computes is stable, and its motion gains at
/// most 1 % of the spring's energy, if K T <= D <= 0.2 M(q) / T (as matrices; K and D are
/// diagonal). Why: with y = M^(1/2) x, every eigenvalue k, d of M^(-1/2) (K, D) M^(-1/2) obeys
/// k T <= d <= 0.2 / T; the energy that one period adds to a joint released at x is
/// (k T^2)^2 / 4 <= 1 % of k x^2 / 2, and every later period dissipates.
inline constexpr double kLargestDampingStep = 0.2;

/// For the mode and the contact reaction of the settings: joints whose springs are outside of that
/// range at any of some poses within the position limits, a hand-guided arm that nothing stops, and
/// joints whose contacts are not detected; as sentences for the log. Empty if there is nothing.
/// Takes milliseconds for an arm. Allocates.
std::string gain_warning(const ControlSettings& settings, const JointSettings& joints,
                         const Model& model, const std::vector<ScalarCoordinate>& coordinates);

}  // namespace spatial_dynamics
