#include "spatial_dynamics/control/torque_controller.hpp"

#include <utility>

#include "control_cycle.hpp"
#include "sizes.hpp"
#include "spatial_dynamics/model/configuration.hpp"

namespace spatial_dynamics {
namespace {

/// The mass matrix has nv^2 numbers, so it has memory only if it is computed.
ControlOutput sized_output(const Model& model, const Coordinates& coordinates,
                           bool mass_matrix = false) {
  const VectorXd zero = VectorXd::Zero(model.nv());
  ControlOutput out;
  out.q = neutral_configuration(model);
  out.v = out.torque = out.drive = out.acceleration = out.external_torque = zero;
  out.terms = {zero, zero, zero, zero, zero};
  out.position_error = VectorXd::Zero(static_cast<Index>(coordinates.size()));
  if (mass_matrix) out.mass_matrix = MatrixXd::Zero(model.nv(), model.nv());
  return out;
}

}  // namespace

struct TorqueController::Parts {
  Parts(Model model, const ControlSettings& given)
      : cycle(std::move(model)),
        settings(given),
        joints(resolve_joint_settings(given, cycle.model())),
        gravity(cycle.model().gravity()),
        sizes(cycle.model(), cycle.coordinates()),
        missing(make_control_input(cycle.model(), cycle.coordinates())),
        spare(sized_output(cycle.model(), cycle.coordinates())) {
    check_settings(given);
  }

  ControlCycle cycle;
  ControlSettings settings;
  JointSettings joints;
  Vector3 gravity;  // of the model at construction
  Sizes sizes;
  ControlInput missing;        // no state, no command; replaces members of a wrong size
  ControlOutput spare;         // is written if an output has a wrong size
  std::uint64_t rejected = 0;  // ControlInput::rejected of the last step
};

TorqueController::TorqueController(Model model, const ControlSettings& settings)
    : parts_(std::make_unique<Parts>(std::move(model), settings)) {}
TorqueController::~TorqueController() = default;
TorqueController::TorqueController(TorqueController&& other) noexcept = default;
TorqueController& TorqueController::operator=(TorqueController&& other) noexcept = default;

const Model& TorqueController::model() const noexcept { return parts_->cycle.model(); }
const Coordinates& TorqueController::coordinates() const noexcept {
  return parts_->cycle.coordinates();
}
const ControlSettings& TorqueController::settings() const noexcept { return parts_->settings; }
Phase TorqueController::phase() const noexcept { return parts_->cycle.phase(); }

void TorqueController::set_settings(const ControlSettings& settings) {
  check_settings(settings);
  JointSettings joints = resolve_joint_settings(settings, model());
  parts_->settings = settings;
  parts_->joints = std::move(joints);
}

ControlInput TorqueController::make_input() const {
  return make_control_input(model(), coordinates());
}

ControlOutput TorqueController::make_output() const {
  return sized_output(model(), coordinates(), parts_->settings.compute.mass_matrix);
}

void TorqueController::step(std::int64_t now, const ControlInput& input,
                            ControlOutput& output) noexcept {
  Parts& p = *parts_;
  const bool rejects = input.rejected > std::exchange(p.rejected, input.rejected);
  const JointStates& states = rejects ? p.missing.states : input.states;
  step(now,
       {p.settings, p.joints, p.gravity, states, input.references, input.effort_command,
        input.wrenches, input.payloads, input.gravity, input.active, input.activation,
        &input.stiffness, input.acknowledgement},
       output);
  if (rejects) output.faults |= static_cast<Faults>(Fault::kWrongSize);
}

void TorqueController::step(std::int64_t now, const ControlView& input,
                            ControlOutput& output) noexcept {
  Parts& p = *parts_;
  const Sizes& sizes = p.sizes;
  if (sizes.fit(input) && sizes.fit(output)) return p.cycle.step(now, input, output);
  // Members of a wrong size are not read. Without a state the cycle sends nothing, or ramps to the
  // fallback.
  const bool settings_fit = sizes.fit(input.joints);
  const bool stiffness_fits = input.stiffness != nullptr && sizes.fit(*input.stiffness);
  p.missing.payloads.generation = p.cycle.payload_generation();  // payloads stay as they are
  p.cycle.step(
      now,
      {settings_fit ? input.settings : p.settings, settings_fit ? input.joints : p.joints,
       input.configured_gravity, p.missing.states, p.missing.references, p.missing.effort_command,
       sizes.fit(input.wrenches) ? input.wrenches : p.missing.wrenches,
       sizes.fit(input.payloads) ? input.payloads : p.missing.payloads, input.gravity, input.active,
       input.activation, stiffness_fits ? input.stiffness : nullptr, input.acknowledgement},
      p.spare);
  p.spare.faults |= static_cast<Faults>(Fault::kWrongSize);
  copy_where_sizes_fit(p.spare, output);
}

void TorqueController::interrupt(std::int64_t now) noexcept { parts_->cycle.interrupt(now); }

void TorqueController::continue_from(const TorqueController& other) noexcept {
  parts_->cycle.continue_from(other.parts_->cycle);
  parts_->rejected = other.parts_->rejected;
}

}  // namespace spatial_dynamics
