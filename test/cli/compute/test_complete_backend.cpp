// Every quantity of `compute` is right.
#include "arm_state.hpp"
#include "cli/robot_file.hpp"
#include "spatial_dynamics/textbook/derivatives.hpp"
#include "spatial_dynamics/textbook/energy.hpp"
#include "spatial_dynamics/textbook/forward_dynamics.hpp"
#include "spatial_dynamics/textbook/inverse_dynamics.hpp"
#include "spatial_dynamics/textbook/kinematics.hpp"
#include "spatial_dynamics/textbook/mass_matrix.hpp"
#include "spatial_dynamics/textbook/regressor.hpp"

namespace spatial_dynamics::test {
namespace {

TEST(CompleteBackend, EveryNumberEqualsTheLibrarysBitForBit) {
  ArmState s;
  Json line = s.line();
  line["want"] = Json::parse(kEverything);
  const Json got = answer({shipped_urdf("arm7")}, line);
  const Index flange = s.model.find_link("flange");
  EXPECT_EQ(got.size(), 17U);
  EXPECT_EQ(got.at("id"), to_json(inverse_dynamics(s.model, s.data, s.q, s.v, s.a)));
  EXPECT_EQ(got.at("fd"), to_json(forward_dynamics(s.model, s.data, s.q, s.v, s.tau)));
  EXPECT_EQ(got.at("bias"), to_json(bias_torque(s.model, s.data, s.q, s.v)));
  EXPECT_EQ(got.at("gravity"), to_json(gravity_torque(s.model, s.data, s.q)));
  EXPECT_EQ(got.at("coriolis_matrix"), to_json(coriolis_matrix(s.model, s.data, s.q, s.v)));
  EXPECT_EQ(got.at("mass_matrix"), to_json(mass_matrix(s.model, s.data, s.q)));
  EXPECT_EQ(got.at("kinetic_energy"), kinetic_energy(s.model, s.data, s.q, s.v));
  EXPECT_EQ(got.at("potential_energy"), potential_energy(s.model, s.data, s.q));
  EXPECT_EQ(got.at("center_of_mass"), to_json(VectorXd(center_of_mass(s.model, s.data, s.q))));
  forward_kinematics(s.model, s.data, s.q);
  const Transform pose = link_transform(s.model, s.data, flange);
  EXPECT_EQ(got.at("pose:flange").at("position"), to_json(VectorXd(pose.position())));
  EXPECT_EQ(got.at("pose:flange").at("rotation"), to_json(MatrixXd(pose.rotation())));
  Matrix6X jacobian(6, s.model.nv());
  link_jacobian(s.model, s.data, flange, Frame::kLocalWorldAligned, jacobian);
  MatrixXd linear_first(6, s.model.nv());
  linear_first << jacobian.bottomRows(3), jacobian.topRows(3);
  EXPECT_EQ(got.at("jacobian:flange"), to_json(linear_first));
  inverse_dynamics(s.model, s.data, s.q, s.v, s.a);
  for (std::size_t i = 0; i < 7; ++i) {
    Vector6 wrench;
    wrench << s.data.f[i + 1].force, s.data.f[i + 1].moment;
    EXPECT_EQ(got.at("joint_wrenches").at(i), to_json(VectorXd(wrench)));
  }
}

TEST(CompleteBackend, InverseMomentumDerivativesAndRegressorEqualTheLibrarysBitForBit) {
  ArmState s;
  Json line = s.line();
  line["want"] = Json::parse(kEverything);
  const Json got = answer({shipped_urdf("arm7")}, line);
  MatrixXd inverse(s.model.nv(), s.model.nv());
  ASSERT_TRUE(mass_matrix_inverse(s.model, s.data, s.q, inverse));
  EXPECT_EQ(got.at("mass_matrix_inverse"), to_json(inverse));
  const Force momentum = centroidal_momentum(s.model, s.data, s.q, s.v);
  EXPECT_EQ(got.at("momentum").at("linear"), to_json(VectorXd(momentum.force)));
  EXPECT_EQ(got.at("momentum").at("angular"), to_json(VectorXd(momentum.moment)));
  textbook::InverseDynamicsDerivatives id(s.model);
  inverse_dynamics_derivatives(s.model, s.data, s.q, s.v, s.a, id);
  EXPECT_EQ(got.at("id_derivatives").at("dtau_dq"), to_json(id.dtau_dq));
  EXPECT_EQ(got.at("id_derivatives").at("dtau_dv"), to_json(id.dtau_dv));
  EXPECT_EQ(got.at("id_derivatives").at("dtau_da"), to_json(id.dtau_da));
  textbook::ForwardDynamicsDerivatives fd(s.model);
  ASSERT_TRUE(forward_dynamics_derivatives(s.model, s.data, s.q, s.v, s.tau, fd));
  EXPECT_EQ(got.at("fd_derivatives").at("da_dq"), to_json(fd.da_dq));
  EXPECT_EQ(got.at("fd_derivatives").at("da_dv"), to_json(fd.da_dv));
  EXPECT_EQ(got.at("fd_derivatives").at("da_dtau"), to_json(fd.da_dtau));
  MatrixXd Y(s.model.nv(), kInertialParameters * s.model.link_count());
  regressor(s.model, s.data, s.q, s.v, s.a, Y);
  EXPECT_EQ(got.at("regressor").at("matrix"), to_json(Y));
  EXPECT_EQ(got.at("regressor").at("parameters"), to_json(link_parameters(s.model)));
  EXPECT_EQ(got.at("regressor").at("links").at(0), s.model.link(0).name);
}

TEST(CompleteBackend, RegressorTimesParametersIsTheTorqueWithoutFriction) {
  ArmState s;
  Json line = s.line();
  line["want"] = {"id", "regressor"};
  const Json got = answer({shipped_urdf("arm7"), "--no-friction"}, line);
  const Json& Y = got.at("regressor").at("matrix");
  const std::vector<double> p = got.at("regressor").at("parameters");
  for (std::size_t i = 0; i < 7; ++i) {
    double torque = 0.0;
    for (std::size_t k = 0; k < p.size(); ++k) torque += Y.at(i).at(k).get<double>() * p[k];
    // Rounding errors of a hundred products below 100.
    EXPECT_NEAR(torque, got.at("id").at(i).get<double>(), 1e-11) << i;
  }
}

TEST(CompleteBackend, WrenchesReachTheDerivativesOfForwardDynamics) {
  ArmState s;
  Json line = s.line();
  line["want"] = {"fd_derivatives"};
  const Json without = answer({shipped_urdf("arm7")}, line).at("fd_derivatives");
  line["wrenches"] = {{"flange", {30, -20, 50, 1, 2, 3}}};
  const Json with = answer({shipped_urdf("arm7")}, line).at("fd_derivatives");
  EXPECT_NE(with.at("da_dq"), without.at("da_dq"));
  EXPECT_EQ(with.at("da_dtau"), without.at("da_dtau"));
}

TEST(CompleteBackend, InverseOfSingularMassMatrixIsRejected) {
  const TemporaryFile massless(
      "<robot name='r'><link name='a'/><link name='b'/><joint name='j' type='continuous'>"
      "<parent link='a'/><child link='b'/></joint></robot>");
  for (const char* want : {"mass_matrix_inverse", "fd_derivatives"}) {
    const Outcome outcome =
        run_cli({"compute", massless.path()},
                Json({{"q", {0.0}}, {"tau", {1.0}}, {"want", {want}}}).dump() + "\n");
    EXPECT_EQ(outcome.exit_code, 1) << want;
    ASSERT_EQ(outcome.lines().size(), 1U);
    EXPECT_TRUE(outcome.lines()[0].contains("error")) << outcome.output;
  }
}

TEST(CompleteBackend, ForwardDynamicsUndoesInverseDynamics) {
  for (const char* name :
       {"double_pendulum", "arm6", "arm7", "gripper", "gantry", "quadruped", "humanoid"}) {
    for (const bool floating : {false, true}) {
      LoadOptions options;
      options.floating_base = floating;
      const Model model = load_urdf_file(shipped_urdf(name), options);
      Random random(3);
      std::vector<std::string> arguments{shipped_urdf(name)};
      if (floating) arguments.emplace_back("--floating-base");
      Json line = {{"q", to_json(random_configuration(random, model))},
                   {"v", to_json(random_vector(random, model.nv()))},
                   {"a", to_json(random_vector(random, model.nv()))}};
      line["tau"] = answer(arguments, line).at("id");
      const Json fd = answer(arguments, line).at("fd");
      for (std::size_t i = 0; i < fd.size(); ++i) {
        // cond(M) of these robots stays below 1e6, and a below 10: 1e-16 x 1e6 x 10, and a margin.
        EXPECT_NEAR(fd[i].get<double>(), line["a"][i].get<double>(), 1e-8) << name << " " << i;
      }
    }
  }
}

TEST(CompleteBackend, JointWrenchesUseForwardDynamicsIfTorqueIsGiven) {
  ArmState s;
  Json line = s.line();
  line["want"] = {"joint_wrenches", "fd"};
  line.erase("a");
  const Json from_tau = answer({shipped_urdf("arm7")}, line);
  line["a"] = from_tau["fd"];
  EXPECT_EQ(answer({shipped_urdf("arm7")}, line)["joint_wrenches"], from_tau["joint_wrenches"]);
}

}  // namespace
}  // namespace spatial_dynamics::test
