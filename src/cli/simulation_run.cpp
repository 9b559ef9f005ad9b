#include "simulation_run.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <stdexcept>
#include <utility>

#include "spatial_dynamics/algorithms/configuration.hpp"
#include "spatial_dynamics/algorithms/energy.hpp"

namespace spatial_dynamics::cli {
namespace {

/// Names of the numbers of q (or v) in their order: the joint's, or JOINT/x and so on for a joint with several.
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

std::vector<std::string> columns_of(const Model& model, Controller controller) {
  std::vector<std::string> columns;
  const auto add = [&](const std::string& kind, bool velocities) {
    for (const std::string& name : coordinate_names(model, velocities)) {
      columns.push_back(kind);
      columns.back().append(":").append(name);
    }
  };
  add("q", false);
  add("v", true);
  add("effort", true);
  if (controller == Controller::kComputedTorque) add("reference", false);
  columns.insert(columns.end(), {"kinetic_energy", "potential_energy"});
  return columns;
}

VectorXd start_of(const Model& model, const SimulationSetup& setup) {
  SimulatorConfig config;
  config.initial_position = setup.position;
  config.joint_stops = setup.joint_stops;
  try {
    return resolve_initial_position(config, model);
  } catch (const ParameterError& error) {
    throw std::invalid_argument(std::string("--position: ") + error.what());
  }
}

VectorXd velocity_of(const Model& model, const std::vector<double>& given) {
  VectorXd v = VectorXd::Zero(model.nv());
  if (given.empty()) return v;
  const std::vector<ScalarCoordinate> coordinates = scalar_coordinates(model);
  if (given.size() != 1 && given.size() != coordinates.size()) {
    throw std::invalid_argument("--velocity has " + std::to_string(given.size()) +
                                " numbers; give one for all or one for each of the " +
                                std::to_string(coordinates.size()) + " coordinates.");
  }
  for (std::size_t k = 0; k < coordinates.size(); ++k) {
    v[coordinates[k].v] = given.size() == 1 ? given[0] : given[k];
  }
  return v;
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

SimulationRun::SimulationRun(Model model, const SimulationSetup& setup)
    : setup_(setup),
      simulator_(std::move(model), options_of(setup)),
      controller_(simulator_.model(), setup.controller, start_of(simulator_.model(), setup)),
      data_(simulator_.model()),
      history_(columns_of(simulator_.model(), setup.controller)),
      q_before_(simulator_.q()),
      moved_(VectorXd::Zero(simulator_.model().nv())),
      error_names_(coordinate_names(simulator_.model(), true)),
      squares_(moved_),
      largest_(moved_) {
  if (!(setup.dt > 0.0) || !(setup.seconds >= setup.dt)) {
    throw std::invalid_argument("The time to simulate must be at least one step.");
  }
  simulator_.reset(controller_.reference(), velocity_of(simulator_.model(), setup.velocity));
}

SimulationSummary SimulationRun::run(const std::function<void(double share)>& progress) {
  const auto steps = static_cast<std::size_t>(std::llround(setup_.seconds / setup_.dt));
  summary_ = {};
  summary_.energy_at_start = simulator_.energy();
  summary_.loses_energy = has_friction(simulator_.model());
  for (std::size_t k = 0;; ++k) {
    // k dt, not a sum of dt's, whose roundings add up.
    const double time = static_cast<double>(k) * setup_.dt;
    const VectorXd& effort = controller_.effort(time, simulator_.q(), simulator_.v());
    summary_.time_s = time;
    summary_.steps = k;
    record(time);
    if (k == steps) break;
    q_before_ = simulator_.q();
    if (!simulator_.step(setup_.dt, effort)) {
      summary_.broke_off = true;
      break;
    }
    // Efforts are constant within a step, so their work is exact.
    difference(simulator_.model(), q_before_, simulator_.q(), moved_);
    summary_.work += simulator_.effort().dot(moved_);
    note_efforts();
    summary_.loses_energy = summary_.loses_energy || at_a_stop();
    progress(static_cast<double>(k + 1) / static_cast<double>(steps));
  }
  summary_.energy_at_end = simulator_.energy();
  squares_ /= static_cast<double>(history_.rows());
  if (squares_.size() > 0) {
    Index worst = 0;
    summary_.tracking_rms = std::sqrt(squares_.maxCoeff(&worst));
    summary_.rms_joint = error_names_[to_size(worst)];
    summary_.tracking_max = largest_.maxCoeff(&worst);
    summary_.max_joint = error_names_[to_size(worst)];
  }
  return summary_;
}

void SimulationRun::record(double time_s) {
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
  add(simulator_.effort());
  if (setup_.controller == Controller::kComputedTorque) add(controller_.reference());
  row_.insert(row_.end(), {kinetic, potential});
  history_.add(time_s, row_);
  summary_.largest_kinetic = std::max(summary_.largest_kinetic, kinetic);
  summary_.largest_drift =
      std::max(summary_.largest_drift,
               std::abs(kinetic + potential - summary_.energy_at_start - summary_.work));
  note_errors();
}

void SimulationRun::note_errors() {
  difference(simulator_.model(), simulator_.q(), controller_.reference(), moved_);
  squares_ += moved_.cwiseAbs2();
  largest_ = largest_.cwiseMax(moved_.cwiseAbs());
}

void SimulationRun::note_efforts() {
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

bool SimulationRun::at_a_stop() const noexcept {
  if (!setup_.joint_stops) return false;
  constexpr double kNear = 1e-9;  // rad or m: a stop holds a joint to rounding
  const Model& model = simulator_.model();
  for (Index i = 1; i < model.body_count(); ++i) {
    const Joint& joint = model.joint(i);
    if (joint.type != JointType::kRevolute && joint.type != JointType::kPrismatic) continue;
    const double q = joint.ratio * simulator_.q()[joint.q_index] + joint.offset;
    if (q < joint.limits.lower + kNear || q > joint.limits.upper - kNear) return true;
  }
  return false;
}

std::vector<Panel> SimulationRun::panels() const {
  const Model& model = simulator_.model();
  Panel positions{"positions, rad or m", {}};
  const bool follows = setup_.controller == Controller::kComputedTorque;
  for (const std::string& name : coordinate_names(model, false)) {
    positions.curves.push_back({history_.find("q:" + name), name});
  }
  if (follows) {
    for (const std::string& name : coordinate_names(model, false)) {
      positions.curves.push_back({history_.find("reference:" + name), name + ", asked for", true});
    }
  }
  Panel efforts{"efforts, N m or N", {}};
  for (const std::string& name : coordinate_names(model, true)) {
    efforts.curves.push_back({history_.find("effort:" + name), name});
  }
  Panel energies{"energies, J",
                 {{history_.find("kinetic_energy"), "kinetic"},
                  {history_.find("potential_energy"), "potential"}}};
  if (setup_.controller == Controller::kNone) return {positions, energies};
  return {positions, efforts, energies};
}

}  // namespace spatial_dynamics::cli
