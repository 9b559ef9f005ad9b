#include "runtime/payload_weight.hpp"

#include <algorithm>
#include <cmath>
#include <random>
#include <vector>

#include "spatial_dynamics/model/configuration.hpp"
#include "spatial_dynamics/model/coordinates.hpp"

namespace spatial_dynamics {
namespace {

constexpr int kPoses = 64;
constexpr int kRounds = 8;
constexpr double kReach = 1.0;                 // m: of prismatic joints without limits
constexpr std::size_t kMostWork = 20'000'000;  // joints passed: some seconds

/// A coordinate that the search may move.
struct Axis {
  Index q = 0;
  double lower = 0.0, upper = 0.0;
  bool turns = false;  // the torque is a sinusoid of it
};

class Search {
 public:
  Search(const Model& model, Index link, const Inertia& payload, const Vector3& gravity)
      : model_(model),
        link_(model.link(link)),
        payload_(payload),
        gravity_(gravity),
        tau_(VectorXd::Zero(model.nv())),
        worst_(tau_),
        poses_(static_cast<std::size_t>(model.nv())) {
    for (Index i = link_.body; i != 0; i = model.parent(i)) chain_.push_back(i);
    std::reverse(chain_.begin(), chain_.end());
    X_.resize(chain_.size());
    find_axes();
  }

  VectorXd run() {
    VectorXd q = neutral_configuration(model_);
    for (const Axis& axis : axes_) q(axis.q) = std::clamp(0.0, axis.lower, axis.upper);
    note(q);
    std::mt19937 random(1);  // the same poses every time
    for (int i = 0; i < kPoses; ++i) {
      for (const Axis& axis : axes_) {
        const double share = static_cast<double>(random()) / std::mt19937::max();
        q(axis.q) = axis.lower + share * (axis.upper - axis.lower);
      }
      note(q);
    }
    for (Index k = 0; k < model_.nv(); ++k) ascend(k);
    return worst_;
  }

 private:
  void find_axes() {
    for (const ScalarCoordinate& c : scalar_coordinates(model_)) {
      const Joint& joint = model_.joint(c.joint);
      const bool prismatic = joint.type == JointType::kPrismatic;
      if (joint.type == JointType::kPlanar && !c.wraps) continue;  // x and y move no lever
      const bool free = c.wraps || !std::isfinite(joint.limits.lower + joint.limits.upper);
      const double reach = prismatic ? kReach : M_PI;
      const bool moves_payload = std::any_of(chain_.begin(), chain_.end(), [&](Index i) {
        return i == c.joint || model_.joint(i).mimics == c.joint;
      });
      if (!moves_payload) continue;
      axes_.push_back(
          {c.q, free ? -reach : joint.limits.lower, free ? reach : joint.limits.upper, !prismatic});
    }
  }

  /// tau_ = the payload's weight at q, seen by the joints.
  void evaluate(const VectorXd& q) {
    work_ += chain_.size();
    Vector3 g = gravity_;
    for (std::size_t n = 0; n < chain_.size(); ++n) {
      X_[n] = parent_to_child(model_.joint(chain_[n]), q);
      g = X_[n].E * g;
    }
    g = link_.placement.E * g;
    // The weight at the centre of mass, moved to the link's origin: moment c x m g = h x g.
    Force f = link_.placement.apply_transpose(Force(payload_.h.cross(g), payload_.mass * g));
    tau_.setZero();
    for (std::size_t n = chain_.size(); n-- > 0;) {
      const Joint& joint = model_.joint(chain_[n]);
      tau_.segment(joint.v_index, joint.nv) += joint.ratio * (joint.S.transpose() * f.vector());
      f = X_[n].apply_transpose(f);
    }
  }

  void note(const VectorXd& q) {
    evaluate(q);
    for (Index k = 0; k < tau_.size(); ++k) {
      if (std::abs(tau_(k)) <= worst_(k)) continue;
      worst_(k) = std::abs(tau_(k));
      poses_[static_cast<std::size_t>(k)] = q;
    }
  }

  double at(VectorXd& q, const Axis& axis, double position, Index k) {
    q(axis.q) = position;
    evaluate(q);
    return tau_(k);
  }

  /// The best position of one axis for the torque of coordinate k.
  void move(VectorXd& q, const Axis& axis, Index k) {
    const double present = q(axis.q);
    std::vector<double> candidates = {axis.lower, axis.upper};
    if (axis.turns) {
      // a + b cos(x) + c sin(x) from three values a third of a turn apart; its extremes are at
      // atan2(c, b) and opposite.
      const double third = 2.0 * M_PI / 3.0;
      const double t0 = at(q, axis, 0.0, k), t1 = at(q, axis, third, k),
                   t2 = at(q, axis, -third, k);
      const double b = (2.0 * t0 - t1 - t2) / 3.0, c = (t1 - t2) / std::sqrt(3.0);
      const double peak = std::atan2(c, b);
      for (int half_turns = -5; half_turns <= 5; ++half_turns) {
        const double x = peak + half_turns * M_PI;
        if (x > axis.lower && x < axis.upper) candidates.push_back(x);
      }
    }
    double best = present, largest = worst_(k);
    for (const double x : candidates) {
      const double torque = std::abs(at(q, axis, x, k));
      if (torque <= largest) continue;
      largest = torque;
      best = x;
    }
    q(axis.q) = best;
    worst_(k) = largest;
  }

  void ascend(Index k) {
    VectorXd q = poses_[static_cast<std::size_t>(k)];
    if (q.size() == 0) return;  // the weight never acts on it
    for (int round = 0; round < kRounds && work_ < kMostWork; ++round) {
      const double before = worst_(k);
      for (const Axis& axis : axes_) move(q, axis, k);
      if (worst_(k) <= before * (1.0 + 1e-9)) return;
    }
  }

  const Model& model_;
  const Link& link_;
  const Inertia payload_;
  const Vector3 gravity_;
  std::vector<Index> chain_;  // bodies from the base to the link
  std::vector<Transform> X_;
  std::vector<Axis> axes_;
  VectorXd tau_, worst_;
  std::vector<VectorXd> poses_;  // at which worst_ was found
  std::size_t work_ = 0;
};

}  // namespace

VectorXd worst_weight_torque(const Model& model, Index link, const Inertia& payload,
                             const Vector3& gravity) {
  return Search(model, link, payload, gravity).run();
}

}  // namespace spatial_dynamics
