// The contract of Data: one test for each statement in include/spatial_dynamics/dynamics/data.hpp.
#include <malloc.h>

#include <stdexcept>

#include "dynamics/every_function.hpp"
#include "support/malloc_hook.hpp"
#include "support/mutex_hook.hpp"
#include "support/sanitizers.hpp"

namespace spatial_dynamics::test {
namespace {

class Contract : public LawTest {
 protected:
  Contract() : fast(model), external(random_wrenches()), link(model.link_count() - 1) {}
  std::vector<Function> functions() { return every_function(external, link); }

  Data fast;
  ExternalForces external;
  Index link;
};
INSTANTIATE_TEST_SUITE_P(Robots, Contract, ::testing::ValuesIn(small_robots()), robot_name);

TEST_P(Contract, ResultSurvivesEveryOtherFunction) {
  const State s = random_state(), other = random_state();
  for (const Function& first : functions()) {
    const std::vector<Numbers> result = first.call(model, fast, s.q, s.v, s.a);
    const VectorXd before = copy_of(result);
    for (const Function& second : functions()) {
      if (second.name != first.name) second.call(model, fast, other.q, other.v, other.tau);
    }
    call_functions_by_value(model, fast, other.q, other.v, other.a, link);
    if (first.name != "jacobian") {  // it was called again above, by value
      EXPECT_EQ(copy_of(result), before) << first.name;
    }
  }
}

TEST_P(Contract, AnyResultMayBeAnArgumentOfAnyFunction) {
  const State s = random_state();
  for (const Function& first : functions()) {
    for (const Function& second : functions()) {
      // Every part of the result that is long enough is used as q, as v, and as third argument.
      const std::size_t parts = first.call(model, fast, s.q, s.v, s.a).size();
      for (std::size_t part = 0; part < parts; ++part) {
        for (int argument = 0; argument < second.arguments; ++argument) {
          const Numbers result = first.call(model, fast, s.q, s.v, s.a)[part];
          const Index size = argument == 0 ? model.nq() : model.nv();
          if (result.size < size) continue;
          const Eigen::Map<const VectorXd> given(result.data, size);
          const VectorXd copy = given;
          const auto call = [&](Data& memory, VectorView x) {
            return copy_of(second.call(model, memory, argument == 0 ? x : VectorView(s.q),
                                       argument == 1 ? x : VectorView(s.v),
                                       argument == 2 ? x : VectorView(s.a)));
          };
          const VectorXd aliased = call(fast, given);
          Data separate(model);
          const VectorXd expected = call(separate, copy);
          ASSERT_EQ(aliased.size(), expected.size());
          for (Index i = 0; i < expected.size(); ++i) {  // NaN, from an invalid q, equals NaN
            ASSERT_TRUE(aliased(i) == expected(i) ||
                        (std::isnan(aliased(i)) && std::isnan(expected(i))))
                << second.name << "(" << first.name << ") argument " << argument;
          }
        }
      }
    }
  }
}

TEST_P(Contract, ForwardDynamicsOfInverseDynamicsIsTheAcceleration) {
  const State s = random_state();
  const VectorXd& back = forward_dynamics(
      model, fast, s.q, s.v, inverse_dynamics(model, fast, s.q, s.v, s.a, external), external);
  const double condition = condition_number(mass_matrix(model, fast, s.q));
  EXPECT_FALSE(fast.singular());
  EXPECT_LT(largest(back - s.a), rounding(condition * (1.0 + largest(s.a))));
}

TEST_P(Contract, FunctionsDoNotAllocateOrLock) {
  const State s = random_state();
  const auto all = functions();
  model.set_gravity({1.0, 2.0, 3.0});
  for (const Function& function : all) {
    std::vector<Numbers> result;
    result.reserve(4);
    const LockWatch locks;
    const HeapWatch watch;
    // The allocations of the test itself: the vector of parts and its release.
    function.call(model, fast, s.q, s.v, s.a);
    EXPECT_EQ(watch.count(), 2u) << function.name;
    EXPECT_EQ(locks.count(), 0u) << function.name;
  }
  const HeapWatch watch;
  call_functions_by_value(model, fast, s.q, s.v, s.a, link);
  EXPECT_EQ(watch.count(), 0u);
}

TEST_P(Contract, NextCallUsesChangesOfModel) {
  const State s = random_state();
  const auto matches = [&] {
    Data fresh(model);
    for (const Function& function : functions()) {
      if (copy_of(function.call(model, fast, s.q, s.v, s.a)) !=
          copy_of(function.call(model, fresh, s.q, s.v, s.a))) {
        ADD_FAILURE() << function.name;
        return false;
      }
    }
    return potential_energy(model, fast, s.q) == potential_energy(model, fresh, s.q) &&
           center_of_mass(model, fast, s.q) == center_of_mass(model, fresh, s.q) &&
           kinetic_energy(model, fast, s.q, s.v) == kinetic_energy(model, fresh, s.q, s.v);
  };
  EXPECT_TRUE(matches());
  const std::uint64_t stamp = model.stamp();
  model.set_gravity({0.5, -3.0, 1.0});
  EXPECT_TRUE(matches());
  model.set_payload(link, Inertia::from_com(2.0, {0.1, 0.0, 0.2}, 0.01 * Matrix3::Identity()));
  EXPECT_TRUE(matches());
  model.set_friction_speed(0.25);
  EXPECT_TRUE(matches());
  EXPECT_NE(model.stamp(), stamp);
  const std::uint64_t changed = model.stamp();
  model.set_gravity({0.5, -3.0, 1.0});
  EXPECT_EQ(model.stamp(), changed) << "setting the same values must not change the stamp";
}

TEST_P(Contract, TermsAddUpToInverseDynamics) {
  const State s = random_state();
  const VectorXd sum = rigid_body_torque(model, fast, s.q, s.v, s.a, external) +
                       friction_torque(model, fast, s.v) + rotor_torque(model, fast, s.a);
  const VectorXd& tau = inverse_dynamics(model, fast, s.q, s.v, s.a, external);
  EXPECT_LT(largest(tau - sum), rounding(largest(tau)));
}

TEST(ContractSizes, WrongSizeNamesFunctionArgumentAndSizes) {
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

TEST(ContractSizes, WrongLinkOrForcesOfAnotherModelThrow) {
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

TEST(ContractModel, DataOfAnotherModelThrowsButCopyIsSameModel) {
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

TEST(ContractModel, MovedFromObjectsThrow) {
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

TEST(ContractModel, FrictionAcceptsItsResultAsEitherVelocity) {
  Random random(7);
  const Model model = random_tree(random, {});
  Data data(model), separate(model);
  const VectorXd v = random_vector(random, model.nv()), w = random_vector(random, model.nv());
  const VectorXd expected_w = friction_torque(model, separate, v, w);
  EXPECT_EQ(friction_torque(model, data, v, w), expected_w);
  const VectorXd& first = friction_torque(model, data, w);
  const VectorXd copy = first;
  EXPECT_EQ(friction_torque(model, data, first, w), friction_torque(model, separate, copy, w));
  const VectorXd& second = friction_torque(model, data, w);
  EXPECT_EQ(friction_torque(model, data, v, second), friction_torque(model, separate, v, copy));
  const VectorXd wrong = VectorXd::Zero(model.nv() + 1);
  EXPECT_NE(sentence([&] { friction_torque(model, data, v, wrong); }).find("coulomb_velocity has"),
            std::string::npos);
}

TEST(ContractSingular, ResultIsZeroAndSingular) {
  const Model model = massless_hinge();
  Data data(model);
  const VectorXd one = VectorXd::Ones(model.nv());
  EXPECT_EQ(forward_dynamics(model, data, one, one, one), VectorXd::Zero(model.nv()));
  EXPECT_TRUE(data.singular());
  EXPECT_EQ(largest(mass_matrix_inverse(model, data, one)), 0.0);
  EXPECT_TRUE(data.singular());
  EXPECT_EQ(largest(forward_dynamics_derivatives(model, data, one, one, one).da_dq), 0.0);
  EXPECT_TRUE(data.singular());
}

Model chain(int joints) {
  ModelBuilder builder("chain");
  builder.add_link("base");
  MassProperties rod;
  rod.mass = 1.0;
  rod.com = {0.05, 0.0, 0.0};
  rod.inertia_about_com = 1e-3 * Matrix3::Identity();
  std::string parent = "base";
  for (int i = 0; i < joints; ++i) {
    const std::string name = std::to_string(i);
    builder.add_link("l" + name, rod);
    JointDescription joint;
    joint.name = "j" + name;
    joint.type = JointType::kRevolute;
    joint.parent = parent;
    joint.child = "l" + name;
    joint.origin = Transform::translation({i == 0 ? 0.0 : 0.1, 0.0, 0.0});
    joint.axis = i % 2 == 0 ? Vector3::UnitZ() : Vector3::UnitY();
    builder.add_joint(joint);
    parent = "l" + name;
  }
  return builder.build();
}

/// The number of allocated bytes.
std::size_t allocated() {
  const auto info = mallinfo2();
  return info.uordblks + info.hblkhd;
}
std::size_t bytes_of_data(const Model& model) {
  const std::size_t before = allocated();
  const Data data(model, Dense::kNone);
  return allocated() - before;
}

TEST(ContractMemory, GrowsLinearlyWithJoints) {
  if (kSanitized) GTEST_SKIP() << "the allocator of a sanitizer counts differently";
  const std::size_t small = bytes_of_data(chain(500)), large = bytes_of_data(chain(5000));
  EXPECT_LT(large, 12 * small);
  EXPECT_LT(large, std::size_t{5000} * 8192);
}

TEST(ContractMemory, DenseResultsOfLongChainMustBeReserved) {
  const Model model = chain(300);
  Data data(model);
  const VectorXd zero = VectorXd::Zero(model.nv());
  const ExternalForces none;
  // Vectors need no reservation. This includes forward dynamics, which uses articulated bodies
  // here.
  const VectorXd tau = inverse_dynamics(model, data, zero, zero, VectorXd(VectorXd::Ones(300)));
  forward_dynamics(model, data, zero, zero, tau);
  EXPECT_FALSE(data.singular());
  for (const auto& [name, dense] : std::vector<std::pair<std::string, Dense>>{
           {"mass_matrix", Dense::kMassMatrix},
           {"mass_matrix_inverse", Dense::kMassMatrixInverse},
           {"coriolis_matrix", Dense::kCoriolisMatrix},
           {"inverse_dynamics_derivatives", Dense::kInverseDynamicsDerivatives},
           {"forward_dynamics_derivatives", Dense::kForwardDynamicsDerivatives},
           {"regressor", Dense::kRegressor}}) {
    for (const Function& function : every_function(none, 0)) {
      if (function.name != name) continue;
      const auto call = [&, &call_function = function.call] {
        call_function(model, data, zero, zero, zero);
      };
      EXPECT_NE(sentence(call).find("reserve(Dense::k"), std::string::npos) << name;
      data.reserve(dense);
      EXPECT_EQ(sentence(call), "") << name;
    }
  }
  EXPECT_TRUE(data.is_reserved(Dense::kAll));
}

}  // namespace
}  // namespace spatial_dynamics::test
