// A four-legged robot with a floating base: the forces at the feet and torques at the joints with
// which it stands, and its acceleration without them.
#include <iomanip>
#include <iostream>
#include <spatial_dynamics/spatial_dynamics.hpp>

using namespace spatial_dynamics;

namespace {

const std::array<std::string, 4> kLegs{"left_front", "right_front", "left_hind", "right_hind"};

MassProperties box(double mass, const Vector3& com, const Vector3& size) {
  const Vector3 s = size.cwiseProduct(size);
  const Vector3 moments = mass / 12.0 * Vector3(s.y() + s.z(), s.x() + s.z(), s.x() + s.y());
  return {mass, com, moments.asDiagonal()};
}

JointDescription hinge(const std::string& name, const std::string& parent, const std::string& child,
                       const Vector3& place, const Vector3& axis) {
  JointDescription joint;
  joint.name = name;
  joint.type = JointType::kRevolute;
  joint.parent = parent;
  joint.child = child;
  joint.origin = Transform::translation(place);
  joint.axis = axis;
  joint.limits = {-2.6, 2.6, 10.0, 60.0};  // rad, rad, rad/s, N m
  return joint;
}

/// Trunk, and per leg: hip (roll), thigh and shank (pitch), a foot without mass.
Model build() {
  ModelBuilder builder("quadruped");
  builder.add_link("trunk", box(12.0, Vector3(0.01, 0.0, 0.0), Vector3(0.5, 0.2, 0.12)));
  for (std::size_t i = 0; i < kLegs.size(); ++i) {
    const std::string& leg = kLegs[i];
    const double x = i < 2 ? 0.22 : -0.22, side = i % 2 == 0 ? 1.0 : -1.0;
    builder.add_link(leg + "_hip", box(0.9, Vector3::Zero(), Vector3(0.08, 0.08, 0.08)));
    builder.add_link(leg + "_thigh", box(1.2, Vector3(0.0, 0.0, -0.08), Vector3(0.04, 0.04, 0.25)));
    builder.add_link(leg + "_shank", box(0.3, Vector3(0.0, 0.0, -0.12), Vector3(0.03, 0.03, 0.25)));
    builder.add_link(leg + "_foot");
    builder.add_joint(hinge(leg + "_roll", "trunk", leg + "_hip", Vector3(x, 0.07 * side, 0.0),
                            Vector3::UnitX()));
    builder.add_joint(hinge(leg + "_pitch", leg + "_hip", leg + "_thigh",
                            Vector3(0.0, 0.08 * side, 0.0), Vector3::UnitY()));
    builder.add_joint(hinge(leg + "_knee", leg + "_thigh", leg + "_shank", Vector3(0.0, 0.0, -0.25),
                            Vector3::UnitY()));
    JointDescription ankle = hinge(leg + "_ankle", leg + "_shank", leg + "_foot",
                                   Vector3(0.0, 0.0, -0.25), Vector3::UnitX());
    ankle.type = JointType::kFixed;
    builder.add_joint(ankle);
  }
  BuildOptions options;
  options.floating_base = true;
  return builder.build(options);
}

}  // namespace

int main() try {
  const Model model = build();
  Data data(model);
  const Index nv = model.nv();  // 6 of the base, 12 of the legs

  VectorXd q = neutral_configuration(model);
  q(2) = 0.38;  // the trunk's height
  for (const std::string& leg : kLegs) {
    q(model.joint(model.find_joint(leg + "_pitch")).q_index) = 0.7;
    q(model.joint(model.find_joint(leg + "_knee")).q_index) = -1.4;
  }
  const VectorXd zero = VectorXd::Zero(nv);

  // No motor drives the six coordinates of the base; the forces f at the feet must provide their
  // torques: J_base' f = tau_base, the solution with the smallest norm.
  const VectorXd tau_free = inverse_dynamics(model, data, q, zero, zero);
  MatrixXd J_base(12, 6);
  std::array<Index, 4> feet{};
  for (std::size_t i = 0; i < kLegs.size(); ++i) {
    feet[i] = model.find_link(kLegs[i] + "_foot");
    const Matrix6X& J = jacobian(model, data, q, feet[i]);  // along the world's axes
    J_base.middleRows<3>(3 * static_cast<Index>(i)) = J.block<3, 6>(3, 0);
  }
  const VectorXd f = J_base.transpose().completeOrthogonalDecomposition().solve(tau_free.head<6>());

  // The same as wrenches on the feet, in the frames of the feet.
  ExternalForces contacts(model);
  for (std::size_t i = 0; i < kLegs.size(); ++i) {
    const Transform X = link_pose(model, data, q, feet[i]);
    const Vector3 force = f.segment<3>(3 * static_cast<Index>(i));
    contacts.add(model, feet[i], Force(Vector3::Zero(), X.E * force));
    std::cout << std::fixed << std::setprecision(1) << std::left << std::setw(12) << kLegs[i]
              << " carries " << std::right << std::setw(5) << force.z() << " N\n";
  }
  const VectorXd tau = inverse_dynamics(model, data, q, zero, zero, contacts);
  std::cout << "weight              " << model.total_mass() * -model.gravity().z() << " N\n"
            << "the base is left with less than 1e-9 N: " << std::boolalpha
            << (tau.head<6>().norm() < 1e-9) << '\n'
            << "left front leg: roll " << tau(6) << ", pitch " << tau(7) << ", knee " << tau(8)
            << " N m\n";

  const VectorXd& a = forward_dynamics(model, data, q, zero, zero);
  std::cout << "without them it falls with " << a(5) << " m/s^2\n";
} catch (const std::exception& error) {
  std::cerr << error.what() << '\n';
  return 1;
}
