// How `compute` writes its answers: digits, arrays in coordinate order, objects by joint name.
#include <gtest/gtest.h>

#include <array>
#include <cstdio>
#include <regex>

#include "arm_state.hpp"
#include "cli/robot_file.hpp"

namespace spatial_dynamics::test {
namespace {

TEST(AnswerWriter, QuaternionOfAPoseIsItsRotation) {
  ArmState s;
  Json line = s.line();
  line["want"] = {"pose:flange", "pose:base"};
  const Json got = answer({shipped_urdf("arm7")}, line);
  const std::vector<double> x = got.at("pose:flange").at("quaternion");
  const Matrix3 rotation = Quaternion(x.at(3), x.at(0), x.at(1), x.at(2)).toRotationMatrix();
  for (Index r = 0; r < 3; ++r) {
    for (Index c = 0; c < 3; ++c) {
      EXPECT_NEAR(rotation(r, c), got.at("pose:flange").at("rotation").at(r).at(c).get<double>(),
                  1e-14);
    }
  }
  EXPECT_GE(x[3], 0.0);
  EXPECT_EQ(got.at("pose:base").at("quaternion"), Json({0, 0, 0, 1}));
}

TEST(AnswerWriter, NumbersHaveSeventeenSignificantDigits) {
  const Outcome outcome = run_cli({"compute", shipped_urdf("arm7")},
                                  R"({"q":[0.1,0.2,0.3,0.4,0.5,0.6,0.7],"want":["mass_matrix"]})");
  const std::regex number("-?[0-9][0-9.e+-]*");
  std::size_t count = 0;
  const std::sregex_iterator end;
  for (std::sregex_iterator i(outcome.output.begin(), outcome.output.end(), number); i != end;
       ++i) {
    std::array<char, 40> expected{};
    std::snprintf(expected.data(), expected.size(), "%.17g", std::stod(i->str()));
    EXPECT_EQ(i->str(), expected.data());
    ++count;
  }
  EXPECT_EQ(count, 49U);
}

TEST(AnswerWriter, AnswersByNameEqualAnswersByPosition) {
  ArmState s;
  const std::vector<std::string>& names = s.model.joint_names();
  Json by_position = s.line();
  by_position["want"] = Json::parse(kEverything);
  Json by_name = {{"want", by_position["want"]}};
  for (const char* key : {"q", "v", "a", "tau"}) {
    for (std::size_t i = 0; i < names.size(); ++i) by_name[key][names[i]] = by_position[key][i];
  }
  const Json flat = answer({shipped_urdf("arm7")}, by_position);
  const Json named = answer({shipped_urdf("arm7")}, by_name);
  for (std::size_t i = 0; i < names.size(); ++i) {
    for (const char* key : {"id", "fd", "bias", "gravity", "joint_wrenches"}) {
      EXPECT_EQ(named.at(key).at(names[i]), flat.at(key).at(i)) << key;
    }
    for (std::size_t j = 0; j < names.size(); ++j) {
      for (const char* key : {"mass_matrix", "coriolis_matrix", "mass_matrix_inverse"}) {
        EXPECT_EQ(named.at(key).at(names[i]).at(names[j]), flat.at(key).at(i).at(j)) << key;
      }
    }
    for (std::size_t row = 0; row < 6; ++row) {
      EXPECT_EQ(named.at("jacobian:flange").at(row).at(names[i]),
                flat.at("jacobian:flange").at(row).at(i));
    }
  }
  for (const char* key :
       {"kinetic_energy", "potential_energy", "center_of_mass", "pose:flange", "momentum"}) {
    EXPECT_EQ(named.at(key), flat.at(key));
  }
}

TEST(AnswerWriter, DerivativesAndRegressorByNameEqualThoseByPosition) {
  const std::vector<std::string> arguments{shipped_urdf("double_pendulum"), "--floating-base"};
  const Json want = {"id_derivatives", "fd_derivatives", "regressor"};
  const Json base_velocity = {0.1, -0.2, 0.3, 0.4, -0.5, 0.6};
  const auto named_vector = [](const Json& base) {
    return Json{{"floating_base", base}, {"shoulder", 0.7}, {"elbow", -0.8}};
  };
  const auto flat_vector = [](Json base) {
    base.push_back(0.7);
    base.push_back(-0.8);
    return base;
  };
  const Json pose = {0.1, 0.2, 0.3, 0.6, 0, 0, 0.8};
  const auto ask = [&](const auto& form) {
    return answer(arguments, {{"q", form(pose)},
                              {"v", form(base_velocity)},
                              {"a", form(base_velocity)},
                              {"tau", form(base_velocity)},
                              {"want", want}});
  };
  const Json flat = ask(flat_vector);
  const Json named = ask(named_vector);
  for (const auto& [key, name] :
       {std::pair("id_derivatives", "dtau_dq"), std::pair("id_derivatives", "dtau_dv"),
        std::pair("id_derivatives", "dtau_da"), std::pair("fd_derivatives", "da_dq"),
        std::pair("fd_derivatives", "da_dv"), std::pair("fd_derivatives", "da_dtau")}) {
    const Json& matrix = flat.at(key).at(name);
    const Json& by_name = named.at(key).at(name);
    EXPECT_EQ(by_name.at("shoulder").at("elbow"), matrix.at(6).at(7)) << name;
    EXPECT_EQ(by_name.at("elbow").at("floating_base").at(2), matrix.at(7).at(2)) << name;
    EXPECT_EQ(by_name.at("floating_base").at("elbow").at(4), matrix.at(4).at(7)) << name;
    EXPECT_EQ(by_name.at("floating_base").at("floating_base").at(1).at(5), matrix.at(1).at(5));
  }
  const Json& Y = flat.at("regressor");
  const Json& Y_named = named.at("regressor");
  for (std::size_t l = 0; l < Y.at("links").size(); ++l) {
    const std::string link = Y.at("links").at(l);
    for (std::size_t i = 0; i < 10; ++i) {
      const std::size_t column = 10 * l + i;
      EXPECT_EQ(Y_named.at("parameters").at(link).at(i), Y.at("parameters").at(column));
      EXPECT_EQ(Y_named.at("matrix").at("elbow").at(link).at(i), Y.at("matrix").at(7).at(column));
      EXPECT_EQ(Y_named.at("matrix").at("floating_base").at(link).at(3).at(i),
                Y.at("matrix").at(3).at(column));
    }
  }
}

TEST(AnswerWriter, OneNamedVectorIsEnoughForAnAnswerByName) {
  const Json got = answer({shipped_urdf("double_pendulum")},
                          {{"q", {0.1, 0.2}}, {"a", {{"elbow", 1}, {"shoulder", 2}}}});
  EXPECT_TRUE(got.at("id").at("elbow").is_number());
}

TEST(AnswerWriter, FloatingBaseIsFirstInArraysAndAnEntryByName) {
  const std::vector<std::string> arguments{shipped_urdf("double_pendulum"), "--floating-base"};
  const Json want = {"id", "mass_matrix", "jacobian:tip", "joint_wrenches"};
  const Json flat = answer(arguments, {{"q", {0, 0, 0, 0, 0, 0, 1, 0, 0}},
                                       {"v", {0, 0, 0, 0, 0, 0, 0, 0}},
                                       {"a", {0, 0, 0, 0, 0, 0, 0, 0}},
                                       {"want", want}});
  // At rest the base is held by the weight of all 4 kg: [angular; linear].
  EXPECT_NEAR(flat["id"][5].get<double>(), 4.0 * 9.80665, 1e-12);
  EXPECT_NEAR(flat["id"][2].get<double>(), 0.0, 1e-12);
  // One wrench per joint with coordinates, force first.
  ASSERT_EQ(flat["joint_wrenches"].size(), 3U);
  EXPECT_NEAR(flat["joint_wrenches"][0][2].get<double>(), 4.0 * 9.80665, 1e-12);
  EXPECT_NEAR(flat["joint_wrenches"][1][2].get<double>(), 3.0 * 9.80665, 1e-12);
  EXPECT_NEAR(flat["joint_wrenches"][2][2].get<double>(), 1.0 * 9.80665, 1e-12);

  const Json zeros = {0, 0, 0, 0, 0, 0};
  const Json named = answer(
      arguments, {{"q", {{"elbow", 0}, {"shoulder", 0}, {"floating_base", {0, 0, 0, 0, 0, 0, 1}}}},
                  {"v", {{"elbow", 0}, {"shoulder", 0}, {"floating_base", zeros}}},
                  {"a", {{"elbow", 0}, {"shoulder", 0}, {"floating_base", zeros}}},
                  {"want", want}});
  const Json& mass = named["mass_matrix"];
  for (std::size_t i = 0; i < 6; ++i) {
    EXPECT_EQ(named["id"]["floating_base"][i], flat["id"][i]);
    EXPECT_EQ(mass["floating_base"]["elbow"][i], flat["mass_matrix"][i][7]);
    EXPECT_EQ(mass["elbow"]["floating_base"][i], flat["mass_matrix"][7][i]);
    for (std::size_t j = 0; j < 6; ++j) {
      EXPECT_EQ(mass["floating_base"]["floating_base"][i][j], flat["mass_matrix"][i][j]);
    }
    EXPECT_EQ(named["jacobian:tip"][0]["floating_base"][i], flat["jacobian:tip"][0][i]);
  }
  EXPECT_EQ(mass["elbow"]["shoulder"], flat["mass_matrix"][7][6]);
}

TEST(AnswerWriter, PlanarAndFloatingJointsTakeArraysByName) {
  const TemporaryFile robot(robot_of_many_kinds());
  const Json flat =
      answer({robot.path()}, {{"q", {0.1, 0.2, 0.3, 0.4, 1, 2, 3, 0.5, -0.5, 0.5, 0.5}},
                              {"a", {1, 2, 3, 4, 5, 6, 7, 8, 9, 10}}});
  const Json named = answer(
      {robot.path()},
      {{"q", {{"slide", {0.1, 0.2, 0.3}}, {"turn", 0.4}, {"free", {1, 2, 3, 0.5, -0.5, 0.5, 0.5}}}},
       {"a", {{"slide", {1, 2, 3}}, {"turn", 4}, {"free", {5, 6, 7, 8, 9, 10}}}}});
  const Json& id = flat["id"];
  EXPECT_EQ(named["id"]["slide"], Json({id[0], id[1], id[2]}));
  EXPECT_EQ(named["id"]["turn"], id[3]);
  EXPECT_EQ(named["id"]["free"], Json({id[4], id[5], id[6], id[7], id[8], id[9]}));
}

TEST(AnswerWriter, MimicJointsAppearOnlyInWrenches) {
  const Json got =
      answer({shipped_urdf("gripper")}, {{"q", {{"wrist", 0.1}, {"finger_left", 0.02}}},
                                         {"a", {{"wrist", 0}, {"finger_left", 0}}},
                                         {"want", {"id", "joint_wrenches"}}});
  EXPECT_EQ(got["id"].size(), 2U);
  EXPECT_EQ(got["joint_wrenches"].size(), 4U);
  EXPECT_EQ(got["joint_wrenches"].at("finger_right").size(), 6U);
}

TEST(AnswerWriter, ARobotWithoutCoordinatesNeedsNoQ) {
  const TemporaryFile robot(urdf_robot(urdf_link("base", urdf_inertial("2"))));
  const Json got = answer({robot.path()}, {{"want", {"center_of_mass", "mass_matrix", "gravity"}}});
  EXPECT_EQ(got, Json({{"center_of_mass", {0.1, 0, 0}},
                       {"mass_matrix", Json::array()},
                       {"gravity", Json::array()}}));
}

}  // namespace
}  // namespace spatial_dynamics::test
