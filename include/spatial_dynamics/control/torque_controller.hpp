// The torque controller: states and references in, safe torques and accelerations out.
#pragma once

#include <cstdint>
#include <memory>

#include "spatial_dynamics/control/clock.hpp"
#include "spatial_dynamics/control/control_input.hpp"
#include "spatial_dynamics/control/control_output.hpp"

namespace spatial_dynamics {

/// Modes, limits, watchdogs and ramps, without a clock, a thread or a middleware: step() depends
/// only on its arguments and on the controller's state. docs/safety.md lists its rules, each with
/// its test.
///
///     TorqueController controller(model, settings);
///     ControlInput input = controller.make_input();
///     ControlOutput output = controller.make_output();
///     // in each cycle:
///     input.set_state(now, q, v);
///     controller.step(now, input, output);
///     if (output.send_torque) send(output.torque);
///
/// One thread at a time.
class TorqueController {
 public:
  /// Allocates. Throws ModelError if a joint other than the base floats, ParameterError (a
  /// std::invalid_argument) if a setting is out of range or does not fit the model.
  explicit TorqueController(Model model, const ControlSettings& settings = {});
  ~TorqueController();
  TorqueController(TorqueController&& other) noexcept;
  TorqueController& operator=(TorqueController&& other) noexcept;

  /// The model, with the payloads and the gravity of the last step.
  [[nodiscard]] const Model& model() const noexcept;
  [[nodiscard]] const Coordinates& coordinates() const noexcept;
  [[nodiscard]] const ControlSettings& settings() const noexcept;
  [[nodiscard]] Phase phase() const noexcept;

  /// Replaces the settings. While torques are sent, the torque ramps to that of the new settings
  /// over ramp_s. Allocates; throws ParameterError and then changes nothing.
  void set_settings(const ControlSettings& settings);

  /// Input and output with the sizes of this model. Allocates.
  [[nodiscard]] ControlInput make_input() const;
  [[nodiscard]] ControlOutput make_output() const;

  /// One cycle. `now` is a steady clock in ns that never goes back, such as steady_now_ns().
  /// Real-time safe.
  ///
  /// If a size in `input` or `output` differs from that of make_input() and make_output(), or a
  /// link is not in the model, the step reports Fault::kWrongSize and treats the state as missing:
  /// if no torque was sent before, none is sent; otherwise the torque ramps to that of the
  /// fallback. Members of `output` with a wrong size are not written, and their `send_` flags are
  /// false.
  void step(std::int64_t now, const ControlInput& input, ControlOutput& output) noexcept;
  /// The same for a loop that stores settings and inputs itself.
  void step(std::int64_t now, const ControlView& input, ControlOutput& output) noexcept;

  /// The torque was set to zero without a ramp, and not by step(): the phase is inactive at once.
  /// The next step with an active input starts as after an activation. Latched faults stay latched.
  /// Real-time safe.
  void interrupt(std::int64_t now) noexcept;

  /// Replaces another controller and continues from its state; latched faults stay latched.
  /// Real-time safe.
  ///  - Same coordinates: continues with the other controller's phase, references and last torque,
  ///    and ramps from there to the torque of this model while feedback stays active. A ramp to
  ///    zero continues. The references of the next step must be those of the other controller, or
  ///    newer.
  ///  - Other coordinates: the other controller must not be sending torques.
  void continue_from(const TorqueController& other) noexcept;

 private:
  struct Parts;
  std::unique_ptr<Parts> parts_;
};

}  // namespace spatial_dynamics
