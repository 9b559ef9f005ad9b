// The payload that a fit has found.
#pragma once

#include <string>
#include <vector>

#include "spatial_dynamics/identification/log_fit.hpp"
#include "spatial_dynamics/model/model_builder.hpp"

namespace spatial_dynamics {

/// A payload in the link's frame with standard deviations, from the first four (or ten) parameters
/// of a fit.
struct FittedPayload {
  double mass = 0.0, mass_deviation = 0.0;
  Vector3 com = Vector3::Zero(), com_deviation = Vector3::Zero();
  Matrix3 inertia_about_com = Matrix3::Zero();
  bool determined = true;      ///< mass and centre of mass
  bool significant = false;    ///< the mass differs from zero by more than two deviations
  bool present = false;        ///< significant, or another parameter differs by more than four
  bool without_effect = true;  ///< no effort depends on the link's payload
};
FittedPayload fitted_payload(const LogFit& fit, bool rotational);

/// True if mass and first moments are too small to matter for this robot, however precisely the log
/// determines them.
bool is_negligible(const FittedPayload& payload, const Model& model);

/// The inertia of everything that a link carries, in the link's frame.
struct NamedPayload {
  std::string link;
  Inertia inertia = Inertia::Zero();
};

/// Payloads that a node can be given: one per link.
struct PayloadSum {
  std::vector<NamedPayload> payloads;
  std::size_t fitted = 0;         ///< index of the one with the fitted payload
  bool without_rotation = false;  ///< its rotational inertia was left out, because it is physically
                                  ///< inconsistent
};
/// Adds a fitted payload on `link` to the known ones. The sum's centre of mass is rounded to 1 um.
/// Allocates.
PayloadSum add_payload(const std::vector<Payload>& known, const std::string& link,
                       const FittedPayload& fitted);

}  // namespace spatial_dynamics
