// Answers have the requested quantities, with wrenches and contacts.
#include <gtest/gtest.h>

#include <cmath>

#include "arm_state.hpp"
#include "cli/robot_file.hpp"

namespace spatial_dynamics::test {
namespace {

TEST(Answer, DoublePendulumFollowsItsFormula) {
  const double q1 = 0.4;
  const double q2 = -0.7;
  const double v1 = 1.1;
  const double v2 = -0.6;
  const double c2 = std::cos(q2);
  const double s12 = std::sin(q1 + q2);
  const double g = 9.80665;
  // The formula beside the robot's description, at a = (1.5, -2).
  const double tau1 = (2.05 + c2) * 1.5 + (0.35 + 0.5 * c2) * -2.0 -
                      0.5 * std::sin(q2) * (2.0 * v1 * v2 + v2 * v2) +
                      g * (2.0 * std::sin(q1) + 0.5 * s12);
  const double tau2 =
      (0.35 + 0.5 * c2) * 1.5 + 0.35 * -2.0 + 0.5 * std::sin(q2) * v1 * v1 + g * 0.5 * s12;
  const Json id = answer({shipped_urdf("double_pendulum")},
                         {{"q", {q1, q2}}, {"v", {v1, v2}}, {"a", {1.5, -2.0}}})
                      .at("id");
  // About twelve rounding errors of numbers below 20.
  EXPECT_NEAR(id.at(0).get<double>(), tau1, 1e-13);
  EXPECT_NEAR(id.at(1).get<double>(), tau2, 1e-13);
}

TEST(Answer, DefaultQuantitiesDependOnTheGivenNumbers) {
  const std::string robot = shipped_urdf("double_pendulum");
  const Json a_only = answer({robot}, {{"q", {0, 0}}, {"a", {1, 2}}});
  const Json tau_only = answer({robot}, {{"q", {0, 0}}, {"tau", {1, 2}}});
  const Json both = answer({robot}, {{"q", {0, 0}}, {"a", {1, 2}}, {"tau", {1, 2}}});
  EXPECT_EQ(a_only.size(), 1U);
  EXPECT_TRUE(a_only.contains("id"));
  EXPECT_EQ(tau_only.size(), 1U);
  EXPECT_TRUE(tau_only.contains("fd"));
  EXPECT_EQ(both.at("id"), a_only.at("id"));
  EXPECT_EQ(both.at("fd"), tau_only.at("fd"));
}

TEST(Answer, MissingVelocityIsZero) {
  const std::string robot = shipped_urdf("arm6");
  const Json q = {0.1, -0.2, 0.3, -0.4, 0.5, -0.6};
  const Json zero = {0, 0, 0, 0, 0, 0};
  const Outcome outcome =
      run_cli({"compute", robot}, Json({{"q", q}, {"v", {9, 9, 9, 9, 9, 9}}, {"a", zero}}).dump() +
                                      "\n" + Json({{"q", q}, {"a", zero}}).dump() + "\n" +
                                      Json({{"q", q}, {"v", zero}, {"a", zero}}).dump() + "\n");
  const std::vector<Json> lines = outcome.lines();
  ASSERT_EQ(lines.size(), 3U);
  EXPECT_EQ(lines[1], lines[2]);
  EXPECT_NE(lines[0], lines[1]);
}

TEST(Answer, AWrenchChangesTorquesByTheTransposedJacobian) {
  ArmState s;
  Json line = s.line();
  line["want"] = {"id", "pose:flange", "jacobian:flange"};
  const Json without = answer({shipped_urdf("arm7")}, line);
  const std::vector<double> wrench{3, -2, 5, 0.7, -0.4, 0.2};
  line["wrenches"] = {{"flange", wrench}};
  const Json with = answer({shipped_urdf("arm7")}, line);
  Matrix3 rotation;
  for (Index r = 0; r < 3; ++r) {
    for (Index c = 0; c < 3; ++c) rotation(r, c) = without["pose:flange"]["rotation"][r][c];
  }
  Vector6 in_world;
  in_world << rotation * Vector3(wrench[0], wrench[1], wrench[2]),
      rotation * Vector3(wrench[3], wrench[4], wrench[5]);
  for (std::size_t i = 0; i < 7; ++i) {
    double work = 0.0;
    for (std::size_t row = 0; row < 6; ++row) {
      work += without["jacobian:flange"][row][i].get<double>() * in_world[static_cast<Index>(row)];
    }
    const double change = with["id"][i].get<double>() - without["id"][i].get<double>();
    EXPECT_NEAR(change, -work, 1e-12) << i;
  }
}

/// The shipped quadruped at rest on its feet.
Json standing_quadruped() {
  return {
      {"q", {0, 0, 0.28, 0, 0, 0, 1, 0, 0.8, -1.6, 0, 0.8, -1.6, 0, 0.8, -1.6, 0, 0.8, -1.6}},
      {"contacts", {"front_left_foot", "front_right_foot", "rear_left_foot", "rear_right_foot"}}};
}

TEST(Answer, ContactsSupportTheRobotAndChangeTorquesLikeWrenches) {
  const std::vector<std::string> arguments{shipped_urdf("quadruped"), "--floating-base"};
  const Json got = answer(arguments, standing_quadruped());
  EXPECT_EQ(got.size(), 3U);
  double sum = 0.0;
  for (const Json& force : got.at("contact_forces")) sum += force.at(2).get<double>();
  EXPECT_NEAR(sum, 12.776 * 9.80665, 1e-9);
  EXPECT_NEAR(got.at("needed_friction").get<double>(), 0.0, 1e-9);
  for (std::size_t i = 0; i < 6; ++i) EXPECT_NEAR(got.at("id").at(i).get<double>(), 0.0, 1e-9);

  Json pushed = standing_quadruped();
  pushed.erase("contacts");
  pushed["a"] = std::vector<double>(18, 0.0);
  for (const auto& [foot, force] : got.at("contact_forces").items()) {
    const Json pose = "pose:" + foot;
    Json only_pose = pushed;
    only_pose["want"] = {pose};
    const Json rotation = answer(arguments, only_pose).at(pose).at("rotation");
    std::vector<double> wrench(6, 0.0);  // in the foot's frame
    for (std::size_t i = 0; i < 3; ++i) {
      for (std::size_t k = 0; k < 3; ++k) {
        wrench[i] += rotation[k][i].get<double>() * force[k].get<double>();
      }
    }
    pushed["wrenches"][foot] = wrench;
  }
  const Json id = answer(arguments, pushed).at("id");
  for (std::size_t i = 0; i < 18; ++i) {
    EXPECT_NEAR(id[i].get<double>(), got.at("id")[i].get<double>(), 1e-9) << i;
  }
}

TEST(Answer, EveryBackendIncludesContacts) {
  std::vector<std::string> arguments{shipped_urdf("quadruped"), "--floating-base"};
  const Json expected = answer(arguments, standing_quadruped());
  for (const char* backend : {"kernel", "batch", "generated"}) {
    std::vector<std::string> with_backend = arguments;
    with_backend.insert(with_backend.end(), {"--backend", backend});
    const Json got = answer(with_backend, standing_quadruped());
    EXPECT_EQ(got.at("contact_forces"), expected.at("contact_forces")) << backend;
    for (std::size_t i = 0; i < 18; ++i) {
      EXPECT_NEAR(got.at("id")[i].get<double>(), expected.at("id")[i].get<double>(), 1e-10);
    }
  }
}

TEST(Answer, ForwardDynamicsWithContactsUndoesInverseDynamics) {
  const std::vector<std::string> arguments{shipped_urdf("quadruped"), "--floating-base"};
  Json line = standing_quadruped();
  line["a"] = {0, 0, 0, 1, 0, 0.5, 0, 1, 0, 0, 1, 0, 0, 1, 0, 0, 1, 0};
  line["tau"] = answer(arguments, line).at("id");
  const Json fd = answer(arguments, line).at("fd");
  for (std::size_t i = 0; i < 18; ++i) {
    EXPECT_NEAR(fd[i].get<double>(), line["a"][i].get<double>(), 1e-8) << i;
  }
}

TEST(Answer, ImpossiblePoseIsAnErrorWithTheDistance) {
  Json line = standing_quadruped();
  line["contacts"] = {"front_left_foot", "front_right_foot"};
  const Outcome outcome =
      run_cli({"compute", shipped_urdf("quadruped"), "--floating-base"}, line.dump());
  EXPECT_EQ(outcome.exit_code, 1);
  EXPECT_EQ(outcome.lines().at(0).at("error"),
            "contacts: the centre of mass is 0.1899 m beside the line between the two contacts, so "
            "the robot would tip over; add contacts, or change the pose");
}

TEST(Answer, ContactOnALinkOfTheWorldIsAnErrorWithItsName) {
  const char* urdf =
      "<robot name='r'><link name='world'/><link name='body'><inertial><mass value='1'/><inertia "
      "ixx='1' iyy='1' izz='1' ixy='0' ixz='0' iyz='0'/></inertial></link><joint name='base' "
      "type='floating'><parent link='world'/><child link='body'/></joint></robot>";
  const TemporaryFile file(urdf);
  const Outcome outcome =
      run_cli({"compute", file.path()}, R"({"q":[0,0,0,0,0,0,1],"contacts":["world"]})");
  EXPECT_EQ(outcome.exit_code, 1);
  EXPECT_EQ(outcome.lines().at(0).at("error"),
            "contact_forces() on model 'r': a contact is on link 'world', which does not move with "
            "the floating base.");
}

TEST(Answer, AQuaternionOfRoundedNumbersIsNormalised) {
  const std::vector<std::string> arguments{shipped_urdf("double_pendulum"), "--floating-base"};
  const auto energy = [&](double scale) {
    return answer(arguments, {{"q", {0, 0, 1, 0.6 * scale, 0, 0, 0.8 * scale, 0, 0}},
                              {"want", {"potential_energy"}}})
        .at("potential_energy")
        .get<double>();
  };
  EXPECT_NEAR(energy(1.0009), energy(1.0), 1e-12);
}

TEST(Answer, AnEmptyRequestGivesAnEmptyAnswer) {
  EXPECT_EQ(answer({shipped_urdf("arm7")}, {{"want", Json::array()}}), Json::object());
}

TEST(Answer, ARepeatedRequestIsAnsweredOnce) {
  const Json got =
      answer({shipped_urdf("double_pendulum")}, {{"q", {0, 0}}, {"want", {"gravity", "gravity"}}});
  EXPECT_EQ(got.size(), 1U);
}

}  // namespace
}  // namespace spatial_dynamics::test
