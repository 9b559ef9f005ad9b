#include "simulation/simulation_run.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <stdexcept>
#include <utility>

#include "spatial_dynamics/dynamics/energy.hpp"
#include "spatial_dynamics/dynamics/forward_dynamics.hpp"
#include "spatial_dynamics/model/configuration.hpp"

namespace spatial_dynamics {
namespace {

// Shares of the energy that a motion exchanges: the largest kinetic energy (for a floating robot,
// of the motion about its centre of mass) plus the range of the potential energy. If the
// integration adds more than the first one, the steps are too long; more than the second one, the
// motion is wrong.
constexpr double kTooMuchEnergy = 0.01, kWrongEnergy = 0.1;

/// Name and unit, rad or m, of the distance along each number of v.
void name_errors(const Model& model, std::vector<std::string>& names,
                 std::vector<std::string>& units) {
  constexpr std::array<const char*, 3> kPlanar{"x", "y", "theta"};
  constexpr std::array<const char*, 6> kFloating{
      "turn about x", "turn about y", "turn about z", "x", "y", "z"};
  for (const Index i : model.coordinate_joints()) {
    const Joint& joint = model.joint(i);
    for (std::size_t k = 0; k < to_size(joint.nv); ++k) {
      const bool planar = joint.type == JointType::kPlanar;
      const bool floating = joint.type == JointType::kFloating;
      const bool length =
          joint.type == JointType::kPrismatic || (planar && k < 2) || (floating && k >= 3);
      units.emplace_back(length ? "m" : "rad");
      names.push_back(joint.name);
      if (planar) names.back().append("/").append(kPlanar[k]);
      if (floating) names.back().append("/").append(kFloating[k]);
    }
  }
}

std::vector<std::string> columns_of(const Model& model, ControllerKind controller) {
  std::vector<std::string> columns;
  const auto add = [&](const std::string& kind, bool velocities) {
    for (const std::string& name : coordinate_names(model, velocities)) {
      columns.push_back(kind);
      columns.back().append(":").append(name);
    }
  };
  add("q", false);
  add("v", true);
  add("a", true);
  add("effort", true);
  if (controller == ControllerKind::kComputedTorque) add("reference", false);
  columns.insert(columns.end(), {"kinetic_energy", "potential_energy"});
  return columns;
}

bool has_friction(const Model& model) {
  for (Index i = 1; i < model.body_count(); ++i) {
    if (model.joint(i).damping != 0.0 || model.joint(i).friction != 0.0) return true;
  }
  return false;
}

SimulatorOptions options_of(const SimulationSetup& setup) {
  SimulatorOptions options;
  options.integrator = setup.integrator;
  options.substeps = 1;
  options.joint_stops = setup.joint_stops;
  options.saturate_effort = true;
  return options;
}

}  // namespace

std::vector<std::string> coordinate_names(const Model& model, bool velocities) {
  constexpr std::array<const char*, 3> kPlanar{"x", "y", "theta"};
  constexpr std::array<const char*, 7> kPose{"x", "y", "z", "qx", "qy", "qz", "qw"};
  constexpr std::array<const char*, 6> kTwist{"wx", "wy", "wz", "vx", "vy", "vz"};
  std::vector<std::string> names;
  for (const Index i : model.coordinate_joints()) {
    const Joint& joint = model.joint(i);
    const auto add_parts = [&](const auto& parts) {
      for (const char* const part : parts) names.push_back(joint.name + "/" + part);
    };
    if (joint.type == JointType::kPlanar) {
      add_parts(kPlanar);
    } else if (joint.type != JointType::kFloating) {
      names.push_back(joint.name);
    } else if (velocities) {
      add_parts(kTwist);
    } else {
      add_parts(kPose);
    }
  }
  return names;
}

SimulationRun::SimulationRun(Model model, const SimulationSetup& setup, const VectorXd& q,
                             const VectorXd& v)
    : setup_(setup),
      simulator_(std::move(model), options_of(setup)),
      controller_(setup.controller_model ? *setup.controller_model : simulator_.model(),
                  setup.controller, q, setup.reference),
      data_(simulator_.model(), Dense::kMassMatrix),
      history_(columns_of(simulator_.model(), setup.controller)),
      effort_(VectorXd::Zero(simulator_.model().nv())),
      q_before_(simulator_.q()),
      moved_(VectorXd::Zero(simulator_.model().nv())),
      squares_(moved_),
      largest_(moved_),
      q_start_(q),
      amplitude_(moved_) {
  if (!(setup.dt > 0.0) || !(setup.seconds >= setup.dt)) {
    throw std::invalid_argument("A simulation must last for at least one step.");
  }
  name_errors(simulator_.model(), error_names_, error_units_);
  simulator_.reset(q, v);
}

SimulationSummary SimulationRun::run(const std::function<void(double share)>& progress) {
  const auto steps = static_cast<std::size_t>(std::llround(setup_.seconds / setup_.dt));
  summary_ = {};
  lowest_change_ = 0.0;
  lowest_potential_ = highest_potential_ =
      potential_energy(simulator_.model(), data_, simulator_.q());
  summary_.energy_at_start = simulator_.energy();
  summary_.loses_energy = has_friction(simulator_.model());
  for (std::size_t k = 0;; ++k) {
    // k dt rather than a sum of dt, which would accumulate rounding errors.
    const double time = static_cast<double>(k) * setup_.dt;
    const VectorXd& requested = controller_.effort(time, simulator_.q(), simulator_.v());
    effort_ = requested.cwiseMax(-simulator_.effort_limit()).cwiseMin(simulator_.effort_limit());
    summary_.time_s = time;
    summary_.steps = k;
    record(time, effort_);
    if (k == steps) break;
    q_before_ = simulator_.q();
    if (!simulator_.step(setup_.dt, effort_)) {
      summary_.broke_off = true;
      break;
    }
    // Efforts are constant within a step, so their work is exact.
    difference(simulator_.model(), q_before_, simulator_.q(), moved_);
    summary_.work += simulator_.effort().dot(moved_);
    update_effort_share();
    if (is_at_stop()) {
      summary_.loses_energy = true;
      lowest_change_ = kUnlimited;  // an impact within a step may also add energy
    }
    progress(static_cast<double>(k + 1) / static_cast<double>(steps));
  }
  summary_.energy_at_end = simulator_.energy();
  const double rounding = 1e-9 * (1.0 + std::abs(summary_.energy_at_start));
  const double added = summary_.loses_energy ? summary_.largest_gain : summary_.largest_drift;
  // The fall of a floating robot as a whole is not part of its motion.
  const double lifted =
      has_floating_base(simulator_.model()) ? 0.0 : highest_potential_ - lowest_potential_;
  const double exchanged = summary_.largest_inner + lifted;
  summary_.energy_error = added;
  summary_.steps_too_long = added > kTooMuchEnergy * exchanged + rounding;
  summary_.diverged = summary_.broke_off || added > kWrongEnergy * exchanged + rounding;
  squares_ /= static_cast<double>(history_.rows());
  if (squares_.size() > 0) {
    Index worst = 0;
    summary_.tracking_rms = std::sqrt(squares_.maxCoeff(&worst));
    summary_.rms_joint = error_names_[to_size(worst)];
    summary_.rms_unit = error_units_[to_size(worst)];
    summary_.tracking_max = largest_.maxCoeff(&worst);
    summary_.max_joint = error_names_[to_size(worst)];
    summary_.max_unit = error_units_[to_size(worst)];
  }
  judge_controller();
  return summary_;
}

void SimulationRun::judge_controller() {
  if (setup_.controller != ControllerKind::kComputedTorque) return;
  summary_.damping_per_step = JointController::kKd * setup_.dt;
  double amplitude = 0.0;  // of the coordinates with the same unit as the largest error
  for (std::size_t k = 0; k < error_units_.size(); ++k) {
    const double distance = amplitude_[static_cast<Index>(k)];
    summary_.reference_moves = summary_.reference_moves || distance > 0.0;
    if (error_units_[k] == summary_.max_unit) amplitude = std::max(amplitude, distance);
  }
  summary_.lost_reference = summary_.reference_moves && summary_.largest_effort_share >= 1.0 &&
                            summary_.tracking_max > amplitude;
}

void SimulationRun::record(double time_s, const VectorXd& effort) {
  const Model& model = simulator_.model();
  const VectorXd& q = simulator_.q();
  const double kinetic = kinetic_energy(model, data_, q, simulator_.v());
  const double potential = potential_energy(model, data_, q);
  row_.clear();
  const auto add = [this](const VectorXd& values) {
    row_.insert(row_.end(), values.begin(), values.end());
  };
  add(q);
  add(simulator_.v());
  // The acceleration that the efforts cause, without stops: it makes each row exact for identify
  // and replay.
  add(forward_dynamics(model, data_, q, simulator_.v(), effort));
  add(effort);
  if (setup_.controller == ControllerKind::kComputedTorque) add(controller_.reference());
  row_.insert(row_.end(), {kinetic, potential});
  history_.add(time_s, row_);
  summary_.largest_kinetic = std::max(summary_.largest_kinetic, kinetic);
  // Free fall soon has more energy than the motion of the joints, and is integrated without error.
  double inner = kinetic;
  if (has_floating_base(model)) {
    const Force momentum = centroidal_momentum(model, data_, q, simulator_.v());
    inner -= 0.5 * momentum.force.squaredNorm() / model.total_mass();
  }
  summary_.largest_inner = std::max(summary_.largest_inner, inner);
  const double change = kinetic + potential - summary_.energy_at_start - summary_.work;
  summary_.largest_drift = std::max(summary_.largest_drift, std::abs(change));
  lowest_change_ = std::min(lowest_change_, change);
  lowest_potential_ = std::min(lowest_potential_, potential);
  highest_potential_ = std::max(highest_potential_, potential);
  summary_.largest_gain = std::max({summary_.largest_gain, change, change - lowest_change_});
  update_tracking_errors();
}

void SimulationRun::update_tracking_errors() {
  difference(simulator_.model(), simulator_.q(), controller_.reference(), moved_);
  squares_ += moved_.cwiseAbs2();
  largest_ = largest_.cwiseMax(moved_.cwiseAbs());
  difference(simulator_.model(), q_start_, controller_.reference(), moved_);
  amplitude_ = amplitude_.cwiseMax(moved_.cwiseAbs());
}

void SimulationRun::update_effort_share() {
  const Model& model = simulator_.model();
  for (const Index i : model.coordinate_joints()) {
    const Joint& joint = model.joint(i);
    if (!(joint.limits.effort > 0.0) || std::isinf(joint.limits.effort)) continue;
    const double effort =
        simulator_.effort().segment(joint.v_index, joint.nv).cwiseAbs().maxCoeff();
    summary_.largest_effort_share =
        std::max(summary_.largest_effort_share, effort / joint.limits.effort);
  }
}

bool SimulationRun::is_at_stop() const noexcept {
  if (!setup_.joint_stops) return false;
  constexpr double kTouching = 1e-9;  // rad or m: a stop holds a joint to rounding
  const Model& model = simulator_.model();
  for (Index i = 1; i < model.body_count(); ++i) {
    const Joint& joint = model.joint(i);
    if (joint.type != JointType::kRevolute && joint.type != JointType::kPrismatic) continue;
    const double q = joint.ratio * simulator_.q()[joint.q_index] + joint.offset;
    if (q < joint.limits.lower + kTouching || q > joint.limits.upper - kTouching) return true;
  }
  return false;
}

}  // namespace spatial_dynamics
