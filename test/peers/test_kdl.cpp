// Orocos KDL computes the same on fixed-base trees. It has no damping and no friction, so the test
// adds them by their formulas.
#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>

#include "peers/kdl_peer.hpp"
#include "spatial_dynamics/dynamics/forward_dynamics.hpp"
#include "spatial_dynamics/dynamics/inverse_dynamics.hpp"
#include "spatial_dynamics/dynamics/kinematics.hpp"
#include "spatial_dynamics/dynamics/mass_matrix.hpp"
#include "spatial_dynamics/model/load_urdf.hpp"
#include "support/random_tree.hpp"

namespace spatial_dynamics::peers {
namespace {

/// One robot in both implementations, at one random state after the other.
class KdlComparison {
 public:
  KdlComparison(const Robot& robot, Model model, std::uint64_t seed)
      : robot_(robot),
        model_(std::move(model)),
        data_(model_),
        coordinates_(robot_, model_),
        peer_(robot_, model_.gravity()),
        random_(seed) {
    next_state();
  }

  void next_state() {
    q_ = test::random_configuration(random_, model_);
    v_ = 2.0 * test::random_vector(random_, model_.nv());
    a_ = 5.0 * test::random_vector(random_, model_.nv());
    q_full_ = coordinates_.expand_position(q_);
    v_full_ = coordinates_.G() * v_;
    a_full_ = coordinates_.G() * a_;
  }

  void check_poses_and_jacobians() {
    for (const LinkDescription& link : robot_.links) {
      SCOPED_TRACE("link " + link.name);
      const Index index = model_.find_link(link.name);
      ASSERT_NE(index, kNoIndex);
      const Transform ours = link_pose(model_, data_, q_, index);
      const Transform theirs = peer_.pose(q_full_, link.name);
      expect_same(ours.rotation(), theirs.rotation(), "rotation");
      expect_same(ours.position(), theirs.position(), "position");
      Matrix6X J = Matrix6X::Zero(6, model_.nv());
      J = jacobian(model_, data_, q_, index);
      expect_same(J, peer_.jacobian(q_full_, link.name) * coordinates_.G(), "Jacobian");
    }
  }

  void check_inverse_dynamics() {
    const VectorXd friction = joint_friction();
    const VectorXd theirs = peer_.inverse_dynamics(q_full_, v_full_, a_full_) + friction;
    expect_same(inverse_dynamics(model_, data_, q_, v_, a_), reduce(theirs), "torque");
    const VectorXd zero = VectorXd::Zero(a_full_.size());
    expect_same(bias_torque(model_, data_, q_, v_),
                reduce(peer_.inverse_dynamics(q_full_, v_full_, zero)), "bias");
    expect_same(gravity_torque(model_, data_, q_),
                reduce(peer_.inverse_dynamics(q_full_, zero, zero)), "gravity");
  }

  void check_external_wrenches() {
    ExternalForces external(model_);
    std::vector<LinkWrench> wrenches;
    for (int i = 0; i < 4; ++i) {
      const LinkWrench w{random_() % robot_.links.size(), 10.0 * test::random_force(random_)};
      external.add(model_, model_.find_link(robot_.links[w.link].name), w.wrench);
      // A wrench on the root acts on the ground; KDL's recursion has no entry for it.
      if (w.link != robot_.root()) wrenches.push_back(w);
    }
    const VectorXd theirs =
        peer_.inverse_dynamics(q_full_, v_full_, a_full_, wrenches) + joint_friction();
    expect_same(inverse_dynamics(model_, data_, q_, v_, a_, external), reduce(theirs), "torque");
  }

  void check_mass_matrix() {
    expect_same(mass_matrix(model_, data_, q_), reduced_mass_matrix(), "mass matrix");
    if (peer_.is_chain()) {
      const MatrixXd& G = coordinates_.G();
      expect_same(mass_matrix(model_, data_, q_),
                  G.transpose() * peer_.chain_mass_matrix(q_full_) * G, "mass matrix of chain");
    }
  }

  void check_forward_dynamics() {
    if (!model_.why_forward_dynamics_fails().empty()) return;
    const VectorXd tau = 20.0 * test::random_vector(random_, model_.nv());
    const VectorXd zero = VectorXd::Zero(a_full_.size());
    const MatrixXd M = reduced_mass_matrix();
    const VectorXd bias = reduce(peer_.inverse_dynamics(q_full_, v_full_, zero) + joint_friction());
    const VectorXd theirs = M.ldlt().solve(tau - bias);
    const VectorXd ours = forward_dynamics(model_, data_, q_, v_, tau);
    EXPECT_FALSE(data_.singular());
    expect_same(ours, theirs, "acceleration", acceleration_tolerance(M));
    if (peer_.is_chain() && !model_.has_mimic()) {
      const VectorXd tau_full = coordinates_.G() * tau - joint_friction();
      expect_same(ours, reduce(peer_.chain_forward_dynamics(q_full_, v_full_, tau_full)),
                  "acceleration of chain", acceleration_tolerance(M));
    }
  }

  void check_chain_terms() {
    ASSERT_TRUE(peer_.is_chain());
    expect_same(gravity_torque(model_, data_, q_), reduce(peer_.chain_gravity(q_full_)), "gravity");
    const VectorXd bias = bias_torque(model_, data_, q_, v_);
    const VectorXd gravity = gravity_torque(model_, data_, q_);
    expect_same(bias - gravity, reduce(peer_.chain_coriolis(q_full_, v_full_)), "Coriolis");
  }

 private:
  static void expect_same(const MatrixXd& ours, const MatrixXd& theirs, const char* what,
                          double tolerance = 1e-9) {
    EXPECT_TRUE(agree(ours, theirs, tolerance)) << what << ": " << difference_text(ours, theirs);
  }

  /// Solving M a = f loses cond(M) times the rounding of the right-hand side.
  static double acceleration_tolerance(const MatrixXd& M) {
    return std::max(1e-9, 1e-14 * test::condition_number(M));
  }

  [[nodiscard]] VectorXd reduce(const VectorXd& full) const {
    return coordinates_.G().transpose() * full;
  }

  [[nodiscard]] VectorXd joint_friction() const {
    VectorXd damping = v_full_;
    for (std::size_t j = 0; j < robot_.joints.size(); ++j) {
      if (robot_.joints[j].type == JointType::kFixed) continue;
      damping[coordinates_.slots()[j].v] *= robot_.joints[j].damping;
    }
    return damping + coordinates_.coulomb_friction(v_full_, model_.friction_speed());
  }

  /// G' M G, each column of M as KDL's difference of torques between unit and no acceleration.
  [[nodiscard]] MatrixXd reduced_mass_matrix() {
    const VectorXd zero = VectorXd::Zero(a_full_.size());
    const VectorXd at_rest = peer_.inverse_dynamics(q_full_, zero, zero);
    MatrixXd M(zero.size(), zero.size());
    for (Index i = 0; i < zero.size(); ++i) {
      M.col(i) = peer_.inverse_dynamics(q_full_, zero, VectorXd::Unit(zero.size(), i)) - at_rest;
    }
    return coordinates_.G().transpose() * M * coordinates_.G();
  }

  Robot robot_;
  Model model_;
  Data data_;
  Coordinates coordinates_;
  KdlPeer peer_;
  test::Random random_;
  VectorXd q_, v_, a_;
  VectorXd q_full_, v_full_, a_full_;
};

using Check = void (KdlComparison::*)();

void on_random_robots(bool branches, Check check) {
  const Vector3 inclined(1.5, -3.0, -9.0);
  for (const bool mimic : {false, true}) {
    for (const int joints : {1, 2, 3, 5, 8, 13, 21, 34, 60}) {
      const std::uint64_t seed =
          1000U * static_cast<std::uint64_t>(joints) + (mimic ? 10U : 0U) + (branches ? 1U : 0U);
      SCOPED_TRACE("joints " + std::to_string(joints) + ", seed " + std::to_string(seed));
      const Robot robot = random_robot({seed, joints, branches, false, mimic});
      BuildOptions options;
      options.gravity = inclined;
      KdlComparison comparison(robot, build(robot, options), seed);
      for (int state = 0; state < 3; ++state, comparison.next_state()) (comparison.*check)();
    }
  }
}

TEST(KdlOnRandomTrees, PosesAndJacobiansAgree) {
  on_random_robots(true, &KdlComparison::check_poses_and_jacobians);
}
TEST(KdlOnRandomTrees, InverseDynamicsBiasAndGravityAgree) {
  on_random_robots(true, &KdlComparison::check_inverse_dynamics);
}
TEST(KdlOnRandomTrees, ExternalWrenchesAgree) {
  on_random_robots(true, &KdlComparison::check_external_wrenches);
}
TEST(KdlOnRandomTrees, MassMatricesAgree) {
  on_random_robots(true, &KdlComparison::check_mass_matrix);
}
TEST(KdlOnRandomTrees, AccelerationsAgree) {
  on_random_robots(true, &KdlComparison::check_forward_dynamics);
}
TEST(KdlOnRandomChains, CompositeBodyMassMatrixAgrees) {
  on_random_robots(false, &KdlComparison::check_mass_matrix);
}
TEST(KdlOnRandomChains, GravityAndCoriolisTermsAgree) {
  on_random_robots(false, &KdlComparison::check_chain_terms);
}
TEST(KdlOnRandomChains, AccelerationsAgree) {
  on_random_robots(false, &KdlComparison::check_forward_dynamics);
}

/// A URDF file, loaded by load_urdf for the Model and by the independent reader for KDL.
class KdlOnRobot : public ::testing::TestWithParam<std::string> {
 protected:
  static void run(std::initializer_list<Check> checks) {
    if (GetParam().empty()) GTEST_SKIP() << "no folder ../shared/robots beside the source tree";
    const std::string text = read_text_file(GetParam());
    KdlComparison comparison(parse_urdf(text), load_urdf(text), 7);
    for (int state = 0; state < 5; ++state, comparison.next_state()) {
      for (const Check check : checks) (comparison.*check)();
    }
  }
};

TEST_P(KdlOnRobot, CoordinatesFollowTheDocumentDepthFirst) {
  if (GetParam().empty()) GTEST_SKIP() << "no folder ../shared/robots beside the source tree";
  const std::string text = read_text_file(GetParam());
  const Robot robot = parse_urdf(text);
  std::vector<std::string> expected;
  for (const std::size_t j : robot.joints_from_root()) {
    const JointDescription& joint = robot.joints[j];
    if (joint.type != JointType::kFixed && !joint.mimic) expected.push_back(joint.name);
  }
  EXPECT_EQ(load_urdf(text).joint_names(), expected);
}
TEST_P(KdlOnRobot, PosesAndJacobiansAgree) { run({&KdlComparison::check_poses_and_jacobians}); }
TEST_P(KdlOnRobot, TorquesAgree) {
  run({&KdlComparison::check_inverse_dynamics, &KdlComparison::check_external_wrenches,
       &KdlComparison::check_mass_matrix});
}
TEST_P(KdlOnRobot, AccelerationsAgree) { run({&KdlComparison::check_forward_dynamics}); }

std::string robot_name(const ::testing::TestParamInfo<std::string>& info) {
  return info.param.empty() ? "absent" : std::filesystem::path(info.param).stem().string();
}
std::vector<std::string> or_absent(std::vector<std::string> paths) {
  if (paths.empty()) paths.emplace_back();
  return paths;
}

/// KDL has no planar joints.
std::vector<std::string> robots_for_kdl() {
  std::vector<std::string> robots = shipped_robots();
  robots.erase(std::remove_if(robots.begin(), robots.end(),
                              [](const std::string& path) {
                                return path.find("gantry") != std::string::npos;
                              }),
               robots.end());
  return robots;
}
INSTANTIATE_TEST_SUITE_P(Shipped, KdlOnRobot, ::testing::ValuesIn(robots_for_kdl()), robot_name);
INSTANTIATE_TEST_SUITE_P(Shared, KdlOnRobot, ::testing::ValuesIn(or_absent(shared_robots())),
                         robot_name);

}  // namespace
}  // namespace spatial_dynamics::peers
