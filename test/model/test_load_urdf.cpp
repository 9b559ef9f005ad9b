// From URDF text to a model.
#include "spatial_dynamics/model/load_urdf.hpp"

#include <filesystem>
#include <fstream>
#include <iterator>
#include <regex>
#include <string>
#include <thread>
#include <vector>

#include "model/rejections.hpp"
#include "spatial_dynamics/spatial/rotation.hpp"
#include "support/robots.hpp"

namespace spatial_dynamics::test {
namespace {

TEST(LoadUrdf, ReadsEveryNumber) {
  std::string urdf =
      replaced(kPendulum, "xyz=\"0 0 1\" rpy=\"0 0 0\"", "xyz=\"0.1 0.2 0.3\" rpy=\"0.4 0.5 0.6\"");
  urdf = replaced(urdf, "xyz=\"0 0 -0.5\" rpy=\"0 0 0\"", "xyz=\"-1 -2 -3\" rpy=\"0.7 0.8 0.9\"");
  urdf = replaced(urdf, "ixy=\"0\" ixz=\"0\"", "ixy=\"0.01\" ixz=\"0.002\"");
  urdf = replaced(urdf, "iyz=\"0\"", "iyz=\"-0.003\"");
  const Model model = load_urdf(urdf);
  EXPECT_EQ(model.name(), "pendulum");
  const Joint& joint = model.joint(1);
  EXPECT_EQ(joint.name, "hinge");
  EXPECT_EQ(joint.type, JointType::kRevolute);
  EXPECT_EQ(joint.axis, Vector3::UnitY());
  EXPECT_EQ(joint.placement.position(), Vector3(0.1, 0.2, 0.3));
  EXPECT_TRUE(joint.placement.rotation().isApprox(rpy_rotation(0.4, 0.5, 0.6), 1e-15));
  EXPECT_EQ(joint.limits.lower, -3.0);
  EXPECT_EQ(joint.limits.upper, 2.0);
  EXPECT_EQ(joint.limits.effort, 10.0);
  EXPECT_EQ(joint.limits.velocity, 5.0);
  EXPECT_EQ(joint.damping, 0.25);
  EXPECT_EQ(joint.friction, 0.5);
  Matrix3 tensor;
  tensor << 0.1, 0.01, 0.002, 0.01, 0.1, -0.003, 0.002, -0.003, 0.01;
  const Matrix3 R = rpy_rotation(0.7, 0.8, 0.9);
  const Inertia expected = Inertia::from_com(1.5, {-1, -2, -3}, R * tensor * R.transpose());
  EXPECT_TRUE(model.inertia(1).matrix().isApprox(expected.matrix(), 1e-15));
}

TEST(LoadUrdf, ReadsEveryJointType) {
  for (const JointType type : {JointType::kRevolute, JointType::kContinuous, JointType::kPrismatic,
                               JointType::kPlanar, JointType::kFloating, JointType::kFixed}) {
    const Model model =
        load_urdf(replaced(kPendulum, "\"revolute\"", std::string("\"") + to_string(type) + "\""));
    EXPECT_EQ(model.nv(), velocity_count(type));
    if (type != JointType::kFixed) {
      EXPECT_EQ(model.joint(1).type, type);
    }
  }
}

TEST(LoadUrdf, CalibrationIsIgnored) {
  EXPECT_EQ(load_urdf(replaced(kPendulum, "</joint>", "<calibration rising=\"y\"/></joint>")).nv(),
            1);
}

JointLimits limits_with_safety(const std::string& attributes) {
  return load_urdf(
             replaced(kPendulum, "</joint>", "<safety_controller " + attributes + "/></joint>"))
      .joint(1)
      .limits;
}

TEST(LoadUrdf, ReadsSoftLimits) {
  const JointLimits both = limits_with_safety(R"(soft_lower_limit="-0.5" soft_upper_limit="0.25")");
  EXPECT_EQ(both.soft_lower, -0.5);
  EXPECT_EQ(both.soft_upper, 0.25);
  const JointLimits one = limits_with_safety(R"(k_velocity="10" soft_upper_limit="0.25")");
  EXPECT_EQ(one.soft_lower, -kUnlimited);
  EXPECT_EQ(one.soft_upper, 0.25);
}

TEST(LoadUrdf, SafetyControllerWithoutSoftLimitsHasNone) {
  for (const char* const attributes :
       {"", R"(k_velocity="10")", R"(soft_lower_limit="0" soft_upper_limit="0.0")"}) {
    const JointLimits limits = limits_with_safety(attributes);
    EXPECT_EQ(limits.soft_lower, -kUnlimited) << attributes;
    EXPECT_EQ(limits.soft_upper, kUnlimited) << attributes;
  }
}

TEST(LoadUrdf, RejectsSoftLimitsThatAreNoRange) {
  for (const char* const attributes : {R"(soft_lower_limit="x")", R"(soft_lower_limit="nan")",
                                       R"(soft_lower_limit="0.5" soft_upper_limit="-0.5")"}) {
    try {
      limits_with_safety(attributes);
      ADD_FAILURE() << attributes;
    } catch (const ModelError& error) {
      EXPECT_NE(std::string(error.what()).find("joint '"), std::string::npos) << error.what();
      EXPECT_NE(std::string(error.what()).find("soft"), std::string::npos) << error.what();
    }
  }
}

TEST(LoadUrdf, FromManyThreadsAtOnce) {
  const std::string bad = replaced(kPendulum, "<robot name", "<robot version=\"7.0\" name");
  std::vector<std::thread> threads;
  std::vector<int> loaded(4, 0);
  std::vector<int> rejected(4, 0);
  for (std::size_t t = 0; t < loaded.size(); ++t) {
    threads.emplace_back([&, t] {
      for (int i = 0; i < 50; ++i) {
        loaded[t] += static_cast<int>(load_urdf(kPendulum).nv());
        try {
          static_cast<void>(load_urdf(bad));
        } catch (const ModelError&) {
          ++rejected[t];
        }
      }
    });
  }
  for (std::thread& thread : threads) {
    thread.join();
  }
  EXPECT_EQ(loaded, std::vector<int>(4, 50));
  EXPECT_EQ(rejected, std::vector<int>(4, 50));
}

class LoadUrdfFile : public ::testing::Test {
 protected:
  void SetUp() override { std::filesystem::create_directories(folder); }
  void TearDown() override { std::filesystem::remove_all(folder); }
  [[nodiscard]] std::string write(const std::string& name, const std::string& text) const {
    const std::string path = (folder / name).string();
    std::ofstream(path, std::ios::binary) << text;
    return path;
  }
  /// Expects a rejection that starts with `start`.
  static void expect_file_rejected(const std::string& path, const std::string& start,
                                   const std::string& words) {
    try {
      static_cast<void>(load_urdf_file(path));
      ADD_FAILURE() << path << " was not rejected";
    } catch (const ModelError& error) {
      const std::string sentence = error.what();
      EXPECT_EQ(sentence.substr(0, start.size()), start) << sentence;
      EXPECT_NE(sentence.find(words), std::string::npos) << sentence;
      EXPECT_NE(sentence.find("; "), std::string::npos) << sentence;
    }
  }

  std::filesystem::path folder = std::filesystem::path(::testing::TempDir()) /
                                 ("spatial_dynamics_load_urdf_" + std::to_string(getpid()));
};

TEST_F(LoadUrdfFile, EqualsLoadingItsText) {
  EXPECT_EQ(load_urdf_file(write("pendulum.urdf", kPendulum)).nv(), 1);
}

TEST_F(LoadUrdfFile, RejectionStartsWithTheFile) {
  const std::string path =
      write("bad.urdf", replaced(kPendulum, "value=\"1.5\"", "value=\"heavy\""));
  expect_file_rejected(path, path + ": link 'rod'", "heavy");
}

TEST_F(LoadUrdfFile, UnreadableFilesAreRejected) {
  const std::string missing = (folder / "missing.urdf").string();
  expect_file_rejected(missing, "file '" + missing, "does not exist");
  expect_file_rejected(folder.string(), "file '" + folder.string(), "directory");
  expect_file_rejected("", "file ''", "does not exist");
  expect_file_rejected(write("empty.urdf", ""), folder.string(), "no XML element");
}

TEST_F(LoadUrdfFile, FilesWithoutPermissionAreRejected) {
  const std::string path = write("secret.urdf", kPendulum);
  std::filesystem::permissions(path, std::filesystem::perms::none);
  if (std::ifstream(path).good()) {
    GTEST_SKIP() << "this user may read everything";
  }
  expect_file_rejected(path, "file '", "permissions");
}

TEST_F(LoadUrdfFile, TooLargeFilesAreRejectedWithoutReadingAllOfThem) {
  const std::string path = write("large.urdf", kPendulum);
  std::filesystem::resize_file(path, std::uintmax_t{1} << 36U);  // sparse: 64 GiB
  expect_file_rejected(path, path, "16 MiB");
}

TEST(ShippedRobots, LoadWithoutWarningsAndCanBeSimulated) {
  for (const char* name :
       {"double_pendulum", "arm6", "arm7", "gripper", "gantry", "quadruped", "humanoid"}) {
    SCOPED_TRACE(name);
    LoadOptions options;
    options.strict = true;
    options.require_forward_dynamics = true;
    ModelReport report;
    EXPECT_GT(load_urdf_file(shipped_urdf(name), options, &report).nv(), 0);
    for (const Finding& finding : report.findings) {
      EXPECT_NE(finding.severity, Severity::kWarning) << finding.element << ": " << finding.what;
    }
  }
}

TEST(LoadUrdf, AMissingInertialIsWarnedOfWhereTheLinkHasAShape) {
  const std::string hub = R"(<link name="hub"/>
  <joint name="swivel" type="continuous"><parent link="base"/><child link="hub"/></joint>
  <joint name="hinge")";
  std::string urdf = replaced(kPendulum, "<joint name=\"hinge\"", hub);
  urdf = replaced(urdf, "<origin xyz=\"0 0 1\" rpy=\"0 0 0\"/>\n    <parent link=\"base\"/>",
                  "<parent link=\"hub\"/>");
  ModelReport report;
  static_cast<void>(load_urdf(urdf, {}, &report));
  EXPECT_TRUE(has_finding(report, Severity::kInfo, "link 'hub'", "has no mass"));
  for (const char* shape : {"visual", "collision"}) {
    const std::string shaped = std::string("<link name=\"hub\"><") + shape +
                               "><geometry><sphere radius=\"0.1\"/></geometry></" + shape +
                               "></link>";
    static_cast<void>(load_urdf(replaced(urdf, "<link name=\"hub\"/>", shaped), {}, &report));
    EXPECT_TRUE(has_finding(report, Severity::kWarning, "link 'hub'", "has no mass")) << shape;
  }
}

/// Third-party robots in a folder beside the project, if present.
struct RealRobot {
  const char* name;
  Index dof;
  bool can_be_simulated;
};
void PrintTo(const RealRobot& robot, std::ostream* os) { *os << robot.name; }

class RealRobots : public ::testing::TestWithParam<RealRobot> {
 protected:
  void SetUp() override {
    path_ =
        std::string(SPATIAL_DYNAMICS_SOURCE_DIR) + "/../shared/robots/" + GetParam().name + ".urdf";
    if (!std::filesystem::exists(path_)) {
      GTEST_SKIP() << path_ << " is not present";
    }
  }
  /// The file without its comments.
  [[nodiscard]] std::string text() const {
    std::ifstream file(path_);
    std::string all{std::istreambuf_iterator<char>(file), {}};
    for (std::size_t start = all.find("<!--"); start != std::string::npos;
         start = all.find("<!--")) {
      all.erase(start, all.find("-->", start) + 3 - start);
    }
    return all;
  }
  std::string path_;
};

TEST_P(RealRobots, LoadWithTheirDegreesOfFreedomAndTotalMass) {
  const Model model = load_urdf_file(path_);
  EXPECT_EQ(model.nv(), GetParam().dof);
  EXPECT_EQ(model.why_forward_dynamics_fails().empty(), GetParam().can_be_simulated)
      << model.why_forward_dynamics_fails();
  // Independently of any parser: the sum of the masses in the text.
  const std::string urdf = text();
  const std::regex pattern("<mass\\s+value\\s*=\\s*[\"']([^\"']*)[\"']");
  double mass = 0.0;
  for (std::sregex_iterator match(urdf.begin(), urdf.end(), pattern), end; match != end; ++match) {
    mass += std::stod((*match)[1]);
  }
  EXPECT_NEAR(model.total_mass(), mass, 1e-12 * mass);
}

INSTANTIATE_TEST_SUITE_P(
    Shared, RealRobots,
    ::testing::Values(RealRobot{"allegro_right_hand", 16, true}, RealRobot{"anymal", 12, true},
                      RealRobot{"baxter", 17, true}, RealRobot{"double_pendulum_simple", 2, true},
                      RealRobot{"hyq_no_sensors", 12, true}, RealRobot{"icub", 32, true},
                      RealRobot{"kinova", 6, true}, RealRobot{"panda", 8, true},
                      RealRobot{"pr2", 20, true},
                      // Romeo's fingers have no mass.
                      RealRobot{"romeo", 33, false}, RealRobot{"simple_humanoid", 29, true},
                      RealRobot{"solo12", 12, true}, RealRobot{"ur10_robot", 6, true},
                      RealRobot{"ur5_robot", 6, true}),
    [](const auto& c) { return std::string(c.param.name); });

}  // namespace
}  // namespace spatial_dynamics::test
