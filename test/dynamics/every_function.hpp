// All functions on a Data by name, so that a test can apply a law to each of them.
#pragma once

#include <functional>
#include <stdexcept>
#include <string>
#include <vector>

#include "spatial_dynamics/spatial_dynamics.hpp"
#include "support/law_test.hpp"

namespace spatial_dynamics::test {

inline std::vector<NamedRobot> small_robots() {
  std::vector<NamedRobot> robots;
  for (const NamedRobot& robot : all_robots()) {
    if (!robot.large) robots.push_back(robot);
  }
  return robots;
}

/// The message of the std::invalid_argument that `call` throws; empty if it throws none.
template <typename Call>
inline std::string sentence(const Call& call) {
  try {
    call();
  } catch (const std::invalid_argument& error) {
    return error.what();
  }
  return {};
}

/// The memory of a part of a result.
struct Numbers {
  const double* data;
  Index size;
};
template <typename Derived>
Numbers numbers_of(const Eigen::PlainObjectBase<Derived>& x) {
  return {x.data(), x.size()};
}

/// A function of the library: its name, the number of vector arguments (q, v and a third one) and
/// the parts of its result.
struct Function {
  std::string name;
  int arguments;  ///< how many of q, v, x
  std::function<std::vector<Numbers>(const Model&, Data&, VectorView q, VectorView v, VectorView x)>
      call;
};

/// All functions whose results are references into the Data.
inline std::vector<Function> every_function(const ExternalForces& external, Index link) {
  using M = const Model&;
  using V = VectorView;
  using Parts = std::vector<Numbers>;
  return {
      {"inverse_dynamics", 3,
       [&external](M m, Data& d, V q, V v, V x) {
         return Parts{numbers_of(inverse_dynamics(m, d, q, v, x, external))};
       }},
      {"rigid_body_torque", 3,
       [&external](M m, Data& d, V q, V v, V x) {
         return Parts{numbers_of(rigid_body_torque(m, d, q, v, x, external))};
       }},
      {"friction_torque", 2,
       [](M m, Data& d, V, V v, V) { return Parts{numbers_of(friction_torque(m, d, v))}; }},
      {"rotor_torque", 3,
       [](M m, Data& d, V, V, V x) { return Parts{numbers_of(rotor_torque(m, d, x))}; }},
      {"bias_torque", 2,
       [&external](M m, Data& d, V q, V v, V) {
         return Parts{numbers_of(bias_torque(m, d, q, v, external))};
       }},
      {"gravity_torque", 1,
       [&external](M m, Data& d, V q, V, V) {
         return Parts{numbers_of(gravity_torque(m, d, q, external))};
       }},
      {"forward_dynamics", 3,
       [&external](M m, Data& d, V q, V v, V x) {
         return Parts{numbers_of(forward_dynamics(m, d, q, v, x, external))};
       }},
      {"mass_matrix", 1,
       [](M m, Data& d, V q, V, V) { return Parts{numbers_of(mass_matrix(m, d, q))}; }},
      {"mass_matrix_inverse", 1,
       [](M m, Data& d, V q, V, V) { return Parts{numbers_of(mass_matrix_inverse(m, d, q))}; }},
      {"coriolis_matrix", 2,
       [](M m, Data& d, V q, V v, V) { return Parts{numbers_of(coriolis_matrix(m, d, q, v))}; }},
      {"inverse_dynamics_derivatives", 3,
       [&external](M m, Data& d, V q, V v, V x) {
         const auto& r = inverse_dynamics_derivatives(m, d, q, v, x, external);
         return Parts{numbers_of(r.dtau_dq), numbers_of(r.dtau_dv), numbers_of(r.dtau_da)};
       }},
      {"forward_dynamics_derivatives", 3,
       [&external](M m, Data& d, V q, V v, V x) {
         const auto& r = forward_dynamics_derivatives(m, d, q, v, x, external);
         return Parts{numbers_of(r.da_dq), numbers_of(r.da_dv), numbers_of(r.da_dtau),
                      numbers_of(r.a)};
       }},
      {"jacobian", 1,
       [link](M m, Data& d, V q, V, V) { return Parts{numbers_of(jacobian(m, d, q, link))}; }},
      {"jacobian_rate", 2,
       [link](M m, Data& d, V q, V v, V) {
         return Parts{numbers_of(jacobian_rate(m, d, q, v, link))};
       }},
      {"regressor", 3,
       [](M m, Data& d, V q, V v, V x) { return Parts{numbers_of(regressor(m, d, q, v, x))}; }},
      {"joint_wrenches", 3,
       [&external](M m, Data& d, V q, V v, V x) {
         const std::vector<Force>& f = joint_wrenches(m, d, q, v, x, external);
         return Parts{
             {reinterpret_cast<const double*>(f.data()), 6 * static_cast<Index>(f.size())}};
       }},
  };
}

/// Functions that return values. They must not change the results of other functions either.
inline void call_functions_by_value(const Model& model, Data& data, VectorView q, VectorView v,
                                    VectorView a, Index link) {
  link_pose(model, data, q, link);
  link_velocity(model, data, q, v, link);
  link_acceleration(model, data, q, v, a, link);
  link_classical_acceleration(model, data, q, v, a, link);
  jacobian(model, data, q, link, Frame::kLocal);
  kinetic_energy(model, data, q, v);
  potential_energy(model, data, q);
  center_of_mass(model, data, q);
  centroidal_momentum(model, data, q, v);
}

inline VectorXd copy_of(const std::vector<Numbers>& parts) {
  Index size = 0;
  for (const Numbers& part : parts) size += part.size;
  VectorXd all(size);
  Index next = 0;
  for (const Numbers& part : parts) {
    all.segment(next, part.size) = Eigen::Map<const VectorXd>(part.data, part.size);
    next += part.size;
  }
  return all;
}

}  // namespace spatial_dynamics::test
