// Models in other units than SI.
#include "identification/model_faults.hpp"

#include <gtest/gtest.h>

#include <fstream>
#include <iterator>
#include <sstream>

#include "identification/log_units.hpp"
#include "identification/recorded_log.hpp"

namespace spatial_dynamics::test {
namespace {

const RobotLog& right_log() {
  static const RobotLog log = record(arm7(), arm7(), noisy_sensors(5));
  return log;
}
/// What `replay` prints for the right log and this model: the reason of a rejection, or hints.
std::string advice(const Model& model, const RobotLog& log = right_log()) {
  const LogSamples samples = make_samples(log, 0.0);
  const std::string problem = unit_problem(model, log, samples);
  if (!problem.empty()) return "rejected: " + problem;
  std::string text;
  for (const std::string& hint : compare_log(model, samples).hints) text += hint + '\n';
  return text;
}
Model arm7_where(const std::function<void(std::string&)>& edit) {
  std::ifstream file(shipped_urdf("arm7"));
  std::string urdf{std::istreambuf_iterator<char>(file), {}};
  edit(urdf);
  return load_urdf(urdf);
}
/// Multiplies the numbers in every attribute `name="1 2 3"` that follows `element`.
void scale(std::string& urdf, const std::string& element, const std::string& name, double factor) {
  for (std::size_t at = urdf.find('<' + element); at != std::string::npos;
       at = urdf.find('<' + element, at + 1)) {
    const std::size_t end = urdf.find('>', at);
    const std::size_t begin = urdf.find(' ' + name + "=\"", at);
    if (begin == std::string::npos || begin > end) continue;
    const std::size_t first = begin + name.size() + 3, last = urdf.find('"', first);
    std::istringstream numbers(urdf.substr(first, last - first));
    std::string text;
    for (double x = 0.0; numbers >> x;) text += number_text(factor * x) + " ";
    urdf.replace(first, last - first, text);
  }
}
testing::AssertionResult names(const std::string& text, const std::string& words) {
  if (text.find(words) != std::string::npos) return testing::AssertionSuccess();
  return testing::AssertionFailure() << "no \"" << words << "\" in \"" << text << '"';
}

TEST(ModelFaults, FindsLengthsInMillimetres) {
  const Model model = arm7_where([](std::string& urdf) { scale(urdf, "origin", "xyz", 1e3); });
  EXPECT_TRUE(names(advice(model), "the URDF is probably in millimetres (joint '"));
  EXPECT_TRUE(names(advice(model), "run `spatial_dynamics check`."));
}

TEST(ModelFaults, FindsMassesInGrams) {
  const Model model = arm7_where([](std::string& urdf) { scale(urdf, "mass", "value", 1e3); });
  const std::string text = advice(model);
  EXPECT_TRUE(names(text, "grams"));
  EXPECT_TRUE(names(text, "un `spatial_dynamics check`."));
  EXPECT_EQ(text.find("compensated_by_hardware"), std::string::npos) << text;
}

TEST(ModelFaults, FindsInertiasInKilogramSquareCentimetres) {
  const Model model = arm7_where([](std::string& urdf) {
    const std::size_t at = urdf.find("<inertia ", urdf.find("<link name=\"link5\""));
    std::string element = urdf.substr(at, urdf.find('>', at) + 1 - at);
    const std::size_t size = element.size();
    for (const char* name : {"ixx", "iyy", "izz", "ixy", "ixz", "iyz"}) {
      scale(element, "inertia", name, 1e4);
    }
    urdf.replace(at, size, element);
  });
  EXPECT_TRUE(names(advice(model), "times its effort limit: are lengths in m"));
}

TEST(ModelFaults, NamesPayloadAndArmatureAsCausesOfImpossibleEfforts) {
  LoadOptions options;
  options.payloads.push_back({"flange", {1.5, Vector3(0, 0, 50), Matrix3::Zero()}});
  EXPECT_TRUE(names(advice(load_urdf_file(shipped_urdf("arm7"), options)), "--payload"));
  options.payloads.clear();
  options.armature["elbow"] = 3000.0;
  EXPECT_TRUE(names(advice(load_urdf_file(shipped_urdf("arm7"), options)), "--armature"));
}

TEST(ModelFaults, SmallEffortsAreNotDegrees) {
  Model weightless = arm7();
  weightless.set_gravity(Vector3::Zero());
  RobotLog log = record(weightless, weightless);
  log.effort *= 0.1;
  EXPECT_TRUE(names(advice(weightless, log), "times the predicted ones: are they in another unit"));
}

/// A drive that compensates gravity leaves small efforts, too.
TEST(ModelFaults, AcceptsEffortsWithoutGravity) {
  RobotLog log = right_log();
  const Model model = arm7();
  textbook::Data data(model);
  for (Index i = 0; i < log.size(); ++i) {
    log.effort.col(i) -= gravity_torque(model, data, VectorXd(log.q.col(i)));
  }
  EXPECT_TRUE(names(advice(model, log), "compensated_by_hardware: [gravity]"));
}

TEST(ModelFaults, AcceptsTheRightModelAndAPayload) {
  const Model arm = arm7();
  const LogSamples samples = make_samples(right_log(), 0.0);
  EXPECT_EQ(model_fault(arm, samples, compare_log(arm, samples)), "");
  const RobotLog loaded = record(arm7_with(5.0, Vector3(0, 0, 0.3)), arm7(), noisy_sensors(6));
  EXPECT_TRUE(names(advice(arm7(), loaded), "a payload of 5 kg"));
}

}  // namespace
}  // namespace spatial_dynamics::test
