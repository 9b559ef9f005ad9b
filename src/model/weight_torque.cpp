#include "spatial_dynamics/model/weight_torque.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <random>
#include <vector>

#include "spatial_dynamics/model/configuration.hpp"
#include "support/text.hpp"

namespace spatial_dynamics {
namespace {

constexpr int kPoses = 256;
constexpr std::size_t kStarts = 6;  // of the ascent, per coordinate: its worst poses
constexpr int kRounds = 8;
constexpr double kReach = 1.0;                 // m: of prismatic joints without limits
constexpr double kWrongEffort = 2.0;           // times the limit: probably an error in the URDF
constexpr std::size_t kMostWork = 10'000'000;  // joints passed: about a second

/// A coordinate that the search may move.
struct Axis {
  Index joint = 0;
  Index q = 0;
  double lower = 0.0, upper = 0.0;
  bool turns = false;  // the torque is a sinusoid of it
};

/// A coordinate whose torque is to become large, and what changes it.
struct Target {
  Index k = 0;
  std::vector<std::size_t> starts;  // seeds, the worst first
  std::vector<Index> bodies;        // on the way from the base to its joints, or beyond them
  std::vector<Axis> axes;           // of those bodies
};

class Search {
 public:
  /// `loads` has one inertia per body, in the body's frame.
  Search(const Model& model, std::vector<Inertia> loads, const Vector3& gravity)
      : model_(model),
        loads_(std::move(loads)),
        carries_(loads_.size(), false),
        X_(loads_.size()),
        g_(loads_.size(), gravity),
        f_(loads_.size()),
        tau_(VectorXd::Zero(model.nv())),
        worst_(tau_) {
    for (Index i = model.body_count() - 1; i > 0; --i) {
      if (loads_[to_size(i)].mass > 0.0) carries_[to_size(i)] = true;
      if (carries_[to_size(i)]) carries_[to_size(model.parent(i))] = true;
    }
    for (Index i = 1; i < model.body_count(); ++i) {
      if (carries_[to_size(i)]) bodies_.push_back(i);
    }
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
    std::vector<Target> targets;
    for (Index k = 0; k < model_.nv(); ++k) {
      if (worst_(k) > 0.0) targets.push_back(target_of(k));
    }
    for (std::size_t n = 0; n < kStarts; ++n) {
      for (const Target& target : targets) {
        if (work_ < kMostWork) ascend(target, target.starts[n]);
      }
    }
    return (worst_.array() > rounding()).select(worst_, 0.0);
  }

 private:
  /// The rounding error of a torque that is zero, such as that of a vertical axis.
  double rounding() const {
    double mass = 0.0;
    for (const Inertia& load : loads_) mass += load.mass;
    return 1e-12 * mass * g_[0].norm();  // at 1 m
  }

  void find_axes() {
    std::vector<bool> moves_load(carries_.size(), false);
    for (const Index i : bodies_) {
      const Joint& joint = model_.joint(i);
      moves_load[to_size(joint.is_mimic() ? joint.mimics : i)] = true;
    }
    for (const Index i : model_.coordinate_joints()) {
      const Joint& joint = model_.joint(i);
      // The position of a base moves no lever, and its attitude is not searched.
      if (!moves_load[to_size(i)] || joint.type == JointType::kFloating) continue;
      const bool prismatic = joint.type == JointType::kPrismatic;
      const bool free = !std::isfinite(joint.limits.lower + joint.limits.upper);
      const double reach = prismatic ? kReach : M_PI;
      const Index angle = joint.q_index + (joint.type == JointType::kPlanar ? 2 : 0);
      axes_.push_back({i, angle, free ? -reach : joint.limits.lower,
                       free ? reach : joint.limits.upper, !prismatic});
    }
  }

  /// tau_ = the weight of the loads of some bodies at q, seen by their joints. `bodies` has their
  /// parents, and parents come first.
  void evaluate(const VectorXd& q, const std::vector<Index>& bodies) {
    work_ += bodies.size();
    for (const Index i : bodies) {
      const std::size_t n = to_size(i);
      X_[n] = parent_to_child(model_.joint(i), q);
      g_[n] = X_[n].E * g_[to_size(model_.parent(i))];
      // The weight at the centre of mass, moved to the body's origin: moment c x m g = h x g.
      f_[n] = Force(loads_[n].h.cross(g_[n]), loads_[n].mass * g_[n]);
    }
    tau_.setZero();
    for (std::size_t n = bodies.size(); n-- > 0;) {
      const Index i = bodies[n];
      const Joint& joint = model_.joint(i);
      const Force& f = f_[to_size(i)];
      tau_.segment(joint.v_index, joint.nv) += joint.ratio * (joint.S.transpose() * f.vector());
      if (joint.parent != 0) f_[to_size(joint.parent)] += X_[to_size(i)].apply_transpose(f);
    }
  }

  void note(const VectorXd& q) {
    evaluate(q, bodies_);
    seeds_.push_back(q);
    torques_.emplace_back(tau_.cwiseAbs());
    worst_ = worst_.cwiseMax(torques_.back());
  }

  /// The seeds with the largest torques of coordinate k, the largest first.
  std::vector<std::size_t> starts_of(Index k) const {
    std::vector<std::size_t> order(seeds_.size());
    std::iota(order.begin(), order.end(), std::size_t{0});
    std::partial_sort(
        order.begin(), order.begin() + kStarts, order.end(),
        [this, k](std::size_t a, std::size_t b) { return torques_[a](k) > torques_[b](k); });
    order.resize(kStarts);
    return order;
  }

  double at(VectorXd& q, const Axis& axis, double position, const Target& target) {
    q(axis.q) = position;
    evaluate(q, target.bodies);
    return tau_(target.k);
  }

  /// Moves one axis to the position where the target's torque is largest. `largest` is its
  /// magnitude, before and after.
  void move(VectorXd& q, const Axis& axis, const Target& target, double& largest) {
    const double present = q(axis.q);
    std::vector<double> candidates = {axis.lower, axis.upper};
    if (axis.turns) candidates = {largest_of_sinusoid(q, axis, target)};
    double best = present;
    for (const double x : candidates) {
      const double torque = std::abs(at(q, axis, x, target));
      if (torque <= largest) continue;
      largest = torque;
      best = x;
    }
    q(axis.q) = best;
  }

  /// The position within the limits at which |a + b cos(x) + c sin(x)| is largest, from three
  /// values a third of a turn apart.
  double largest_of_sinusoid(VectorXd& q, const Axis& axis, const Target& target) {
    const double third = 2.0 * M_PI / 3.0;
    const double t0 = at(q, axis, 0.0, target), t1 = at(q, axis, third, target),
                 t2 = at(q, axis, -third, target);
    const double a = (t0 + t1 + t2) / 3.0, b = (2.0 * t0 - t1 - t2) / 3.0,
                 c = (t1 - t2) / std::sqrt(3.0);
    double best = axis.lower, largest = -1.0;
    const auto try_position = [&](double x) {
      const double torque = std::abs(a + b * std::cos(x) + c * std::sin(x));
      if (torque <= largest) return;
      largest = torque;
      best = x;
    };
    try_position(axis.lower);
    try_position(axis.upper);
    const double peak = std::atan2(c, b);  // and opposite
    for (int half_turns = -5; half_turns <= 5; ++half_turns) {
      const double x = peak + half_turns * M_PI;
      if (x > axis.lower && x < axis.upper) try_position(x);
    }
    return best;
  }

  Target target_of(Index k) {
    Target target;
    target.k = k;
    target.starts = starts_of(k);
    std::vector<bool> is_near(carries_.size(), false);
    work_ += bodies_.size();
    for (const Index i : bodies_) {
      const Joint& joint = model_.joint(i);
      if (k >= joint.v_index && k < joint.v_index + joint.nv) is_near[to_size(i)] = true;
    }
    std::vector<bool> is_beyond = is_near;
    for (const Index i : bodies_) {
      if (is_beyond[to_size(model_.parent(i))]) is_beyond[to_size(i)] = true;
    }
    for (std::size_t n = bodies_.size(); n-- > 0;) {
      if (is_near[to_size(bodies_[n])]) is_near[to_size(model_.parent(bodies_[n]))] = true;
    }
    std::vector<bool> moves(carries_.size(), false);
    for (const Index i : bodies_) {
      if (!is_near[to_size(i)] && !is_beyond[to_size(i)]) continue;
      target.bodies.push_back(i);
      const Joint& joint = model_.joint(i);
      moves[to_size(joint.is_mimic() ? joint.mimics : i)] = true;
    }
    for (const Axis& axis : axes_) {
      if (moves[to_size(axis.joint)]) target.axes.push_back(axis);
    }
    return target;
  }

  void ascend(const Target& target, std::size_t seed) {
    VectorXd q = seeds_[seed];
    double torque = torques_[seed](target.k);
    for (int round = 0; round < kRounds && work_ < kMostWork; ++round) {
      const double before = torque;
      for (const Axis& axis : target.axes) move(q, axis, target, torque);
      if (torque <= before * (1.0 + 1e-9)) break;
    }
    worst_(target.k) = std::max(worst_(target.k), torque);
  }

  const Model& model_;
  const std::vector<Inertia> loads_;
  std::vector<bool> carries_;  // per body: it or a body beyond it has a load
  std::vector<Index> bodies_;  // those, without the base
  std::vector<Transform> X_;   // per body
  std::vector<Vector3> g_;     // gravity in the body's frame
  std::vector<Force> f_;       // the weight of the body and of those beyond it
  std::vector<Axis> axes_;
  VectorXd tau_, worst_;
  std::vector<VectorXd> seeds_;
  std::vector<VectorXd> torques_;  // per seed: magnitudes
  std::size_t work_ = 0;
};

/// "to hold the robot's own weight it needs up to 70 N m, and its effort limit is 50 N m"
std::string too_heavy(const std::string& weight, const std::string& limit) {
  return "to hold the robot's own weight it needs up to " + weight + ", and its effort limit is " +
         limit;
}

}  // namespace

VectorXd worst_weight_torque(const Model& model, Index link, const Inertia& payload,
                             const Vector3& gravity) {
  std::vector<Inertia> loads(to_size(model.body_count()), Inertia::Zero());
  loads[to_size(model.link(link).body)] = to_parent(model.link(link).placement, payload);
  return Search(model, std::move(loads), gravity).run();
}

VectorXd worst_weight_torque(const Model& model) {
  std::vector<Inertia> loads;
  for (Index i = 0; i < model.body_count(); ++i) loads.push_back(model.inertia(i));
  return Search(model, std::move(loads), model.gravity()).run();
}

void add_weights(const Model& model, ModelReport& report) {
  const VectorXd torque = worst_weight_torque(model);
  for (CoordinateEntry& entry : report.joints) {
    const Index i = model.find_joint(entry.name);
    if (i == kNoIndex || model.joint(i).nv != 1) continue;
    entry.weight = torque(model.joint(i).v_index);
    const double limit = entry.limits.effort;
    // A limit of 0 is a finding of its own.
    if (!(*entry.weight > limit) || limit == 0.0) continue;
    const std::string unit = entry.type == JointType::kPrismatic ? " N" : " N m";
    const bool is_wrong = *entry.weight > kWrongEffort * limit;
    report.findings.push_back(
        {FindingCode::kWeightExceedsEffort, is_wrong ? Severity::kWarning : Severity::kInfo,
         joint_element(entry.name),
         too_heavy(rounded_text(*entry.weight) + unit, rounded_text(limit) + unit),
         "correct masses, lengths or <limit effort=\"...\">; if they are right, avoid such poses, "
         "unless a spring or a counterweight carries the weight"});
  }
}

}  // namespace spatial_dynamics
