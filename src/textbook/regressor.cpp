#include "spatial_dynamics/textbook/regressor.hpp"

#include "joint_space.hpp"
#include "spatial_dynamics/textbook/kinematics.hpp"

namespace spatial_dynamics::textbook {

void regressor(const Model& model, Data& data, VectorIn q, VectorIn v, VectorIn a,
               Eigen::Ref<MatrixXd> Y) noexcept {
  assert(Y.rows() == model.nv() && Y.cols() == kInertialParameters * model.link_count());
  forward_kinematics(model, data, q, v, a);
  Y.setZero();
  for (Index l = 0; l < model.link_count(); ++l) {
    const Link& link = model.link(l);
    const std::size_t b = to_size(link.body);
    const Motion gravity = data.X_world[b] * Motion(Vector3::Zero(), model.gravity());
    const Motion v_link = link.placement * data.v[b];
    const Motion a_link = link.placement * (data.a[b] - gravity);
    for (Index k = 0; k < kInertialParameters; ++k) {
      // f = I a + v x* I v is linear in the ten numbers: one at a time, transformed to the root.
      // [L4]
      const Inertia unit = inertia_from_parameters(InertialParameters::Unit(k));
      Force f = link.placement.apply_transpose(unit * a_link + cross_star(v_link, unit * v_link));
      for (Index i = link.body; i != 0; i = model.parent(i)) {
        const Joint& joint = model.joint(i);
        for (Index m = 0; m < joint.nv; ++m) {
          Y(joint.v_index + m, kInertialParameters * l + k) += dot(subspace_column(joint, m), f);
        }
        f = data.X[to_size(i)].apply_transpose(f);
      }
    }
  }
}

}  // namespace spatial_dynamics::textbook
