// Wrong arguments throw, with a sentence that names the function.
#include "dynamics/checks.hpp"

#include "dynamics/every_function.hpp"

namespace spatial_dynamics::test {
namespace {

TEST(Checks, WrongSizeNamesFunctionArgumentAndSizes) {
  Random random(3);
  RandomTreeOptions options;
  options.floating_base = true;
  Model model = random_tree(random, options);
  Data data(model);
  const VectorXd q = random_configuration(random, model), v = VectorXd::Zero(model.nv());
  const VectorXd wrong = VectorXd::Zero(model.nv() + 3);
  const ExternalForces none;
  for (const Function& function : every_function(none, 0)) {
    for (int argument = 0; argument < function.arguments; ++argument) {
      if (function.name == "friction_torque" && argument == 0) continue;
      if (function.name == "rotor_torque" && argument < 2) continue;
      const std::string text = sentence([&] {
        function.call(model, data, argument == 0 ? wrong : q, argument == 1 ? wrong : v,
                      argument == 2 ? wrong : v);
      });
      EXPECT_NE(text.find(function.name + "()"), std::string::npos) << text;
      EXPECT_NE(text.find("has " + std::to_string(wrong.size()) + " numbers"), std::string::npos)
          << text;
      const Index expected = argument == 0 ? model.nq() : model.nv();
      EXPECT_NE(text.find("expected " + std::to_string(expected)), std::string::npos) << text;
    }
  }
  EXPECT_EQ(sentence([&] { inverse_dynamics(model, data, q, wrong, v); }),
            "inverse_dynamics() on model '" + model.name() + "': v has " +
                std::to_string(wrong.size()) + " numbers, expected " + std::to_string(model.nv()) +
                ".");
}

TEST(Checks, WrongLinkOrForcesOfAnotherModelThrow) {
  Random random(4);
  Model small = random_tree(random, {}), large = massless_hinge();
  Data data(small);
  const VectorXd q = VectorXd::Zero(small.nq());
  EXPECT_NE(sentence([&] { jacobian(small, data, q, -1); }).find("no link -1"), std::string::npos);
  EXPECT_NE(sentence([&] { small.set_payload(99, Inertia::Zero()); }).find("no link 99"),
            std::string::npos);
  ExternalForces forces(small), default_forces;
  EXPECT_NE(sentence([&] { forces.add(small, -1, Force::Zero()); }).find("no link -1"),
            std::string::npos);
  EXPECT_NE(sentence([&] { forces.add(large, 0, Force::Zero()); }).find("it was constructed for"),
            std::string::npos);
  EXPECT_NE(sentence([&] { default_forces.add(small, 0, Force::Zero()); }).find("0 bodies"),
            std::string::npos);
  EXPECT_NE(sentence([&] { link_pose(small, data, q, small.link_count()); }).find("find_link"),
            std::string::npos);
  EXPECT_NE(sentence([&] {
              inverse_dynamics(small, data, q, q, q, ExternalForces(large));
            }).find("external forces"),
            std::string::npos);
}

TEST(Checks, DataOfAnotherModelThrowsButCopyIsSameModel) {
  Random random(5), same(5);
  Model model = random_tree(random, {}), twin = random_tree(same, {});
  Data data(model);
  const VectorXd q = VectorXd::Zero(model.nq());
  EXPECT_NE(sentence([&] { gravity_torque(twin, data, q); }).find("another model"),
            std::string::npos);
  Model copy = model;
  EXPECT_EQ(sentence([&] { gravity_torque(copy, data, q); }), "");
  // Two changed copies have different stamps, and a Data uses the copy that it is called with.
  copy.set_gravity({0.0, 0.0, -1.0});
  const VectorXd weak = gravity_torque(copy, data, q), strong = gravity_torque(model, data, q);
  EXPECT_LT(largest(weak * kStandardGravity.norm() - strong), 1e-12 * largest(strong));
}

TEST(Checks, MovedFromObjectsThrow) {
  Random random(6);
  Model model = random_tree(random, {});
  Data data(model);
  const VectorXd q = VectorXd::Zero(model.nq());
  Data taken = std::move(data);
  for (const Function& function : every_function(kNoExternalForces, 0)) {
    EXPECT_NE(sentence([&] { function.call(model, data, q, q, q); }).find("data was moved from"),
              std::string::npos)
        << function.name;
  }
  EXPECT_FALSE(data.singular());
  EXPECT_FALSE(data.is_reserved(Dense::kMassMatrix));
  EXPECT_NE(sentence([&] { data.reserve(Dense::kAll); }).find("moved from"), std::string::npos);
  data = std::move(taken);
  EXPECT_EQ(sentence([&] { gravity_torque(model, data, q); }), "");
  const Model moved = std::move(model);
  EXPECT_EQ(sentence([&] { gravity_torque(moved, data, q); }), "");
  EXPECT_NE(sentence([&] { gravity_torque(model, data, q); }).find("another model"),
            std::string::npos);
  EXPECT_NE(sentence([&] { Data{model}; }).find("model is empty"), std::string::npos);
  EXPECT_NE(sentence([&] { Data{Model()}; }).find("model is empty"), std::string::npos);
  EXPECT_NE(sentence([&] { BatchData(Model(), 1); }).find("model is empty"), std::string::npos);
  EXPECT_NE(sentence([&] { TorqueController(Model(), {}); }).find("model is empty"),
            std::string::npos);
}

}  // namespace
}  // namespace spatial_dynamics::test
