// Many states at once: the torques of examples/embed for one state, and for a thousand, one per
// column.
#include <iostream>
#include <spatial_dynamics/spatial_dynamics.hpp>

using namespace spatial_dynamics;

int main(int argc, char** argv) try {
  constexpr Index kStates = 1000;
  const Model model = load_urdf_file(argc > 1 ? argv[1] : "robot.urdf");

  Data data(model);
  const VectorXd q = VectorXd::Zero(model.nq()), v = VectorXd::Zero(model.nv());
  const VectorXd a = VectorXd::Ones(model.nv());
  std::cout << inverse_dynamics(model, data, q, v, a).transpose() << '\n';

  // The same functions on matrices. Four states are computed at once, about three times as fast as
  // one by one.
  BatchData batch(model, kStates);
  const MatrixXd Q = q.replicate(1, kStates), V = v.replicate(1, kStates);
  const MatrixXd A = VectorXd::LinSpaced(kStates, 0.0, 1.0).transpose().replicate(model.nv(), 1);
  std::cout << inverse_dynamics(model, batch, Q, V, A).rightCols<1>().transpose() << '\n';
} catch (const std::exception& error) {
  std::cerr << error.what() << '\n';
  return 1;
}
