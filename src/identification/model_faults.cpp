#include "identification/model_faults.hpp"

#include <algorithm>
#include <cmath>

#include "model/wrong_units.hpp"
#include "support/text.hpp"

namespace spatial_dynamics {
namespace {

// The model is worse than none: a joint's residual is at least this multiple of its efforts.
constexpr double kWorseThanNone = 2.0;
// A factor of 1000 for masses in grams; friction that the model lacks changes it.
constexpr double kLeastThousand = 300.0, kMostThousand = 3000.0;
constexpr double kAlike = 0.8;  // correlation of measured and predicted efforts

/// How many times the model predicts the measured efforts, over all joints, each weighted by its
/// predicted efforts; 0 if they are not proportional.
double common_multiple(const LogSamples& samples, const LogComparison& comparison) {
  double product = 0.0, measured_square = 0.0, joints = 0.0;
  for (std::size_t k = 0; k < comparison.joints.size(); ++k) {
    if (!comparison.joints[k].has_effort) continue;
    const auto row = static_cast<Index>(k);
    const VectorXd measured = samples.effort.row(row), predicted = comparison.predicted.row(row);
    const double weight = 1.0 / (predicted.squaredNorm() + 1e-12);
    product += weight * measured.dot(predicted);
    measured_square += weight * measured.squaredNorm();
    joints += weight * predicted.squaredNorm();
  }
  const bool proportional = product > kAlike * std::sqrt(measured_square * joints);
  return proportional ? joints / product : 0.0;
}

const char* unit_of(FindingCode code) {
  switch (code) {
    case FindingCode::kMillimetres:
      return "the URDF is probably in millimetres";
    case FindingCode::kGrams:
      return "masses of the URDF are probably in grams";
    default:
      return "inertias of the URDF are probably not in kg m^2";
  }
}

}  // namespace

EffortExcess effort_excess(const Model& model, const LogSamples& samples, const MatrixXd& efforts) {
  EffortExcess worst;
  for (const ScalarCoordinate& c : scalar_coordinates(model)) {
    const double limit = model.joint(c.joint).limits.effort;
    if (!samples.has_effort[to_size(c.v)] || !(limit > 0.0 && limit < kLargestNumber)) continue;
    const double times = efforts.row(c.v).lpNorm<Eigen::Infinity>() / limit;
    if (times > worst.times) worst = {c.v, times};
  }
  return worst;
}

std::string model_fault(const Model& model, const LogSamples& samples,
                        const LogComparison& comparison) {
  const bool wrong = std::any_of(
      comparison.joints.begin(), comparison.joints.end(), [](const JointResidual& joint) {
        return joint.is_unexplained() && joint.effort_rms > 0.0 && joint.share() > kWorseThanNone;
      });
  if (!wrong) return {};
  const std::string check = "? Run `spatial_dynamics check`.";
  std::vector<Finding> findings;
  find_wrong_units(model, findings);
  if (!findings.empty()) {
    const Finding& first = findings.front();
    return std::string(unit_of(first.code)) + " (" + first.element + ": " + first.what +
           "); run `spatial_dynamics check`.";
  }
  const double multiple = common_multiple(samples, comparison);
  if (multiple > kLeastThousand && multiple < kMostThousand) {
    return "the model predicts " + rounded_text(multiple, 2) +
           " times the measured efforts: are its masses in grams, or the efforts in kN m" + check;
  }
  const EffortExcess excess = effort_excess(model, samples, comparison.predicted);
  if (excess.times < kImpossibleEffort) return {};
  const JointResidual& joint = comparison.joints[to_size(excess.row)];
  return "the model predicts efforts of " + joint_element(joint.name) + " up to " +
         rounded_text(excess.times, 2) +
         " times its effort limit: are lengths in m, masses in kg and inertias in kg m^2, also "
         "those of --payload and --armature" +
         check;
}

}  // namespace spatial_dynamics
