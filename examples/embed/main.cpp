// Loads a robot and prints the torque of each joint that sets all of them off with 1 rad/s^2 (or m/s^2).
#include <iostream>
#include <spatial_dynamics/algorithms/configuration.hpp>
#include <spatial_dynamics/algorithms/inverse_dynamics.hpp>
#include <spatial_dynamics/model/load_urdf.hpp>

int main(int argc, char** argv) try {
  const auto model = spatial_dynamics::load_urdf_file(argc > 1 ? argv[1] : "robot.urdf");
  spatial_dynamics::Data data(model);  // takes all memory, so that the line after next takes none
  const Eigen::VectorXd q = spatial_dynamics::neutral_configuration(model);
  const Eigen::VectorXd v = Eigen::VectorXd::Zero(model.nv()),
                        a = Eigen::VectorXd::Ones(model.nv());
  const Eigen::VectorXd& tau = spatial_dynamics::inverse_dynamics(model, data, q, v, a);
  for (const auto i : model.coordinate_joints())
    std::cout << model.joint(i).name << ' '
              << tau.segment(model.joint(i).v_index, model.joint(i).nv).transpose() << '\n';
} catch (const std::exception& error) {
  std::cerr << error.what() << '\n';
  return 1;
}
