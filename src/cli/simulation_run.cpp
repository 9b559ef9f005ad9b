#include "simulation_run.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <stdexcept>
#include <utility>

#include "spatial_dynamics/algorithms/configuration.hpp"
#include "spatial_dynamics/algorithms/energy.hpp"
#include "spatial_dynamics/algorithms/forward_dynamics.hpp"

namespace spatial_dynamics::cli {
namespace {

// Share of the largest kinetic energy (of a floating robot's motion about its centre of mass) that a motion may gain before its steps are called too long.
constexpr double kTooMuchEnergy = 0.01;
constexpr double kLeastSpan = 1e-6;  // rad, m, N m: what is less is rounding and fills no picture

/// How far each number of v may move a robot is an angle or a length: what it is called, and its unit.
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
  add("a", true);
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
    // The same rule has other names here.
    std::string text = error.what();
    const auto translate = [&text](const std::string& from, const std::string& to) {
      const std::size_t at = text.find(from);
      if (at != std::string::npos) text.replace(at, from.size(), to);
    };
    translate("parameter 'initial_position'", "--position");
    translate("set 'joint_stops' to false", "give --no-stops");
    throw std::invalid_argument(text);
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
      effort_(VectorXd::Zero(simulator_.model().nv())),
      q_before_(simulator_.q()),
      moved_(VectorXd::Zero(simulator_.model().nv())),
      squares_(moved_),
      largest_(moved_) {
  if (!(setup.dt > 0.0) || !(setup.seconds >= setup.dt)) {
    throw std::invalid_argument("--seconds is shorter than --dt; simulate at least one step.");
  }
  name_errors(simulator_.model(), error_names_, error_units_);
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
    const VectorXd& wanted = controller_.effort(time, simulator_.q(), simulator_.v());
    effort_ = wanted.cwiseMax(-simulator_.effort_limit()).cwiseMin(simulator_.effort_limit());
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
    note_efforts();
    summary_.loses_energy = summary_.loses_energy || at_a_stop();
    progress(static_cast<double>(k + 1) / static_cast<double>(steps));
  }
  summary_.energy_at_end = simulator_.energy();
  const double gained = summary_.energy_at_end - summary_.energy_at_start - summary_.work;
  const double rounding = 1e-9 * (1.0 + std::abs(summary_.energy_at_start));
  summary_.steps_too_long = (summary_.loses_energy ? gained : summary_.largest_drift) >
                            kTooMuchEnergy * summary_.largest_inner + rounding;
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
  return summary_;
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
  // What the efforts make of the state, but for stops: with it a row is exact for identify and replay.
  add(forward_dynamics(model, data_, q, simulator_.v(), effort));
  add(effort);
  if (setup_.controller == Controller::kComputedTorque) add(controller_.reference());
  row_.insert(row_.end(), {kinetic, potential});
  history_.add(time_s, row_);
  summary_.largest_kinetic = std::max(summary_.largest_kinetic, kinetic);
  // Whoever falls soon has more energy than all that the joints do, and no integrator errs in that.
  double inner = kinetic;
  if (has_floating_base(model)) {
    const Force momentum = centroidal_momentum(model, data_, q, simulator_.v());
    inner -= 0.5 * momentum.force.squaredNorm() / model.total_mass();
  }
  summary_.largest_inner = std::max(summary_.largest_inner, inner);
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

const char* SimulationRun::position_unit() const noexcept {
  bool angles = false, lengths = false;
  const Model& model = simulator_.model();
  for (const Index i : model.coordinate_joints()) {
    const JointType type = model.joint(i).type;
    lengths = lengths || type == JointType::kPrismatic || type == JointType::kPlanar;
    angles = angles || (type != JointType::kPrismatic && type != JointType::kFloating);
  }
  return angles == lengths ? "rad or m" : angles ? "rad" : "m";
}

std::vector<Panel> SimulationRun::panels() const {
  const Model& model = simulator_.model();
  Panel positions{std::string("positions, ") + position_unit(), {}, kLeastSpan},
      bases{"base position, m", {}, kLeastSpan},
      turns{"base orientation, quaternion", {}, kLeastSpan};
  const bool follows = setup_.controller == Controller::kComputedTorque;
  const std::vector<std::string> positions_of = coordinate_names(model, false);
  for (const Index i : model.coordinate_joints()) {
    const Joint& joint = model.joint(i);
    for (Index k = 0; k < joint.nq; ++k) {
      const std::string& name = positions_of[static_cast<std::size_t>(joint.q_index + k)];
      Panel& panel = joint.type != JointType::kFloating ? positions : k < 3 ? bases : turns;
      panel.curves.push_back({history_.find("q:" + name), name});
      if (follows) panel.curves.push_back({history_.find("reference:" + name), "asked for", true});
    }
  }
  const std::string unit = position_unit();
  Panel efforts{unit == "rad" ? "efforts, N m"
                : unit == "m" ? "efforts, N"
                              : "efforts, N m or N",
                {},
                kLeastSpan};
  const std::vector<std::string> names = coordinate_names(model, true);
  for (const Index i : model.coordinate_joints()) {
    const Joint& joint = model.joint(i);
    if (joint.type == JointType::kFloating) continue;  // has no motor
    for (Index k = joint.v_index; k < joint.v_index + joint.nv; ++k) {
      const std::string& name = names[static_cast<std::size_t>(k)];
      efforts.curves.push_back({history_.find("effort:" + name), name});
    }
  }
  Panel energies{"energies, J",
                 {{history_.find("kinetic_energy"), "kinetic"},
                  {history_.find("potential_energy"), "potential"}}};
  std::vector<Panel> drawn;
  for (Panel* panel : {&positions, &bases, &turns}) {
    if (panel->curves.empty()) continue;
    std::stable_partition(panel->curves.begin(), panel->curves.end(),
                          [](const Curve& curve) { return !curve.dashed; });
    drawn.push_back(std::move(*panel));
  }
  if (setup_.controller != Controller::kNone) drawn.push_back(std::move(efforts));
  drawn.push_back(std::move(energies));
  return drawn;
}

}  // namespace spatial_dynamics::cli
