#include "spatial_dynamics/dynamics/contact_forces.hpp"

#include "dynamics/every_function.hpp"
#include "support/malloc_hook.hpp"

namespace spatial_dynamics::test {
namespace {

using Names = std::vector<std::string>;

Model load_floating(const std::string& name) {
  LoadOptions options;
  options.floating_base = true;
  return load_urdf_file(shipped_urdf(name), options);
}

std::vector<NamedRobot> floating_robots() {
  std::vector<NamedRobot> robots;
  for (const NamedRobot& robot : small_robots()) {
    if (robot.name.find("floating") != std::string::npos) robots.push_back(robot);
  }
  return robots;
}

/// A robot in any motion, with contacts on random links below the centre of mass, each up to 5 cm
/// above or below the others.
class ContactForcesLaw : public LawTest {
 protected:
  ContactForcesLaw() : fast(model), result(model, 8), s(random_state()) {
    s.v *= 0.3;
    s.a *= 0.1;
    place_contacts();
  }
  void place_contacts() {
    const Vector3 centre = center_of_mass(model, fast, s.q);
    for (int i = 0; i < 6; ++i) {
      const double angle = constants_pi / 3.0 * i;
      const Vector3 p =
          centre + Vector3(std::cos(angle), std::sin(angle), -0.5 + uniform(random, -0.05, 0.05));
      const Index link = i % model.link_count();
      contacts.push_back({link, link_pose(model, fast, s.q, link).point(p)});
    }
  }
  static constexpr double constants_pi = 3.14159265358979323846;

  Data fast;
  ContactForces result;
  State s;
  std::vector<Contact> contacts;
};
INSTANTIATE_TEST_SUITE_P(Robots, ContactForcesLaw, ::testing::ValuesIn(floating_robots()),
                         robot_name);

TEST_P(ContactForcesLaw, BaseNeedsNoForce) {
  ASSERT_TRUE(contact_forces(model, fast, s.q, s.v, s.a, contacts, result, 10.0))
      << explain(result);
  EXPECT_EQ(explain(result), "");
  const VectorXd& tau = inverse_dynamics(model, fast, s.q, s.v, s.a, result.wrenches);
  // The accepted remainder is 1e-10 of the weight, which is at the base's origin, up to some
  // metres from the contacts.
  const double weight = model.total_mass() * kStandardGravity.norm();
  EXPECT_LT(largest(tau.head<6>()), 1e-9 * weight);
}

TEST_P(ContactForcesLaw, SumOfForcesAndMomentsIsTheRateOfMomentum) {
  ASSERT_TRUE(contact_forces(model, fast, s.q, s.v, s.a, contacts, result, 10.0))
      << explain(result);
  // Motion along s.v with acceleration s.a. The error of the difference is of second order.
  constexpr double kStep = 1e-4;
  const auto momentum = [&](double t) {
    const VectorXd path = s.v * t + 0.5 * s.a * t * t, v = s.v + s.a * t;
    return centroidal_momentum(model, fast, moved(s.q, path, 1.0), v).vector();
  };
  const Force rate(Vector6((momentum(kStep) - momentum(-kStep)) / (2.0 * kStep)));
  Force sum = Force::Zero();
  const Vector3 centre = center_of_mass(model, fast, s.q);
  for (std::size_t i = 0; i < contacts.size(); ++i) {
    const Transform link = link_pose(model, fast, s.q, contacts[i].link);
    const Vector3 arm = link.inverse_point(contacts[i].point) - centre;
    sum += Force(arm.cross(result.forces[i]), result.forces[i]);
  }
  const Vector3 weight = -model.total_mass() * model.gravity();
  const double size = 1.0 + weight.norm();
  EXPECT_LT(largest(sum.force - weight - rate.force), 1e-6 * size);
  EXPECT_LT(largest(sum.moment - rate.moment), 1e-6 * size);
}

TEST_P(ContactForcesLaw, IncludesOtherWrenches) {
  ExternalForces push = random_wrenches();
  for (Index i = 0; i < push.body_count(); ++i) {
    push.set_on_body(i, 0.02 * model.total_mass() * push.on_body(i) *
                            (1.0 / static_cast<double>(push.body_count())));
  }
  ASSERT_TRUE(contact_forces(model, fast, s.q, s.v, s.a, contacts, result, 10.0, push))
      << explain(result);
  EXPECT_FALSE(result.at_rest);
  const VectorXd& tau = inverse_dynamics(model, fast, s.q, s.v, s.a, result.wrenches);
  EXPECT_LT(largest(tau.head<6>()), 1e-9 * model.total_mass() * kStandardGravity.norm());
}

TEST_P(ContactForcesLaw, DoesNotChangeOtherResultsOrAllocate) {
  const VectorXd& tau = inverse_dynamics(model, fast, s.q, s.v, s.a);
  const VectorXd before = tau;
  const HeapWatch watch;
  const bool first = contact_forces(model, fast, s.q, s.v, s.a, contacts, result);
  const bool second = contact_forces(model, fast, s.q, s.v, s.a, contacts, result, 0.0);
  EXPECT_EQ(watch.count(), 0U);
  EXPECT_EQ(tau, before) << first << second;
}

/// The quadruped with mirrored front and rear legs: symmetric in both directions.
class Quadruped : public ::testing::Test {
 protected:
  Quadruped() {
    q[6] = 1.0;
    for (Index leg = 0; leg < 4; ++leg) {
      const double sign = leg < 2 ? 1.0 : -1.0;
      q.segment<3>(7 + 3 * leg) << 0.0, sign * 0.8, sign * -1.6;
    }
  }
  bool stand(const Names& feet, double friction = kDefaultGroundFriction) {
    std::vector<Contact> contacts;
    for (const std::string& name : feet) contacts.push_back({model.find_link(name)});
    return contact_forces(model, data, q, v, a, contacts, result, friction);
  }
  void expect_reason(Balance balance, const std::string& text) const {
    EXPECT_EQ(result.balance, balance) << explain(result);
    EXPECT_NE(explain(result).find(text), std::string::npos) << explain(result);
    for (const Vector3& force : result.forces) EXPECT_EQ(force, Vector3::Zero());
  }
  double weight() const { return model.total_mass() * model.gravity().norm(); }

  Model model = load_floating("quadruped");
  Data data{model};
  VectorXd q = VectorXd::Zero(model.nq()), v = VectorXd::Zero(model.nv()), a = v;
  ContactForces result{model, 4};
  const Names all{"front_left_foot", "front_right_foot", "rear_left_foot", "rear_right_foot"};
};
using ContactForcesOfQuadruped = Quadruped;

TEST_F(ContactForcesOfQuadruped, SymmetricFeetHaveEqualVerticalForces) {
  ASSERT_TRUE(stand(all));
  EXPECT_TRUE(result.at_rest);
  for (const Vector3& force : result.forces) {
    EXPECT_LT((force - Vector3(0, 0, weight() / 4.0)).norm(), 1e-10 * weight());
  }
  EXPECT_LT(result.needed_friction, 1e-9);
}

TEST_F(ContactForcesOfQuadruped, DiagonalFeetShareTheWeightAndThreeFeetUseTheDiagonal) {
  // The centre of mass is above both diagonals.
  const Vector3 half(0, 0, weight() / 2.0);
  ASSERT_TRUE(stand({all[0], all[3]}));
  for (const Vector3& force : result.forces) EXPECT_LT((force - half).norm(), 1e-9 * weight());
  ASSERT_TRUE(stand({all[0], all[1], all[3]}));
  EXPECT_LT((result.forces[0] - half).norm(), 1e-9 * weight());
  EXPECT_LT(result.forces[1].norm(), 1e-9 * weight());
  EXPECT_LT((result.forces[2] - half).norm(), 1e-9 * weight());
}

TEST_F(ContactForcesOfQuadruped, GroundIsPerpendicularToGravity) {
  ASSERT_TRUE(stand(all));
  const std::vector<Vector3> upright = result.forces;
  // The robot and gravity, both rotated by 90 degrees about y.
  q.segment<4>(3) << 0.0, std::sqrt(0.5), 0.0, std::sqrt(0.5);
  model.set_gravity({-kStandardGravity.norm(), 0.0, 0.0});
  ASSERT_TRUE(stand(all)) << explain(result);
  for (std::size_t i = 0; i < 4; ++i) {
    EXPECT_LT((result.forces[i] - Vector3(upright[i].z(), 0, 0)).norm(), 1e-9 * weight());
  }
}

TEST_F(ContactForcesOfQuadruped, AccelerationNeedsFriction) {
  a[3] = 3.0;  // m/s^2 forwards
  ASSERT_TRUE(stand(all));
  EXPECT_GE(result.needed_friction, 3.0 / kStandardGravity.norm() - 1e-9);
  EXPECT_FALSE(stand(all, 0.29));
  expect_reason(Balance::kFriction, "the contacts would slip: the smallest forces need a friction");
  ASSERT_TRUE(stand(all, 0.31));
  EXPECT_LE(result.needed_friction, 0.31 + 1e-9);
}

TEST_F(ContactForcesOfQuadruped, FreeFallNeedsNoForces) {
  a.segment<3>(3) = model.gravity();
  ASSERT_TRUE(stand(all)) << explain(result);
  for (const Vector3& force : result.forces) EXPECT_LT(force.norm(), 1e-9 * weight());
}

TEST_F(ContactForcesOfQuadruped, ImpossiblePosesHaveAReason) {
  const double y = 0.047 + 0.0838, x = 0.1805;  // feet are below the hips
  EXPECT_FALSE(stand({all[0], all[1]}));
  expect_reason(Balance::kOutsideSupport, "the centre of mass is 0.1805 m beside the line between");
  EXPECT_NEAR(result.excess, x, 1e-4);
  EXPECT_FALSE(stand({all[0]}));
  expect_reason(Balance::kOutsideSupport, "m beside the only contact");
  EXPECT_NEAR(result.excess, std::hypot(x, y), 1e-4);
  q[7] = q[10] = 0.3;  // the front legs move to the left: the centre of mass leaves the triangle
  EXPECT_FALSE(stand({all[0], all[2], all[3]}));
  expect_reason(Balance::kOutsideSupport, "m outside the support polygon of the 3 contacts");
  EXPECT_LT(result.excess, 0.1);
  a[3] = 1.0;
  EXPECT_FALSE(stand({all[0], all[1]}));
  expect_reason(Balance::kOutsideSupport, "the zero-moment point is");
  a.segment<3>(3) << 0, 0, -12.0;
  EXPECT_FALSE(stand(all));
  expect_reason(Balance::kPull, "the ground would have to pull the robot with 2");
  a.setZero();
  a[2] = 1000.0;  // about the vertical axis
  EXPECT_FALSE(stand(all));
  expect_reason(Balance::kFriction, "would slip");
  model.set_gravity(Vector3::Zero());
  EXPECT_FALSE(stand(all));
  expect_reason(Balance::kNoGravity, "gravity is zero");
}

TEST_F(ContactForcesOfQuadruped, OneFootCannotTurnTheRobot) {
  ASSERT_TRUE(stand(all));
  const Vector3 centre = center_of_mass(model, data, q);
  const std::vector<Contact> below{{0, centre - Vector3(0, 0, 0.3)}};  // the base is at the origin
  ASSERT_TRUE(contact_forces(model, data, q, v, a, below, result)) << explain(result);
  a[2] = 1.0;
  ASSERT_FALSE(contact_forces(model, data, q, v, a, below, result, 1e9));
  expect_reason(Balance::kUnbalanced, "no forces at the 1 contact have the moment");
}

TEST_F(ContactForcesOfQuadruped, UnevenFeetDoNotReplaceSupport) {
  // Friction at feet of different heights could balance any pose with huge forces.
  q[9] += 0.01;
  EXPECT_FALSE(stand({all[0], all[1]}));
  EXPECT_FALSE(stand({all[0], all[1], all[2]}));
  expect_reason(Balance::kOutsideSupport, "outside the support polygon");
}

TEST(ContactForcesOfHumanoid, StandsOnTheCornersOfItsFeet) {
  const Model model = load_floating("humanoid");
  Data data(model);
  VectorXd q = VectorXd::Zero(model.nq()), zero = VectorXd::Zero(model.nv());
  q[6] = 1.0;
  std::vector<Contact> corners;
  for (const char* foot : {"left_foot", "right_foot"}) {
    for (const double x : {-0.05, 0.15}) {
      for (const double y : {-0.04, 0.04}) {
        corners.push_back({model.find_link(foot), Vector3(x, y, -0.05)});
      }
    }
  }
  ContactForces result(model, corners.size());
  ASSERT_TRUE(contact_forces(model, data, q, zero, zero, corners, result)) << explain(result);
  Vector3 sum = Vector3::Zero();
  for (const Vector3& force : result.forces) sum += force;
  const double weight = model.total_mass() * kStandardGravity.norm();
  EXPECT_LT((sum - Vector3(0, 0, weight)).norm(), 1e-9 * weight);
  EXPECT_LT(largest(inverse_dynamics(model, data, q, zero, zero, result.wrenches).head<6>()),
            1e-9 * weight);
}

TEST(ContactForcesArguments, WrongArgumentsThrow) {
  const Model model = load_floating("quadruped");
  const Model fixed = load_urdf_file(shipped_urdf("quadruped"));
  Data data(model), fixed_data(fixed);
  const VectorXd q = VectorXd::Zero(model.nq()), v = VectorXd::Zero(model.nv());
  const VectorXd fixed_q = VectorXd::Zero(fixed.nq());
  ContactForces result(model, 2), fixed_result(fixed, 2), none(model, 0);
  const std::vector<Contact> foot{{1}};
  const auto text = [&](const std::vector<Contact>& contacts, ContactForces& out, double friction) {
    return sentence([&] { contact_forces(model, data, q, v, v, contacts, out, friction); });
  };
  EXPECT_NE(text({}, result, 1.0).find("there are no contacts"), std::string::npos);
  EXPECT_NE(text(foot, none, 1.0).find("more contacts than"), std::string::npos);
  EXPECT_NE(text(foot, result, -1.0).find("friction is negative"), std::string::npos);
  EXPECT_NE(text(foot, result, std::nan("")).find("not a number"), std::string::npos);
  EXPECT_NE(text({{-1}}, result, 1.0).find("no link -1"), std::string::npos);
  EXPECT_NE(sentence([&] {
              contact_forces(fixed, fixed_data, fixed_q, fixed_q, fixed_q, foot, fixed_result);
            }).find("no floating base"),
            std::string::npos);
  EXPECT_NE(sentence([&] { contact_forces(model, data, v, v, v, foot, result); }).find("q has 18"),
            std::string::npos);
}

TEST(ContactForcesArguments, ContactOnAFixedLinkThrows) {
  JointDescription base, arm;
  base.name = "base_joint";
  base.type = JointType::kFloating;
  base.parent = "world";
  base.child = "body";
  arm.name = "arm_joint";
  arm.type = JointType::kContinuous;
  arm.parent = "world";
  arm.child = "arm";
  MassProperties mass;
  mass.mass = 1.0;
  mass.inertia_about_com = Matrix3::Identity();
  ModelBuilder builder("two_trees");
  builder.add_link("world").add_link("body", mass).add_link("arm", mass);
  const Model model = builder.add_joint(base).add_joint(arm).build();
  Data data(model);
  VectorXd q = VectorXd::Zero(model.nq());
  q[6] = 1.0;
  const VectorXd v = VectorXd::Zero(model.nv());
  ContactForces result(model, 1);
  for (const char* link : {"world", "arm"}) {
    const std::vector<Contact> contacts{{model.find_link(link)}};
    EXPECT_NE(
        sentence([&] {
          contact_forces(model, data, q, v, v, contacts, result);
        }).find("link '" + std::string(link) + "', which does not move with the floating base"),
        std::string::npos);
  }
  EXPECT_TRUE(contact_forces(model, data, q, v, v, {{model.find_link("body")}}, result));
}

}  // namespace
}  // namespace spatial_dynamics::test
