#include "spatial_dynamics/model/inertial_parameters.hpp"

namespace spatial_dynamics {

InertialParameters inertial_parameters(const Inertia& inertia) noexcept {
  const Matrix3& I = inertia.I;
  InertialParameters p;
  p << inertia.mass, inertia.h, I(0, 0), I(0, 1), I(0, 2), I(1, 1), I(1, 2), I(2, 2);
  return p;
}

Inertia inertia_from_parameters(const InertialParameters& p) noexcept {
  Matrix3 I;
  I << p(4), p(5), p(6), p(5), p(7), p(8), p(6), p(8), p(9);
  return {p(0), p.segment<3>(1), I};
}

VectorXd link_parameters(const Model& model) {
  VectorXd p(kInertialParameters * model.link_count());
  for (Index l = 0; l < model.link_count(); ++l) {
    p.segment<kInertialParameters>(kInertialParameters * l) =
        inertial_parameters(model.link(l).inertia);
  }
  return p;
}

}  // namespace spatial_dynamics
