// The first program: load a robot, compute the torques of a motion, and the motion of these
// torques.
#include <iostream>
#include <spatial_dynamics/spatial_dynamics.hpp>

using namespace spatial_dynamics;

int main(int argc, char** argv) try {
  const Model model = load_urdf_file(argc > 1 ? argv[1] : "robot.urdf");
  Data data(model);  // allocates all memory; the functions below allocate none

  const VectorXd q = neutral_configuration(model);  // rad or m
  const VectorXd v = VectorXd::Zero(model.nv());    // rad/s or m/s
  const VectorXd a = VectorXd::Ones(model.nv());    // rad/s^2 or m/s^2

  // A result is a reference into `data`. It stays valid until the same function is called again.
  const VectorXd& tau = inverse_dynamics(model, data, q, v, a);
  const VectorXd& back = forward_dynamics(model, data, q, v, tau);  // equals a
  if (data.singular() || !back.isApprox(a)) return 1;

  for (const Index i : model.coordinate_joints()) {
    const Joint& joint = model.joint(i);
    std::cout << joint.name << ' ' << tau.segment(joint.v_index, joint.nv).transpose() << '\n';
  }
} catch (const std::exception& error) {  // the message: what is wrong, where, and what to do
  std::cerr << error.what() << '\n';
  return 1;
}
