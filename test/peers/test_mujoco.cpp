// MuJoCo computes the same on trees of all joints, fixed and floating, with damping and armature.
// It treats dry friction as a constraint, so the test adds friction by its formula.
#include <gtest/gtest.h>

#include <filesystem>

#include "peers/mujoco_peer.hpp"
#include "spatial_dynamics/dynamics/energy.hpp"
#include "spatial_dynamics/dynamics/forward_dynamics.hpp"
#include "spatial_dynamics/dynamics/inverse_dynamics.hpp"
#include "spatial_dynamics/dynamics/kinematics.hpp"
#include "spatial_dynamics/dynamics/mass_matrix.hpp"
#include "spatial_dynamics/model/load_urdf.hpp"
#include "support/random_tree.hpp"

namespace spatial_dynamics::peers {
namespace {

/// One robot in both implementations, at one random state after the other.
class MujocoComparison {
 public:
  MujocoComparison(const Robot& robot, Model model, std::uint64_t seed)
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
    v_full_ = coordinates_.G() * v_;
    peer_.set_state(coordinates_.expand_position(q_), v_full_, coordinates_.G() * a_);
    wrenches_.clear();
    external_ = ExternalForces(model_);
    for (int i = 0; i < 4; ++i) {
      const LinkWrench w{random_() % robot_.links.size(), 10.0 * test::random_force(random_)};
      const Index link = model_.find_link(robot_.links[w.link].name);
      if (link == kNoIndex) continue;  // the world under a floating base
      wrenches_.push_back(w);
      external_.add(model_, link, w.wrench);
    }
  }

  void check_motion_of_links() {
    for (std::size_t l = 0; l < robot_.links.size(); ++l) {
      SCOPED_TRACE("link " + robot_.links[l].name);
      const Index link = model_.find_link(robot_.links[l].name);
      if (link == kNoIndex) continue;
      const Transform ours = link_pose(model_, data_, q_, link);
      expect_same(ours.rotation(), peer_.pose(l).rotation(), "rotation");
      expect_same(ours.position(), peer_.pose(l).position(), "position");
      Matrix6X J = Matrix6X::Zero(6, model_.nv());
      J = jacobian(model_, data_, q_, link);
      expect_same(J, peer_.jacobian(l) * coordinates_.G(), "Jacobian");
      expect_same(link_velocity(model_, data_, q_, v_, link, Frame::kLocalWorldAligned).vector(),
                  peer_.velocity(l).vector(), "velocity");
      const Vector6 acceleration = peer_.classical_acceleration(l).vector();
      expect_same(link_classical_acceleration(model_, data_, q_, v_, a_, link).vector(),
                  acceleration, "acceleration");
      Matrix6X J_dot = Matrix6X::Zero(6, model_.nv());
      J_dot = jacobian_rate(model_, data_, q_, v_, link);
      expect_same(J * a_ + J_dot * v_, acceleration, "acceleration by the Jacobian's derivative");
    }
  }

  void check_inverse_dynamics() {
    expect_same(inverse_dynamics(model_, data_, q_, v_, a_),
                reduce(peer_.inverse_dynamics() + coulomb()), "torque");
    expect_same(inverse_dynamics(model_, data_, q_, v_, a_, external_),
                reduce(peer_.inverse_dynamics(wrenches_) + coulomb()), "torque under wrenches");
    expect_same(bias_torque(model_, data_, q_, v_), reduce(peer_.bias()), "bias");
  }

  void check_gravity() {
    const VectorXd zero = VectorXd::Zero(v_full_.size());
    peer_.set_state(coordinates_.expand_position(q_), zero, zero);
    expect_same(gravity_torque(model_, data_, q_), reduce(peer_.bias()), "gravity");
  }

  void check_reactions() {
    const std::vector<Force>& wrenches = joint_wrenches(model_, data_, q_, v_, a_, external_);
    for (const JointDescription& joint : robot_.joints) {
      if (joint.type == JointType::kFixed) continue;
      const Index i = model_.find_joint(joint.name);
      ASSERT_NE(i, kNoIndex);
      SCOPED_TRACE("joint " + joint.name);
      expect_same(wrenches[static_cast<std::size_t>(i)].vector(),
                  peer_.reaction(robot_.link(joint.child), wrenches_).vector(), "reaction");
    }
  }

  void check_mass_matrix() {
    expect_same(mass_matrix(model_, data_, q_), reduced_mass_matrix(), "mass matrix");
  }

  void check_forward_dynamics() {
    if (!model_.why_forward_dynamics_fails().empty()) return;
    const VectorXd tau = 20.0 * test::random_vector(random_, model_.nv());
    const MatrixXd M = reduced_mass_matrix();
    VectorXd theirs;
    if (model_.has_mimic()) {
      const VectorXd zero = VectorXd::Zero(v_full_.size());
      peer_.set_state(coordinates_.expand_position(q_), v_full_, zero);
      theirs = M.ldlt().solve(tau - reduce(peer_.inverse_dynamics(wrenches_) + coulomb()));
    } else {
      const VectorXd tau_full = coordinates_.G() * tau;
      theirs = reduce(peer_.forward_dynamics(tau_full - coulomb(), wrenches_));
    }
    const VectorXd ours = forward_dynamics(model_, data_, q_, v_, tau, external_);
    EXPECT_FALSE(data_.singular());
    // Solving M a = f loses cond(M) times the rounding of the right-hand side.
    expect_same(ours, theirs, "acceleration", std::max(1e-9, 1e-14 * test::condition_number(M)));
  }

  void check_energy_and_momentum() {
    const auto scalar = [](double x) { return MatrixXd::Constant(1, 1, x); };
    expect_same(scalar(kinetic_energy(model_, data_, q_, v_)), scalar(peer_.kinetic_energy()),
                "kinetic energy");
    expect_same(scalar(potential_energy(model_, data_, q_)), scalar(peer_.potential_energy()),
                "potential energy");
    expect_same(center_of_mass(model_, data_, q_), peer_.center_of_mass(), "centre of mass");
    expect_same(centroidal_momentum(model_, data_, q_, v_).vector(),
                peer_.centroidal_momentum().vector(), "momentum");
  }

 private:
  static void expect_same(const MatrixXd& ours, const MatrixXd& theirs, const char* what,
                          double tolerance = 1e-9) {
    EXPECT_TRUE(agree(ours, theirs, tolerance)) << what << ": " << difference_text(ours, theirs);
  }
  [[nodiscard]] VectorXd reduce(const VectorXd& full) const {
    return coordinates_.G().transpose() * full;
  }
  [[nodiscard]] VectorXd coulomb() const {
    return coordinates_.coulomb_friction(v_full_, model_.friction_speed());
  }
  [[nodiscard]] MatrixXd reduced_mass_matrix() const {
    return coordinates_.G().transpose() * peer_.mass_matrix() * coordinates_.G();
  }

  Robot robot_;
  Model model_;
  Data data_;
  Coordinates coordinates_;
  MujocoPeer peer_;
  test::Random random_;
  VectorXd q_, v_, a_, v_full_;
  std::vector<LinkWrench> wrenches_;
  ExternalForces external_;
};

using Check = void (MujocoComparison::*)();
const std::vector<Check> kTorqueChecks{
    &MujocoComparison::check_inverse_dynamics, &MujocoComparison::check_mass_matrix,
    &MujocoComparison::check_reactions, &MujocoComparison::check_gravity};

void run(MujocoComparison&& comparison, const std::vector<Check>& checks, int states) {
  for (int state = 0; state < states; ++state, comparison.next_state()) {
    for (const Check check : checks) (comparison.*check)();
  }
}

/// The difference of a random tree from a fixed one of single-axis joints.
struct Kind {
  bool planar_and_floating = false;
  bool mimic = false;
  bool floating_base = false;
};

void on_random_trees(const Kind& kind, const std::vector<Check>& checks) {
  for (const int joints : {1, 2, 3, 5, 8, 13, 21, 34, 60}) {
    const std::uint64_t seed = static_cast<std::uint64_t>(joints) +
                               (kind.planar_and_floating ? 100U : 0U) + (kind.mimic ? 200U : 0U) +
                               (kind.floating_base ? 400U : 0U);
    SCOPED_TRACE("joints " + std::to_string(joints) + ", seed " + std::to_string(seed));
    const Robot robot = random_robot({seed, joints, true, kind.planar_and_floating, kind.mimic});
    BuildOptions options;
    options.gravity = Vector3(1.5, -3.0, -9.0);
    options.floating_base = kind.floating_base;
    run(MujocoComparison(kind.floating_base ? with_floating_base(robot) : robot,
                         build(robot, options), seed),
        checks, 3);
  }
}

/// All comparisons on each kind of tree.
class MujocoOnRandomTrees : public ::testing::TestWithParam<Kind> {};

TEST_P(MujocoOnRandomTrees, MotionOfLinksAgrees) {
  on_random_trees(GetParam(), {&MujocoComparison::check_motion_of_links});
}
TEST_P(MujocoOnRandomTrees, TorquesReactionsAndMassMatrixAgree) {
  on_random_trees(GetParam(), kTorqueChecks);
}
TEST_P(MujocoOnRandomTrees, AccelerationsAgree) {
  on_random_trees(GetParam(), {&MujocoComparison::check_forward_dynamics});
}
TEST_P(MujocoOnRandomTrees, EnergyCentreOfMassAndMomentumAgree) {
  on_random_trees(GetParam(), {&MujocoComparison::check_energy_and_momentum});
}

std::string kind_name(const ::testing::TestParamInfo<Kind>& info) {
  const Kind& kind = info.param;
  return std::string(kind.floating_base ? "FloatingBase" : "FixedBase") +
         (kind.planar_and_floating ? "AllJoints" : "SingleAxisJoints") +
         (kind.mimic ? "WithMimics" : "");
}

INSTANTIATE_TEST_SUITE_P(Kinds, MujocoOnRandomTrees,
                         ::testing::Values(Kind{false, false, false}, Kind{true, false, false},
                                           Kind{false, true, false}, Kind{true, true, false},
                                           Kind{false, false, true}, Kind{true, false, true},
                                           Kind{true, true, true}),
                         kind_name);

TEST(MujocoOnChangedModels, LockedJointsActLikeFixedOnes) {
  const Robot robot = random_robot({77, 12, true, false, false});
  BuildOptions options;
  options.locked = {{robot.joints[2].name, 0.4}, {robot.joints[5].name, -1.1}};
  Robot changed = robot;
  for (const auto& [joint, position] : options.locked) {
    changed = with_locked_joint(changed, joint, position);
  }
  run(MujocoComparison(changed, build(robot, options), 77), kTorqueChecks, 3);
}

TEST(MujocoOnChangedModels, PayloadsActLikeFurtherLinks) {
  const Robot robot = random_robot({78, 9, true, false, false});
  test::Random random(78);
  const std::string link = robot.links.back().name;
  const MassProperties payload = test::random_mass_properties(random);
  const Robot changed = with_payload(robot, link, payload);
  BuildOptions options;
  options.payloads.push_back({link, payload});
  run(MujocoComparison(changed, build(robot, options), 78), kTorqueChecks, 3);
  Model later = build(robot);
  later.set_payload(later.find_link(link),
                    Inertia::from_com(payload.mass, payload.com, payload.inertia_about_com));
  run(MujocoComparison(changed, later, 79), kTorqueChecks, 3);
}

/// A URDF file, loaded by load_urdf for the Model and by the independent reader for MuJoCo; on a
/// fixed and on a floating base.
class MujocoOnRobot : public ::testing::TestWithParam<std::string> {
 protected:
  static void run_file(const std::vector<Check>& checks) {
    if (GetParam().empty()) GTEST_SKIP() << "no folder ../shared/robots beside the source tree";
    const std::string text = read_text_file(GetParam());
    const Robot robot = parse_urdf(text);
    run(MujocoComparison(robot, load_urdf(text), 7), checks, 4);
    LoadOptions options;
    options.floating_base = true;
    SCOPED_TRACE("floating base");
    run(MujocoComparison(with_floating_base(robot), load_urdf(text, options), 8), checks, 2);
  }
};

TEST_P(MujocoOnRobot, MotionOfLinksAgrees) { run_file({&MujocoComparison::check_motion_of_links}); }
TEST_P(MujocoOnRobot, TorquesReactionsAndMassMatrixAgree) { run_file(kTorqueChecks); }
TEST_P(MujocoOnRobot, AccelerationsAgree) { run_file({&MujocoComparison::check_forward_dynamics}); }
TEST_P(MujocoOnRobot, EnergyCentreOfMassAndMomentumAgree) {
  run_file({&MujocoComparison::check_energy_and_momentum});
}

std::string robot_name(const ::testing::TestParamInfo<std::string>& info) {
  return info.param.empty() ? "absent" : std::filesystem::path(info.param).stem().string();
}
std::vector<std::string> or_absent(std::vector<std::string> paths) {
  if (paths.empty()) paths.emplace_back();
  return paths;
}

INSTANTIATE_TEST_SUITE_P(Shipped, MujocoOnRobot, ::testing::ValuesIn(shipped_robots()), robot_name);
INSTANTIATE_TEST_SUITE_P(Shared, MujocoOnRobot, ::testing::ValuesIn(or_absent(shared_robots())),
                         robot_name);

}  // namespace
}  // namespace spatial_dynamics::peers
