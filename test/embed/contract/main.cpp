// Tests the contract of the library as a new user sees it: one include, Release, an installed tree.
#include <iostream>
#include <spatial_dynamics/spatial_dynamics.hpp>
#include <spatial_dynamics/textbook/inverse_dynamics.hpp>

using namespace spatial_dynamics;

int main(int argc, char** argv) try {
  Model model = load_urdf_file(argc > 1 ? argv[1] : "robot.urdf");
  Data data(model);
  const VectorXd q = VectorXd::Constant(model.nq(), 0.3), v = VectorXd::Constant(model.nv(), 0.2),
                 a = VectorXd::Ones(model.nv());

  // A result may be an argument.
  const VectorXd& back =
      forward_dynamics(model, data, q, v, inverse_dynamics(model, data, q, v, a));
  std::cout << std::boolalpha << "back " << back.isApprox(a, 1e-9) << '\n';

  // A result survives other functions.
  const VectorXd& tau = inverse_dynamics(model, data, q, v, a);
  const VectorXd before = tau;
  mass_matrix(model, data, q);
  forward_dynamics_derivatives(model, data, q, v, a);
  std::cout << "survives " << (tau == before) << '\n';

  // Sizes are checked in Release.
  const VectorXd wrong = VectorXd::Zero(model.nv() + 1);
  try {
    inverse_dynamics(model, data, q, v, wrong);
    std::cout << "accepted\n";
  } catch (const std::invalid_argument& error) {
    std::cout << error.what() << '\n';
  }

  // A change of the model is seen by the next call.
  const VectorXd heavy = gravity_torque(model, data, q);
  model.set_gravity(0.5 * model.gravity());
  std::cout << "half " << gravity_torque(model, data, q).isApprox(0.5 * heavy) << '\n';

  // The textbook computes the same.
  textbook::Data book(model);
  std::cout << "textbook "
            << textbook::gravity_torque(model, book, q).isApprox(gravity_torque(model, data, q))
            << '\n';
} catch (const std::exception& error) {
  std::cerr << error.what() << '\n';
  return 1;
}
