// The data of a compiled robot, and its updates from its model.
#include "kernels/compact_model.hpp"

#include <filesystem>

#include "kernels/inverse_dynamics.hpp"
#include "kernels/kernel_test.hpp"
#include "spatial_dynamics/model/load_urdf.hpp"
#include "spatial_dynamics/textbook/inverse_dynamics.hpp"
#include "support/malloc_hook.hpp"

namespace spatial_dynamics::test {

std::vector<NamedRobot> kernel_robots() {
  std::vector<NamedRobot> robots = all_robots();
  for (const bool mimic : {false, true}) {
    robots.push_back({mimic ? "tree200_mimic" : "tree200", [mimic] {
                        Random random(200);
                        return random_tree(random, {200, true, true, mimic, true});
                      }});
  }
  const std::filesystem::path others =
      std::filesystem::path(SPATIAL_DYNAMICS_SOURCE_DIR) / ".." / "shared" / "robots";
  if (!std::filesystem::is_directory(others)) return robots;
  for (const auto& entry : std::filesystem::directory_iterator(others)) {
    if (entry.path().extension() != ".urdf") continue;
    for (const bool floating : {false, true}) {
      robots.push_back({entry.path().stem().string() + (floating ? "_floating" : ""),
                        [path = entry.path().string(), floating] {
                          LoadOptions options;
                          options.floating_base = floating;
                          return load_urdf_file(path, options);
                        }});
    }
  }
  return robots;
}

namespace {

using CompactModelTest = KernelTest;
INSTANTIATE_TEST_SUITE_P(Robots, CompactModelTest, ::testing::ValuesIn(kernel_robots()),
                         robot_name);

TEST_P(CompactModelTest, FollowsPayloadGravityAndFrictionSpeedWithoutAllocation) {
  const State s = random_state();
  model.set_gravity({1.0, -2.0, 3.0});
  model.set_friction_speed(0.05);
  const Index link = model.link_count() - 1;
  model.set_payload(link, Inertia::from_com(2.0, {0.1, 0.2, -0.1}, 0.01 * Matrix3::Identity()));
  {
    const HeapWatch watch;
    compact.update(model);
    EXPECT_EQ(watch.count(), 0u);
  }
  const VectorXd expected = inverse_dynamics(model, data, s.q, s.v, s.a);
  const VectorXd tau = inverse_dynamics(compact, workspace, s.q, s.v, s.a);
  EXPECT_LT(largest(tau - expected), kTolerance * largest(expected));
}

TEST_P(CompactModelTest, RevoluteLinksKeepSevenParametersAndPrismaticOnesFour) {
  const CompactLayout& m = compact.layout();
  for (std::int32_t j = 0; j < m.joints; ++j) {
    const CompactLink& link = m.links[j];
    const CompactExtra& extra = m.extras[j];
    if (m.flags[j] & kFreeJoint) continue;
    if (m.flags[j] & kPrismaticJoint) {
      EXPECT_EQ(std::abs(link.Jxx) + std::abs(link.Ixy) + std::abs(link.Ixz) + std::abs(link.Iyz) +
                    std::abs(link.Jyy) + std::abs(extra.Jzz),
                0.0);
    } else {
      EXPECT_EQ(std::abs(extra.mass) + std::abs(extra.hz) + std::abs(extra.Jzz), 0.0);
    }
  }
}

TEST_P(CompactModelTest, OneChildOfEachRevoluteLinkHasGammaZero) {
  const CompactLayout& m = compact.layout();
  std::vector<int> plain(static_cast<std::size_t>(m.joints) + 1, 0), children = plain;
  for (std::int32_t j = 0; j < m.joints; ++j) {
    if (m.flags[j] & kFreeJoint) continue;
    const auto parent = static_cast<std::size_t>(m.parent[j] + 1);
    ++children[parent];
    if (!(m.flags[j] & kTurned)) ++plain[parent];
  }
  for (std::int32_t j = -1; j < m.joints; ++j) {
    const auto b = static_cast<std::size_t>(j + 1);
    if (j >= 0 && (m.flags[j] & kFreeJoint)) continue;
    EXPECT_GE(plain[b], children[b] > 0 ? 1 : 0) << "joint " << j;
  }
}

TEST_P(CompactModelTest, CopiesAreIndependentOfTheOriginal) {
  const State s = random_state();
  const VectorXd expected = inverse_dynamics(compact, workspace, s.q, s.v, s.a);
  const CompactModel copy = compact;
  model.set_gravity(Vector3::Zero());
  compact.update(model);
  EXPECT_EQ(inverse_dynamics(copy, workspace, s.q, s.v, s.a), expected);
}

/// A chain of two joints whose axes differ by a tiny angle: their common normal is far away or
/// undefined.
TEST(NearlyParallelAxes, LoseNoDigits) {
  for (const double angle : {0.0, 1e-16, 1e-15, 1e-13, 1e-10, 1e-8, 1e-4, 1e-2, 0.09, 0.11}) {
    Random random(7);
    ModelBuilder builder("parallel");
    builder.add_link("a");
    std::string last = "a";
    for (const char* name : {"b", "c", "d", "e"}) {
      JointDescription joint;
      joint.name = std::string("to_") + name;
      joint.type = JointType::kRevolute;
      joint.parent = last;
      joint.child = last = name;
      joint.axis = Vector3::UnitZ();
      joint.origin = Transform::from_pose(
          Eigen::AngleAxisd(angle, Vector3(1.0, 2.0, 0.0).normalized()).toRotationMatrix(),
          random_vector3(random));
      builder.add_link(name, random_mass_properties(random)).add_joint(joint);
    }
    const Model model = builder.build();
    textbook::Data data(model);
    const CompactModel compact = compile(model);
    Workspace workspace(compact);
    const VectorXd q = random_vector(random, 4), v = random_vector(random, 4),
                   a = random_vector(random, 4);
    const VectorXd expected = inverse_dynamics(model, data, q, v, a);
    EXPECT_LT(largest(inverse_dynamics(compact, workspace, q, v, a) - expected),
              1e-13 * largest(expected))
        << angle;
  }
}

}  // namespace
}  // namespace spatial_dynamics::test
