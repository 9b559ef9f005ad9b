// A horizontal pendulum of 2 kg at 0.5 m: 2 * 9.80665 * 0.5 = 9.80665 N m.
#include <iostream>
#include <spatial_dynamics/dynamics/inverse_dynamics.hpp>
#include <spatial_dynamics/model/model_builder.hpp>

int main() {
  using namespace spatial_dynamics;
  JointDescription hinge;
  hinge.name = "hinge";
  hinge.type = JointType::kContinuous;
  hinge.parent = "base";
  hinge.child = "bob";
  hinge.axis = -Vector3::UnitY();  // a positive torque lifts the bob
  const MassProperties bob{2.0, Vector3(0.5, 0.0, 0.0), Matrix3::Zero()};
  const Model model =
      ModelBuilder("pendulum").add_link("base").add_link("bob", bob).add_joint(hinge).build();
  Data data(model);
  const VectorXd q = VectorXd::Zero(model.nq());
  std::cout << gravity_torque(model, data, q) << '\n';
}
