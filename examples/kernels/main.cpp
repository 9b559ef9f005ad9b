// The fast path: the torques of examples/embed from a compiled robot, for one state and for a thousand at once.
#include <iostream>
#include <spatial_dynamics/kernels/batch.hpp>
#include <spatial_dynamics/kernels/inverse_dynamics.hpp>
#include <spatial_dynamics/model/load_urdf.hpp>

using namespace spatial_dynamics;

int main(int argc, char** argv) try {
  const Model model = load_urdf_file(argc > 1 ? argv[1] : "robot.urdf");
  const CompactModel compact = compile(model);
  Workspace workspace(compact);  // one per thread, as the next
  BatchWorkspace batch(compact);
  const VectorXd q = VectorXd::Zero(model.nq()), v = VectorXd::Zero(model.nv());
  const VectorXd a = VectorXd::Ones(model.nv());
  std::cout << inverse_dynamics(compact, workspace, q, v, a).transpose() << '\n';

  const MatrixXd Q = q.replicate(1, 1000), V = v.replicate(1, 1000);  // one state a column
  const MatrixXd A = VectorXd::LinSpaced(1000, 0.0, 1.0).transpose().replicate(model.nv(), 1);
  MatrixXd Tau(model.nv(), 1000);
  inverse_dynamics_batch(compact, batch, Q, V, A, Tau);
  std::cout << Tau.rightCols<1>().transpose() << '\n';
} catch (const std::exception& error) {
  std::cerr << error.what() << '\n';
  return 1;
}
