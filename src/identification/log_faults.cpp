#include "identification/log_faults.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

#include "identification/effort_faults.hpp"
#include "identification/gravity_fit.hpp"
#include "identification/model_faults.hpp"
#include "identification/mount_fit.hpp"
#include "spatial_dynamics/dynamics/inverse_dynamics.hpp"
#include "support/text.hpp"

namespace spatial_dynamics {
namespace {

constexpr double kLeftByGravity = 0.2;  // at most, if the efforts do not include gravity
/// A mount is mentioned beside opposite signs if it leaves at most this multiple.
constexpr double kAboutAsGood = 3.0;
/// A payload or friction is mentioned beside a mount if it leaves at most this share of what the
/// mount alone leaves.
constexpr double kLoadedShare = 0.25;

class Faults {
 public:
  Faults(const Model& model, const LogSamples& samples, const LogComparison& comparison)
      : model_(model), samples_(samples), comparison_(comparison) {}

  [[nodiscard]] std::string find() const {
    if (std::string fault = zero_efforts(comparison_); !fault.empty()) return fault;
    if (std::string fault = single_factors(model_, samples_, comparison_); !fault.empty()) {
      return fault;
    }
    if (std::string fault = model_fault(model_, samples_, comparison_); !fault.empty()) {
      return fault;
    }
    if (std::string fault = mount_or_signs(); !fault.empty()) return fault;
    // Small efforts look like efforts without gravity.
    const CommonFactor factor = common_factor(samples_, comparison_);
    if (!factor.sentence.empty() && factor.left < left_by_gravity()) return factor.sentence;
    return without_gravity();
  }

 private:
  /// Efforts of a ceiling mount have the opposite sign, too, except for those of accelerations.
  [[nodiscard]] std::string mount_or_signs() const {
    const OppositeSigns signs = opposite_signs(samples_, comparison_);
    const GravityFit mount = fit_gravity(model_, samples_, comparison_);
    const MountFit loaded(model_, samples_, comparison_);
    const LoadedGravity best = loaded.best();
    std::string sentence = mount_hint(model_, mount);
    double by_mount = sentence.empty() ? 1.0 : 1.0 - mount.explained, by_signs = signs.left;
    std::string with_load = loaded_mount_hint(model_, loaded, best);
    const double by_loaded_signs = loaded.at(model_.gravity(), signs.signs).left;
    if (!with_load.empty() && best.left < kLoadedShare * by_mount) {
      sentence = std::move(with_load);
      by_mount = best.left;
      by_signs = by_loaded_signs;
    }
    if (signs.sentence.empty() || (!sentence.empty() && by_mount < by_signs)) return sentence;
    const Vector3 ceiling = -model_.gravity();
    if (loaded.at(ceiling).left > kAboutAsGood * by_loaded_signs + 1e-3) return signs.sentence;
    return signs.sentence + " Or is the robot on a ceiling? Then give " + gravity_option(ceiling) +
           ".";
  }

  [[nodiscard]] MatrixXd gravity(Index stride) const {
    Data data(model_, Dense::kNone);
    MatrixXd efforts(model_.nv(), (samples_.size() + stride - 1) / stride);
    for (Index i = 0; i < efforts.cols(); ++i) {
      efforts.col(i) = gravity_torque(model_, data, VectorXd(samples_.q.col(i * stride)));
    }
    return efforts;
  }

  /// Share of the residual that remains if measured efforts lack gravity. Over all joints with
  /// efforts, each weighted by its predicted efforts.
  [[nodiscard]] double left_by_gravity() const {
    const Index stride = std::max<Index>(1, samples_.size() / kMostForHints);
    const MatrixXd gravity_efforts = gravity(stride);
    double before = 0.0, after = 0.0;
    for (std::size_t k = 0; k < comparison_.joints.size(); ++k) {
      if (!comparison_.joints[k].has_effort) continue;
      const auto row = static_cast<Index>(k);
      double size = 1e-12, joint_before = 0.0, joint_after = 0.0;
      for (Index i = 0; i < gravity_efforts.cols(); ++i) {
        const double predicted = comparison_.predicted(row, i * stride);
        const double r = samples_.effort(row, i * stride) - predicted;
        size += predicted * predicted;
        joint_before += r * r;
        joint_after += std::pow(r + gravity_efforts(row, i), 2);
      }
      before += joint_before / size;
      after += joint_after / size;
    }
    return before > 0.0 ? after / before : 1.0;
  }

  /// No hardware compensates a gravity that its motors can't hold: then the model is wrong.
  [[nodiscard]] std::string without_gravity() const {
    const double left = left_by_gravity();
    if (left > kLeftByGravity) return {};
    const Index stride = std::max<Index>(1, samples_.size() / kMostForHints);
    if (effort_excess(model_, samples_, gravity(stride)).times > kImpossibleEffort) return {};
    return "the efforts do not include gravity (" + rounded_text(std::round(100.0 * (1.0 - left))) +
           " % of the residual): does the hardware compensate gravity itself? Then set "
           "compensated_by_hardware: [gravity].";
  }

  const Model& model_;
  const LogSamples& samples_;
  const LogComparison& comparison_;
};

}  // namespace

std::string log_fault(const Model& model, const LogSamples& samples,
                      const LogComparison& comparison) {
  const bool any = std::any_of(comparison.joints.begin(), comparison.joints.end(),
                               [](const JointResidual& joint) { return joint.is_unexplained(); });
  return any ? Faults(model, samples, comparison).find() : std::string();
}

}  // namespace spatial_dynamics
