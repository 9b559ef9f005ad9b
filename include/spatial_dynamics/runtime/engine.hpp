// One step of the node: states and commands in, safe torques and accelerations out.
#pragma once

#include <cstdint>
#include <vector>

#include "spatial_dynamics/algorithms/data.hpp"
#include "spatial_dynamics/kernels/workspace.hpp"
#include "spatial_dynamics/runtime/config.hpp"
#include "spatial_dynamics/runtime/coordinates.hpp"
#include "spatial_dynamics/runtime/glide.hpp"
#include "spatial_dynamics/runtime/inputs.hpp"
#include "spatial_dynamics/runtime/momentum_observer.hpp"
#include "spatial_dynamics/runtime/outputs.hpp"
#include "spatial_dynamics/runtime/reference_tracker.hpp"

namespace spatial_dynamics {

/// Parameters as the loop uses them; swapped as a whole at a cycle's edge.
struct Settings {
  Config config;
  JointSettings joints;
};

/// Everything a step may look at.
struct EngineInputs {
  const Settings& settings;
  const JointStates& states;
  const References& references;
  const EffortCommand& effort_command;
  const Wrenches& wrenches;
  const Payloads& payloads;
  const Gravity& gravity;
  bool active = true;  ///< false: ramp to zero, then be silent
};

/// The rules of the node, without a clock, a thread or a middleware: a function of its arguments and of its own state, so that
/// every rule can be tested with a made-up clock.
///
/// A change of phase never steps the torque: over ramp_s it fades from the last one sent to that of the new phase (the mode's, the
/// fallback's, or zero). Activation is the exception: weight and all that the reference asks for at once, for a share of gravity
/// compensation would let the arm drop; feedback alone grows over ramp_s. While it winds down it obeys no new reference. Nor does a
/// change of parameters, of the world or of who speaks step it: what it changes glides there over ramp_s, so that feedback stays at
/// work meanwhile. What is sent is then cut to the effort limits, and its change to the rate limit; a torque
/// that is not finite is never sent. Construction allocates; step() is real-time safe.
class Engine {
 public:
  /// Throws ModelError where a message could not name one of the model's coordinates.
  explicit Engine(Model model);

  [[nodiscard]] const Model& model() const noexcept { return model_; }
  [[nodiscard]] const std::vector<ScalarCoordinate>& coordinates() const noexcept {
    return coordinates_;
  }
  [[nodiscard]] bool floating_base() const noexcept { return floating_base_; }

  // Boxes' prototypes, sized for this model. Allocate.
  [[nodiscard]] EngineOutputs make_outputs() const;
  [[nodiscard]] JointStates make_states() const;
  [[nodiscard]] References make_references() const;
  [[nodiscard]] EffortCommand make_effort_command() const;

  [[nodiscard]] Phase phase() const noexcept { return phase_; }

  /// True if every number of q and v is the same joint's for both, in name, kind and place.
  [[nodiscard]] bool has_coordinates_of(const Engine& other) const noexcept;
  /// Goes on where an engine for a robot with the same coordinates stood: phase, references, last torque, from which it fades to
  /// this model's; a ramp to zero goes on. The next step's references are those of the other one, or newer. Real-time safe.
  void continue_from(const Engine& other) noexcept;

  /// `now` is the steady clock in ns and never goes back.
  void step(std::int64_t now, const EngineInputs& in, EngineOutputs& out) noexcept;

 private:
  struct Freshness {
    bool known = false;  // every coordinate has a state
    bool fresh = false;  // and none is older than the timeout
  };

  // engine.cpp: phases and safety
  Freshness note_states(std::int64_t now, const EngineInputs& in, EngineOutputs& out) noexcept;
  void choose_phase(std::int64_t now, const EngineInputs& in, const Freshness& states) noexcept;
  void enter_running(std::int64_t now, const EngineInputs& in) noexcept;
  [[nodiscard]] bool waits_for_reference(const Config& config) const noexcept;
  void run(std::int64_t now, const EngineInputs& in, EngineOutputs& out) noexcept;
  void fall_back(std::int64_t now, const EngineInputs& in, EngineOutputs& out) noexcept;
  void wind_down(std::int64_t now, const EngineInputs& in, const Freshness& states,
                 EngineOutputs& out) noexcept;
  void enter(Phase phase, std::int64_t now) noexcept;
  void begin_fade() noexcept;
  void send_torque(const Settings& settings, VectorIn target, double ramp_s,
                   EngineOutputs& out) noexcept;
  void notice_mode(const EngineInputs& in) noexcept;
  void notice_limits(const JointSettings& joints) noexcept;
  void track(std::int64_t now, const EngineInputs& in) noexcept;

  // engine_world.cpp: what the parameters and the world say, without a step. `at_once` where no torque is sent that could step.
  void apply_settings(const Settings& settings, bool at_once) noexcept;
  void apply_gravity(const EngineInputs& in, bool at_once) noexcept;
  void apply_payloads(const EngineInputs& in, bool at_once) noexcept;
  void apply_wrenches(std::int64_t now, const EngineInputs& in, bool at_once) noexcept;
  [[nodiscard]] double our_gravity() const noexcept { return shares_.now()(0); }
  [[nodiscard]] double share_of_ramp(const Settings& settings) const noexcept;

  // engine_dynamics.cpp: what the model says
  [[nodiscard]] bool compute_torque(const EngineInputs& in, EngineOutputs& out) noexcept;
  void command_acceleration(const Settings& settings, EngineOutputs& out) noexcept;
  void compute_friction(const EngineOutputs& out) noexcept;
  void leave_to_hardware(const EngineOutputs& out, bool gravity_only) noexcept;
  void compute_terms(const EngineInputs& in, EngineOutputs& out) noexcept;
  void compute_acceleration(std::int64_t now, const EngineInputs& in, EngineOutputs& out) noexcept;
  void observe(const EngineInputs& in, EngineOutputs& out) noexcept;

  Model model_;
  Data data_;             // of the textbook algorithms: friction, the observer
  CompactModel compact_;  // model_ compiled; follows its gravity and payloads
  Workspace work_;
  bool compiled_ = true;  // compact_ knows all that model_ does
  std::vector<ScalarCoordinate> coordinates_;
  bool floating_base_ = false;
  ReferenceTracker tracker_;
  MomentumObserver observer_;
  ExternalForces wrenches_;
  bool wrenches_on_ = false;
  bool wrench_is_stale_ = false;
  std::vector<double>
      wrench_weights_;  // per link: 1 while its wrench is fresh, fading to 0 afterwards

  std::uint64_t cycle_ = 0;
  std::uint64_t first_running_cycle_ = 0;
  std::int64_t last_time_ = 0;
  double dt_s_ = 0.0;
  Phase phase_ = Phase::kInactive;
  std::int64_t phase_since_ = 0;
  double fade_ = 1.0;          // from from_ (0) to the phase's torque (1)
  bool following_ = false;     // while winding down: the torque still follows the state
  bool gravity_over_ = false;  // fallback gravity_only has begun its way to zero
  TorqueMode mode_ = TorqueMode::kInverseDynamics;  // of the last running cycle
  Fallback fallback_ = Fallback::kZero;             // of the last cycle that fell back
  bool non_finite_ = false;                         // latched
  bool new_ = true;       // no step yet, or none since it took over: nothing to glide from
  bool was_cut_ = false;  // the last torque was cut to a limit
  std::uint64_t resets_seen_ = 0;

  VectorXd computed_;      // full torque of the last good cycle
  VectorXd held_q_;        // position of the last good cycle
  VectorXd sent_;          // last torque sent
  VectorXd from_;          // torque at which the present fade began
  VectorXd wanted_;        // scratch
  VectorXd a_command_;     // scratch
  VectorXd v_viscous_;     // scratch: where viscous friction is compensated
  VectorXd v_coulomb_;     // scratch: where Coulomb friction is compensated
  VectorXd follows_;       // scratch: ReferenceSample::follows_reference
  VectorXd feed_forward_;  // scratch
  VectorXd friction_;      // scratch: our share of it
  VectorXd hardware_;      // what the robot's own controller adds
  VectorXd effort_;        // scratch: the effort of forward dynamics
  VectorXd external_;      // what known wrenches add to the torque; zero without one

  Glide kp_, kd_;
  Glide
      shares_;  // of gravity, coriolis, friction: 1 if ours to add; then of friction: 1 if the hardware's
  VectorXd effort_limit_, rate_limit_;  // of the last cycle
  std::uint64_t payload_generation_ = 0;
  double payload_share_ = 0.0;  // of the way from payload_from_ to payload_to_
  bool payload_moving_ = false;
  std::vector<Inertia> payload_from_, payload_to_, payload_now_;  // per link
};

}  // namespace spatial_dynamics
