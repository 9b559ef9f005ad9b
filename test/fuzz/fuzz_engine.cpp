// Any sequence of messages, silences, parameters and transitions: what the engine sends obeys its laws, and it takes no memory.
#include <fuzzer/FuzzedDataProvider.h>

#include <cstring>
#include <optional>

#include "faults/bench.hpp"
#include "fuzz/fuzz.hpp"
#include "fuzz/robots.hpp"

extern "C" int __sanitizer_install_malloc_and_free_hooks(  // NOLINT(bugprone-reserved-identifier)
    void (*on_malloc)(const volatile void*, std::size_t), void (*on_free)(const volatile void*));

namespace {

using namespace spatial_dynamics;
using test::Bench;
using test::kMs;

// ---- the heap during a step
bool stepping = false;
std::size_t heap_calls = 0;
void on_malloc(const volatile void* /*block*/, std::size_t /*size*/) {
  if (stepping) ++heap_calls;
}
void on_free(const volatile void* /*block*/) {
  if (stepping) ++heap_calls;
}

Model robot(bool floating_base) {
  LoadOptions options;
  options.floating_base = floating_base;
  return load_urdf(fuzz::kFinger, options);
}
const Model& model_of(bool floating_base) {
  static const Model fixed = robot(false), floating = robot(true);
  return floating_base ? floating : fixed;
}

class Sequence {
 public:
  explicit Sequence(FuzzedDataProvider& bytes)
      : bytes_(bytes), bench_(model_of(bytes.ConsumeBool())), n_(bench_.names.size()) {
    bench_.active = true;
    last_ = VectorXd::Zero(bench_.engine.model().nv());
    change_settings();
    step(kMs);
  }

  void play() {
    while (cycles_ < kLongest && bytes_.remaining_bytes() > 0) {
      switch (bytes_.ConsumeIntegralInRange(0, 11)) {
        case 0:
        case 1:
          send_good_state();
          step(kMs);
          break;
        case 2:
          step(bytes_.ConsumeIntegralInRange<std::int64_t>(0, 3000) * kMs);
          break;
        case 3:
          be_silent();
          break;
        case 4:
          send_any_state();
          break;
        case 5:
          send_reference();
          break;
        case 6:
          send_world();
          break;
        case 7:
          send_effort();
          break;
        case 8:
          bench_.active = !bench_.active;
          break;
        case 9:
          change_settings();
          break;
        case 10:
          bench_.ros_now += bytes_.ConsumeIntegralInRange<std::int64_t>(-3000, 3000) * kMs;
          break;
        default:
          send_odometry();
      }
    }
    expect_end();
  }

 private:
  /// Mostly numbers that a robot may have, now and then any bits at all.
  double number() {
    const std::uint8_t kind = bytes_.ConsumeIntegral<std::uint8_t>();
    if (kind < 200) return 0.01 * (static_cast<double>(kind) - 100.0);
    const std::uint64_t bits = bytes_.ConsumeIntegral<std::uint64_t>();
    double value = 0.0;
    std::memcpy(&value, &bits, sizeof(value));
    return value;
  }
  std::vector<double> numbers(std::size_t count) {
    std::vector<double> result(count);
    for (double& x : result) x = number();
    return result;
  }
  Vector3 vector() {
    const double x = number(), y = number(), z = number();
    return {x, y, z};
  }
  /// As a rule as many as there are joints.
  std::size_t length() {
    return bytes_.ConsumeIntegral<std::uint8_t>() < 230
               ? n_
               : bytes_.ConsumeIntegralInRange<std::size_t>(0, 8);
  }

  /// A few cycles without a message: the longer each, the further ramps and timeouts get.
  void be_silent() {
    const std::int64_t period = bytes_.ConsumeIntegralInRange<std::int64_t>(1, 100) * kMs;
    for (int k = bytes_.ConsumeIntegralInRange(1, 8); k > 0; --k) step(period);
  }
  void send_good_state() {
    for (double& x : bench_.q) x = 0.01 * bytes_.ConsumeIntegralInRange(-300, 300);
    for (double& x : bench_.v) x = 0.01 * bytes_.ConsumeIntegralInRange(-100, 100);
    (void)bench_.send();
    if (bench_.engine.floating_base()) {
      OdometryView base;
      base.stamp = bench_.ros_now;
      (void)bench_.inbox.on_odometry(base, bench_.now, bench_.ros_now);
    }
  }
  void send_any_state() {
    const std::vector<double> q = numbers(length()), v = numbers(length()),
                              effort = numbers(length());
    JointStateView m = bench_.message();
    m.stamp += bytes_.ConsumeIntegralInRange<std::int64_t>(-2000, 2000) * kMs;
    m.position = test::numbers(q);
    m.velocity = test::numbers(v);
    m.effort = test::numbers(effort);
    m.source = bytes_.ConsumeIntegralInRange<std::uint64_t>(0, 2);
    if (bytes_.ConsumeBool() && !m.names.empty()) {
      m.names.resize(bytes_.ConsumeIntegralInRange<std::size_t>(0, n_));
    }
    (void)bench_.send(m);
  }
  void send_reference() {
    TrajectoryView m;
    m.stamp = bytes_.ConsumeBool()
                  ? 0
                  : bench_.ros_now + bytes_.ConsumeIntegralInRange<std::int64_t>(-500, 500) * kMs;
    m.names.assign(bench_.names.begin(), bench_.names.end());
    const int points = bytes_.ConsumeIntegralInRange(0, 4);
    std::vector<std::vector<double>> kept;
    kept.reserve(4 * 4);
    std::int64_t time = bytes_.ConsumeBool() ? 0 : 50 * kMs;
    for (int i = 0; i < points; ++i) {
      TrajectoryPointView p;
      for (NumberView* view : {&p.positions, &p.velocities, &p.accelerations, &p.effort}) {
        if (bytes_.ConsumeBool()) continue;
        kept.push_back(numbers(length()));
        *view = test::numbers(kept.back());
      }
      p.time_from_start = time;
      time += bytes_.ConsumeIntegralInRange<std::int64_t>(-10, 500) * kMs;
      m.points.push_back(p);
    }
    (void)bench_.inbox.on_reference(m, bench_.now, bench_.ros_now);
  }
  void send_world() {
    const Model& model = bench_.engine.model();
    const Index link = bytes_.ConsumeIntegralInRange<Index>(0, model.link_count() - 1);
    const std::string name = model.link(link).name;
    switch (bytes_.ConsumeIntegralInRange(0, 2)) {
      case 0:
        (void)bench_.inbox.on_wrench({name, vector(), vector()}, bench_.now);
        break;
      case 1: {
        const double mass = number(), size = number();
        (void)bench_.inbox.on_payload({name, mass, vector(), size * Matrix3::Identity()});
        break;
      }
      default:
        (void)bench_.inbox.on_gravity({"", vector()});
    }
  }
  void send_effort() {
    const std::vector<double> effort = numbers(length());
    JointStateView m = bench_.message();
    m.position = m.velocity = {};
    m.effort = test::numbers(effort);
    (void)bench_.inbox.on_effort_command(m, bench_.now);
  }
  void send_odometry() {
    OdometryView m;
    m.stamp = bench_.ros_now + bytes_.ConsumeIntegralInRange<std::int64_t>(-2000, 500) * kMs;
    m.position = vector();
    const double w = number(), x = number(), y = number(), z = number();
    m.orientation = Quaternion(w, x, y, z);
    m.linear_velocity = vector();
    m.angular_velocity = vector();
    (void)bench_.inbox.on_odometry(m, bench_.now, bench_.ros_now);
  }
  void change_settings() {
    Config& c = bench_.settings.config;
    c.torque_mode = static_cast<TorqueMode>(bytes_.ConsumeIntegralInRange(0, 2));
    c.fallback = static_cast<Fallback>(bytes_.ConsumeIntegralInRange(0, 2));
    c.on_reference_timeout = static_cast<ReferenceTimeout>(bytes_.ConsumeIntegralInRange(0, 1));
    c.effort_source = static_cast<EffortSource>(bytes_.ConsumeIntegralInRange(0, 3));
    c.ramp_s = 0.01 * bytes_.ConsumeIntegralInRange(0, 50);
    c.gravity_only_s = 0.1 * bytes_.ConsumeIntegralInRange(0, 20);
    c.state_timeout_s = 0.01 * bytes_.ConsumeIntegralInRange(1, 50);
    c.kp = {static_cast<double>(bytes_.ConsumeIntegralInRange(0, 10000))};
    c.kd = {static_cast<double>(bytes_.ConsumeIntegralInRange(0, 1000))};
    c.effort_limits = {static_cast<double>(bytes_.ConsumeIntegralInRange(0, 100))};
    c.torque_rate_limit = {static_cast<double>(bytes_.ConsumeIntegralInRange(0, 1000))};
    c.publish.torque_terms = c.publish.mass_matrix = bytes_.ConsumeBool();
    c.publish.external_torque = bytes_.ConsumeIntegralInRange(0, 7) == 7;  // the dearest
    c.compensated_by_hardware.gravity = bytes_.ConsumeBool();
    bench_.resolve();
  }

  void step(std::int64_t dt) {
    ++cycles_;
    bench_.now += dt;
    bench_.ros_now += dt;
    bench_.inbox.update();
    const EngineInputs in = bench_.inbox.inputs(bench_.settings, bench_.active);
    stepping = true;
    heap_calls = 0;
    bench_.engine.step(bench_.now, in, bench_.out);
    stepping = false;
    fuzz::expect(heap_calls == 0, "a step takes no memory");
    judge(in, static_cast<double>(dt) * 1e-9);
  }

  void judge(const EngineInputs& in, double dt_s) {
    const EngineOutputs& out = bench_.out;
    const JointSettings& joints = bench_.settings.joints;
    if (out.send_torque) {
      fuzz::expect(out.torque.allFinite(), "torques are finite");
      for (Index k = 0; k < out.torque.size(); ++k) {
        fuzz::expect(std::abs(out.torque(k)) <= joints.effort_limit(k),
                     "torques keep their limits");
        // A limit that was lowered holds at once, whatever the rate; the first torque may be any.
        const double limit = joints.effort_limit(k);
        const double before = std::max(-limit, std::min(limit, last_(k)));
        const double allowed = joints.torque_rate_limit(k) * std::min(dt_s, 0.1);
        fuzz::expect(std::isnan(allowed) ||
                         std::abs(out.torque(k) - before) <= allowed + 1e-9 * (1.0 + allowed),
                     "torques change no faster than they may");
      }
      last_ = out.torque;
    } else if (sent_) {
      fuzz::expect(last_.isZero(0.0), "the last torque is zero");
    }
    sent_ = out.send_torque;
    if (out.phase == Phase::kInactive) last_.setZero();
    if (out.send_acceleration)
      fuzz::expect(out.acceleration.allFinite(), "accelerations are finite");
    if (out.send_external_torque) {
      fuzz::expect(out.external_torque.allFinite(), "external torques are finite");
    }
    if (out.send_terms) {
      for (const VectorXd* term : {&out.terms.gravity, &out.terms.coriolis, &out.terms.inertial,
                                   &out.terms.friction, &out.terms.external}) {
        fuzz::expect(term->allFinite(), "terms are finite");
      }
      fuzz::expect(out.mass_matrix.allFinite(), "the mass matrix is finite");
    }
    // No torque of a mode with a state that is too old.
    const double timeout_ns = bench_.settings.config.state_timeout_s * 1e9;
    for (const std::int64_t received : in.states.received) {
      if (static_cast<double>(bench_.now - received) > timeout_ns) {
        fuzz::expect(out.phase != Phase::kRunning, "stale states end the mode's torques");
      }
    }
    fuzz::expect(bench_.active || out.phase != Phase::kRunning, "inactive is not running");
  }

  /// Whatever came before: silence leads to zero within the timeouts and ramps, or is silent.
  void expect_end() {
    bench_.settings.config.torque_rate_limit = {};
    bench_.settings.config.fallback = Fallback::kZero;
    bench_.resolve();
    step(kMs);
    const Config& c = bench_.settings.config;
    const auto longest_ms = static_cast<std::int64_t>(1e3 * (c.state_timeout_s + c.ramp_s + 0.2));
    for (std::int64_t ms = 0; ms < longest_ms; ms += 100) step(100 * kMs);
    fuzz::expect(!bench_.out.send_torque || bench_.out.torque.isZero(0.0),
                 "silence ends in zero in time");
  }

  static constexpr int kLongest = 20;  // cycles: more sequences find more than longer ones
  FuzzedDataProvider& bytes_;
  int cycles_ = 0;
  Bench bench_;
  std::size_t n_;
  VectorXd last_;
  bool sent_ = false;
};

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  static const int hooked = __sanitizer_install_malloc_and_free_hooks(on_malloc, on_free);
  (void)hooked;
  FuzzedDataProvider bytes(data, size);
  Sequence(bytes).play();
  return 0;
}
