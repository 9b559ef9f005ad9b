// The contract of Data: one test for each statement in its header. Those on wrong arguments are in
// test_checks.cpp.
#include "spatial_dynamics/dynamics/data.hpp"

#include <malloc.h>

#include "dynamics/every_function.hpp"
#include "support/malloc_hook.hpp"
#include "support/mutex_hook.hpp"
#include "support/sanitizers.hpp"

namespace spatial_dynamics::test {
namespace {

class DataContract : public LawTest {
 protected:
  DataContract() : fast(model), external(random_wrenches()), link(model.link_count() - 1) {}
  std::vector<Function> functions() { return every_function(external, link); }

  Data fast;
  ExternalForces external;
  Index link;
};
INSTANTIATE_TEST_SUITE_P(Robots, DataContract, ::testing::ValuesIn(small_robots()), robot_name);

TEST_P(DataContract, ResultSurvivesEveryOtherFunction) {
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

TEST_P(DataContract, AnyResultMayBeAnArgumentOfAnyFunction) {
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

TEST_P(DataContract, FunctionsDoNotAllocateOrLock) {
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

TEST_P(DataContract, NextCallUsesChangesOfModel) {
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

TEST(MemoryOfData, GrowsLinearlyWithJoints) {
  if (kSanitized) GTEST_SKIP() << "the allocator of a sanitizer counts differently";
  const std::size_t small = bytes_of_data(chain(500)), large = bytes_of_data(chain(5000));
  EXPECT_LT(large, 12 * small);
  EXPECT_LT(large, std::size_t{5000} * 8192);
}

TEST(MemoryOfData, DenseResultsOfLongChainMustBeReserved) {
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
