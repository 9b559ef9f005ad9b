// Any torques within the effort limits of a robot with an exact model: the envelope keeps its laws
// (docs/envelope.md).
#include <algorithm>
#include <array>
#include <cmath>
#include <string>

#include "control/envelope_rig.hpp"
#include "fuzz/byte_source.hpp"
#include "fuzz/fuzz.hpp"
#include "fuzz/robots.hpp"
#include "spatial_dynamics/model/configuration.hpp"

namespace {

using namespace spatial_dynamics;

/// A floating body with a leg: a hinge and a slide.
constexpr const char* kHopper = R"(<robot name="hopper"><link name="body"><inertial>
<origin xyz="0 0.02 0.1"/><mass value="4"/>
<inertia ixx="0.05" ixy="0" ixz="0.002" iyy="0.04" iyz="0" izz="0.03"/></inertial></link>
<link name="thigh"><inertial><origin xyz="0 0 -0.1"/><mass value="1"/>
<inertia ixx="0.01" ixy="0" ixz="0" iyy="0.01" iyz="0" izz="0.002"/></inertial></link>
<link name="shank"><inertial><origin xyz="0 0.01 -0.1"/><mass value="0.5"/>
<inertia ixx="0.005" ixy="0" ixz="0" iyy="0.005" iyz="0" izz="0.001"/></inertial></link>
<joint name="hip" type="revolute"><origin xyz="0 0.1 0"/><parent link="body"/><child link="thigh"/>
<axis xyz="0 1 0"/><limit lower="-1" upper="1.5" effort="20" velocity="6"/></joint>
<joint name="knee" type="prismatic"><origin xyz="0 0 -0.2"/><parent link="thigh"/>
<child link="shank"/><axis xyz="0 0 -1"/><limit lower="0" upper="0.3" effort="60" velocity="2"/>
<dynamics damping="1" friction="0.5"/></joint></robot>)";

using fuzz::ByteSource;
using test::EnvelopeFigures;
using test::EnvelopeRig;

constexpr std::size_t kRobots = 4;
constexpr double kLeastWork = 1e-6;  // J
constexpr double kReversing = 0.05;  // of the power cap

Model load(const char* urdf, bool floating_base) {
  LoadOptions options;
  options.floating_base = floating_base;
  return load_urdf(urdf, options);
}

const Model& model_of(std::size_t kind) {
  static const std::array<Model, kRobots> models{load(fuzz::kFinger, false),
                                                 load(fuzz::kThumb, false),
                                                 load(fuzz::kStick, false), load(kHopper, true)};
  return models[kind];
}

/// From -1 to 1.
double number(ByteSource& bytes) { return bytes.in_range(-100, 100) * 1e-2; }

EnvelopeSettings settings_of(ByteSource& bytes) {
  EnvelopeSettings settings;
  settings.velocity_scale = bytes.in_range(20, 100) * 1e-2;
  if (bytes.flag()) settings.margin = {bytes.in_range(0, 50) * 1e-3};
  if (bytes.flag()) settings.power_limit = bytes.in_range(1, 200) * 1.0;
  return settings;
}

/// Between the soft limits, or up to 0.2 rad or m beyond the hard ones; up to a third of the
/// velocity caps.
void start(ByteSource& bytes, const Model& model, bool outside, EnvelopeRig& rig) {
  VectorXd q = neutral_configuration(model), v = VectorXd::Zero(model.nv());
  const EnvelopeLimits& limits = rig.limits();
  for (const ScalarCoordinate& c : rig.coordinates()) {
    const bool limited = std::isfinite(limits.soft_lower(c.v) + limits.soft_upper(c.v));
    const double lower = limited ? limits.soft_lower(c.v) : -3.0;
    const double upper = limited ? limits.soft_upper(c.v) : 3.0;
    const double place = number(bytes);
    q(c.q) = 0.5 * (lower + upper) + 0.5 * place * (upper - lower);
    if (outside && limited) {
      q(c.q) =
          place > 0.0 ? limits.hard_upper(c.v) + 0.2 * place : limits.hard_lower(c.v) + 0.2 * place;
    }
    v(c.v) = number(bytes) / 3.0 * std::min(limits.velocity(c.v), 10.0);
  }
  rig.start(q, v);
}

bool only_power(const EnvelopeRig& rig) {
  return rig.faults() == static_cast<Faults>(Fault::kPowerCap);
}

/// Of one cycle, `v` at its start.
void check_cycle(const EnvelopeRig& rig, const VectorXd& v, const VectorXd& wanted) {
  const VectorXd& torque = rig.torque();
  fuzz::expect(rig.faults() != 0 || torque == wanted,
               "inside the envelope torques are the same bit for bit");
  double power = 0.0;
  for (const ScalarCoordinate& c : rig.coordinates()) {
    power += std::max(0.0, torque(c.v) * v(c.v));
    const bool braked = wanted(c.v) * v(c.v) < 0.0;
    fuzz::expect(!(only_power(rig) && braked) || torque(c.v) == wanted(c.v),
                 "the power cap does not reduce braking");
  }
  // A stop or a velocity cap may brake a joint that reverses within the period.
  const bool exact = rig.faults() == 0 || only_power(rig);
  const double most = rig.limits().power * (exact ? 1.0 + 1e-9 : 1.0 + kReversing) + 1e-9;
  fuzz::expect(power <= most, "the motors' power stays within its cap:",
               power <= most ? "" : std::to_string(power) + " W");
}

/// One cycle. Returns false if the run is over. Outside of the limits, only the laws about torques
/// hold.
bool step(EnvelopeRig& rig, const VectorXd& wanted, bool outside, EnvelopeFigures& figures) {
  if (!outside) return rig.step(wanted, figures);
  EnvelopeFigures cycle;
  (void)rig.step(wanted, cycle);
  const bool of_limits = cycle.broken.find("overshoots") != std::string::npos ||
                         cycle.broken.find("velocity cap") != std::string::npos;
  if (!of_limits) figures.broken = cycle.broken;
  figures.work += cycle.work;
  ++figures.cycles;
  return figures.broken.empty();
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  constexpr long kMostCycles = 1000;
  ByteSource bytes(data, size);
  const Model& model = model_of(bytes.in_range<std::size_t>(0, kRobots - 1));
  const bool outside = bytes.in_range(0, 3) == 3;
  EnvelopeRig rig(model, settings_of(bytes));
  start(bytes, model, outside, rig);
  EnvelopeFigures figures;
  VectorXd wanted = VectorXd::Zero(model.nv());
  for (bool runs = true; runs && bytes.remaining() > 0 && figures.cycles < kMostCycles;) {
    for (const ScalarCoordinate& c : rig.coordinates()) {
      wanted(c.v) = number(bytes) * rig.highest()(c.v);
    }
    for (int hold = bytes.in_range(1, 100); runs && hold > 0; --hold) {
      const VectorXd v = rig.v();
      runs = step(rig, wanted, outside, figures);
      check_cycle(rig, v, wanted);
    }
  }
  fuzz::expect(figures.broken.empty(), "the laws of the envelope hold:", figures.broken);
  fuzz::expect(figures.work <= kLeastWork, "changes of torques take energy out of the robot:",
               figures.work <= kLeastWork ? "" : std::to_string(figures.work) + " J");
  return 0;
}
