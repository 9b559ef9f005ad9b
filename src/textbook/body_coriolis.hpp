// The velocity terms of one body as a matrix.
#pragma once

#include "spatial_dynamics/spatial/inertia.hpp"

namespace spatial_dynamics::textbook {

/// B(I, v) = 1/2 ((v x*) I - I (v x) + (I v) x~*), where (f x~*) v = v x* f.
/// It satisfies B v = v x* I v and B + B' = dI/dt, so that M' - 2C is skew-symmetric.
inline Matrix6 body_coriolis(const Inertia& I, const Motion& v) noexcept {
  const Matrix6 V = cross_matrix(v);
  const Matrix6 inertia = I.matrix();
  const Force momentum = I * v;
  Matrix6 momentum_cross;
  momentum_cross << -skew(momentum.moment), -skew(momentum.force), -skew(momentum.force),
      Matrix3::Zero();
  return 0.5 * (-V.transpose() * inertia - inertia * V + momentum_cross);
}

}  // namespace spatial_dynamics::textbook
