// A robot built in code, without a URDF: a cart on a rail with a pole, compared with the textbook's
// formula.
#include <cmath>
#include <iomanip>
#include <iostream>
#include <spatial_dynamics/spatial_dynamics.hpp>

using namespace spatial_dynamics;

int main() try {
  constexpr double kCart = 1.0, kBob = 0.2, kLength = 0.5;  // kg, kg, m

  JointDescription rail;
  rail.name = "rail";
  rail.type = JointType::kPrismatic;
  rail.parent = "world";
  rail.child = "cart";
  rail.axis = Vector3::UnitX();
  rail.limits = {-1.0, 1.0, 2.0, 20.0};  // m, m, m/s, N

  JointDescription pivot;
  pivot.name = "pivot";
  pivot.type = JointType::kContinuous;
  pivot.parent = "cart";
  pivot.child = "pole";
  pivot.axis = Vector3::UnitY();

  const Model model = ModelBuilder("cart_pole")
                          .add_link("world")
                          .add_link("cart", {kCart, Vector3::Zero(), Matrix3::Zero()})
                          .add_link("pole", {kBob, Vector3(0.0, 0.0, kLength), Matrix3::Zero()})
                          .add_joint(rail)
                          .add_joint(pivot)
                          .build();  // throws ModelError, which names the wrong element
  Data data(model);
  const VectorXd q = Eigen::Vector2d(0.3, 0.7), v = Eigen::Vector2d(-0.4, 1.1),
                 tau = Eigen::Vector2d(5.0, 0.0);
  const VectorXd& a = forward_dynamics(model, data, q, v, tau);

  // (M + m) x'' + m l cos(th) th'' = F + m l sin(th) th'^2
  //   m l cos(th) x'' + m l^2 th'' = m g l sin(th)
  const double ml = kBob * kLength, s = std::sin(q(1)), c = std::cos(q(1));
  const double g = -model.gravity().z();
  const Eigen::Matrix2d M{{kCart + kBob, ml * c}, {ml * c, ml * kLength}};
  const Eigen::Vector2d by_hand =
      M.inverse() * Eigen::Vector2d(tau(0) + ml * s * v(1) * v(1), ml * g * s);

  std::cout << std::fixed << std::setprecision(6)  //
            << "cart  " << a(0) << " m/s^2     by hand " << by_hand(0) << '\n'
            << "pole  " << a(1) << " rad/s^2  by hand " << by_hand(1) << '\n';
} catch (const std::exception& error) {
  std::cerr << error.what() << '\n';
  return 1;
}
