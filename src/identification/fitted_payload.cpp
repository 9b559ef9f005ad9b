#include "spatial_dynamics/identification/fitted_payload.hpp"

#include <algorithm>
#include <cmath>

#include "spatial_dynamics/dynamics/regressor.hpp"

namespace spatial_dynamics {
namespace {

constexpr double kNegligible = 1e-4;  // share of the robot's mass: 2 g of 20 kg
constexpr double kReach = 1.0;        // m: lever arm at which a negligible mass starts to matter

}  // namespace

FittedPayload fitted_payload(const LogFit& fit, bool rotational) {
  const auto value = [&](std::size_t i) { return fit.parameters[i].value; };
  FittedPayload payload;
  payload.mass = value(0);
  payload.mass_deviation = fit.parameters[0].deviation;
  for (std::size_t i = 0; i < 4; ++i) payload.determined &= fit.parameters[i].determined;
  const auto differs_from_zero = [](const FitParameter& p, double deviations) {
    return p.determined && std::abs(p.value) > deviations * p.deviation;
  };
  payload.significant = payload.present = differs_from_zero(fit.parameters[0], 2.0);
  for (std::size_t i = 0; i < (rotational ? 10U : 4U); ++i) {
    payload.present |= differs_from_zero(fit.parameters[i], 4.0);
    payload.without_effect &= !fit.parameters[i].determined && value(i) == 0.0;
  }
  if (payload.mass == 0.0) return payload;
  const Vector3 h(value(1), value(2), value(3));
  payload.com = h / payload.mass;
  for (Index i = 0; i < 3; ++i) {
    // c = h / m, so that dc = (dh - c dm) / m.
    const Index k = 1 + i;
    const double c = payload.com(i);
    const double variance =
        fit.covariance(k, k) - 2.0 * c * fit.covariance(0, k) + c * c * fit.covariance(0, 0);
    payload.com_deviation(i) = std::sqrt(std::max(0.0, variance)) / std::abs(payload.mass);
  }
  if (rotational) {
    InertialParameters p;
    for (Index i = 0; i < kInertialParameters; ++i) p(i) = value(to_size(i));
    payload.inertia_about_com = inertia_from_parameters(p).inertia_about_com();
  }
  return payload;
}

bool is_negligible(const FittedPayload& payload, const Model& model) {
  const double mass = kNegligible * model.total_mass();
  return std::abs(payload.mass) < mass &&
         std::abs(payload.mass) * payload.com.norm() < mass * kReach;
}

PayloadSum add_payload(const std::vector<Payload>& known, const std::string& link,
                       const FittedPayload& fitted) {
  PayloadSum sum;
  const auto entry_of = [&sum](const std::string& name) {
    auto place = std::find_if(sum.payloads.begin(), sum.payloads.end(),
                              [&](const NamedPayload& each) { return each.link == name; });
    if (place == sum.payloads.end())
      place = sum.payloads.insert(sum.payloads.end(), NamedPayload{name, Inertia::Zero()});
    return place;
  };
  for (const Payload& payload : known) {
    const MassProperties& m = payload.mass_properties;
    entry_of(payload.link)->inertia += Inertia::from_com(m.mass, m.com, m.inertia_about_com);
  }
  const auto place = entry_of(link);
  sum.fitted = static_cast<std::size_t>(place - sum.payloads.begin());
  Inertia& total = place->inertia;
  total += Inertia::from_com(fitted.mass, fitted.com, fitted.inertia_about_com);
  if (!is_physical(total)) {
    sum.without_rotation = true;
    total = Inertia::from_com(total.mass, total.com(), Matrix3::Zero());
  }
  // To 1 um: without noise, rounding errors of 1e-16 m would be printed.
  const Vector3 com = (total.com() * 1e6).array().round() / 1e6 + 0.0;
  total = Inertia::from_com(total.mass, com, total.inertia_about_com());
  return sum;
}

}  // namespace spatial_dynamics
