// Any sequence of messages, silences, parameters, transitions and robots: what the engine sends
// obeys its laws, and it takes no memory.
#include <array>
#include <cstring>

#include "fuzz/byte_source.hpp"
#include "fuzz/engine_laws.hpp"
#include "fuzz/rig.hpp"

// Of Clang's AddressSanitizer; a build without it does not count allocations.
extern "C" [[gnu::weak]] int
__sanitizer_install_malloc_and_free_hooks(  // NOLINT(bugprone-reserved-identifier)
    void (*on_malloc)(const volatile void*, std::size_t), void (*on_free)(const volatile void*));

namespace {

using namespace spatial_dynamics;
using fuzz::Rig;
constexpr std::int64_t kMs = 1'000'000;  // ns

// ---- the heap during a step
bool stepping = false;
std::size_t heap_calls = 0;
void on_malloc(const volatile void* /*block*/, std::size_t /*size*/) {
  if (stepping) ++heap_calls;
}
void on_free(const volatile void* /*block*/) {
  if (stepping) ++heap_calls;
}

/// The robots, built once for all sequences.
fuzz::Rigs& rigs_of(bool floating_base) {
  static fuzz::Rigs fixed(false), floating(true);
  return floating_base ? floating : fixed;
}

/// A few numbers of a message.
struct Numbers {
  std::array<double, 8> values;
  std::size_t size;
  [[nodiscard]] NumberView view() const { return {values.data(), size}; }
};

class Sequence {
 public:
  explicit Sequence(fuzz::ByteSource& bytes)
      : bytes_(bytes),
        floating_base_(bytes.flag()),
        rigs_(rigs_of(floating_base_)),
        laws_(floating_base_ ? 9 : 3) {
    rigs_.begin(config_, joints_);
    change_settings();
    step(kMs);
  }

  void play() {
    while (cycles_ < kLongest && bytes_.remaining() > 0) {
      const auto what = bytes_.any<std::uint8_t>();
      if (what >= 240) {
        exchange();
        continue;
      }
      switch (what % 12) {
        case 0:
        case 1:
          send_good_state();
          step(kMs);
          break;
        case 2:
          step(bytes_.in_range<std::int64_t>(0, 3000) * kMs);
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
          // Toggled, or activated once more.
          active_ = !active_ || bytes_.in_range(0, 3) == 0;
          if (active_) ++activation_;
          break;
        case 9:
          change_settings();
          break;
        case 10:
          ros_now_ += bytes_.in_range<std::int64_t>(-3000, 3000) * kMs;
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
    const std::uint8_t kind = bytes_.any<std::uint8_t>();
    if (kind < 200) return 0.01 * (static_cast<double>(kind) - 100.0);
    const std::uint64_t bits = bytes_.any<std::uint64_t>();
    double value = 0.0;
    std::memcpy(&value, &bits, sizeof(value));
    return value;
  }
  Vector3 vector() {
    const double x = number(), y = number(), z = number();
    return {x, y, z};
  }
  /// As a rule as many as there are joints.
  Numbers numbers() {
    Numbers result{};
    result.size = bytes_.any<std::uint8_t>() < 230
                      ? joints().size()
                      : bytes_.in_range<std::size_t>(0, result.values.size());
    for (std::size_t i = 0; i < result.size; ++i) result.values[i] = number();
    return result;
  }
  const std::vector<std::string>& joints() { return rigs_.newest().names; }
  /// Delivers a message to every robot that there is.
  template <typename Deliver>
  void deliver(const Deliver& to) {
    rigs_.for_each([&](fuzz::Rig& rig) { to(*rig.inbox); });
  }
  /// A message of all joints, without numbers.
  JointStateView& message() {
    state_.stamp = ros_now_;
    state_.names.assign(joints().begin(), joints().end());
    state_.position = state_.velocity = state_.effort = {};
    state_.source = 1;
    return state_;
  }

  /// A few cycles without a message: the longer each, the further ramps and timeouts get.
  void be_silent() {
    const std::int64_t period = bytes_.in_range<std::int64_t>(1, 100) * kMs;
    for (int k = bytes_.in_range(1, 8); k > 0; --k) step(period);
  }
  void send_good_state() {
    Numbers q{{}, joints().size()}, v = q;
    for (std::size_t i = 0; i < q.size; ++i) {
      q.values[i] = 0.01 * bytes_.in_range(-300, 300);
    }
    for (std::size_t i = 0; i < v.size; ++i) {
      v.values[i] = 0.01 * bytes_.in_range(-100, 100);
    }
    JointStateView& m = message();
    m.position = q.view();
    m.velocity = v.view();
    deliver([&](Inbox& inbox) {
      (void)inbox.on_joint_states(m, now_, ros_now_, config_.missing_velocity);
    });
    if (floating_base_) {
      OdometryView base;
      base.stamp = ros_now_;
      deliver([&](Inbox& inbox) { (void)inbox.on_odometry(base, now_, ros_now_); });
    }
  }
  void send_any_state() {
    const Numbers q = numbers(), v = numbers(), effort = numbers();
    JointStateView& m = message();
    m.stamp += bytes_.in_range<std::int64_t>(-2000, 2000) * kMs;
    m.position = q.view();
    m.velocity = v.view();
    m.effort = effort.view();
    m.source = bytes_.in_range<std::uint64_t>(0, 2);
    if (bytes_.flag()) {
      m.names.resize(bytes_.in_range<std::size_t>(0, m.names.size()));
    }
    deliver([&](Inbox& inbox) {
      (void)inbox.on_joint_states(m, now_, ros_now_, config_.missing_velocity);
    });
  }
  void send_reference() {
    TrajectoryView& m = reference_;
    m.stamp = bytes_.flag() ? 0 : ros_now_ + bytes_.in_range<std::int64_t>(-500, 500) * kMs;
    m.names.assign(joints().begin(), joints().end());
    m.points.resize(bytes_.in_range<std::size_t>(0, 4));
    std::array<Numbers, std::size_t{4} * 4> kept;
    auto next = kept.begin();
    std::int64_t time = bytes_.flag() ? 0 : 50 * kMs;
    for (TrajectoryPointView& p : m.points) {
      p = {};
      for (NumberView* view : {&p.positions, &p.velocities, &p.accelerations, &p.effort}) {
        if (bytes_.flag()) continue;
        *next = numbers();
        *view = next->view();
        ++next;
      }
      p.time_from_start = time;
      time += bytes_.in_range<std::int64_t>(-10, 500) * kMs;
    }
    deliver([&](Inbox& inbox) { (void)inbox.on_reference(m, now_, ros_now_); });
  }
  void send_world() {
    const Model& model = rigs_.newest().controller.model();
    const Index link = bytes_.in_range<Index>(0, model.link_count() - 1);
    const std::string& name = model.link(link).name;
    switch (bytes_.in_range(0, 2)) {
      case 0: {
        const Vector3 force = vector(), torque = vector();
        deliver([&](Inbox& inbox) { (void)inbox.on_wrench({name, force, torque}, now_); });
        break;
      }
      case 1: {
        const double mass = number(), size = number();
        const Vector3 com = vector();
        deliver([&](Inbox& inbox) {
          (void)inbox.on_payload({name, mass, com, size * Matrix3::Identity()});
        });
        break;
      }
      default: {
        const Vector3 gravity = vector();
        deliver([&](Inbox& inbox) { (void)inbox.on_gravity({"", gravity}); });
      }
    }
  }
  void send_effort() {
    const Numbers effort = numbers();
    JointStateView& m = message();
    m.effort = effort.view();
    deliver([&](Inbox& inbox) {
      (void)inbox.on_effort_command(m, now_);
      (void)inbox.on_stiffness(m);
    });
    ++acknowledgement_;
  }
  void send_odometry() {
    OdometryView m;
    m.stamp = ros_now_ + bytes_.in_range<std::int64_t>(-2000, 500) * kMs;
    m.position = vector();
    const double w = number(), x = number(), y = number(), z = number();
    m.orientation = Quaternion(w, x, y, z);
    m.linear_velocity = vector();
    m.angular_velocity = vector();
    deliver([&](Inbox& inbox) { (void)inbox.on_odometry(m, now_, ros_now_); });
  }
  void change_settings() {
    Config& c = config_;
    c.torque_mode = static_cast<TorqueMode>(bytes_.in_range(0, 2));
    c.fallback = static_cast<Fallback>(bytes_.in_range(0, 2));
    c.on_reference_timeout = static_cast<ReferenceTimeout>(bytes_.in_range(0, 1));
    c.effort_source = static_cast<EffortSource>(bytes_.in_range(0, 3));
    c.ramp_s = 0.01 * bytes_.in_range(0, 50);
    c.gravity_only_s = 0.1 * bytes_.in_range(0, 20);
    c.state_timeout_s = 0.01 * bytes_.in_range(1, 50);
    joints_.kp = static_cast<double>(bytes_.in_range(0, 10000));
    joints_.kd = static_cast<double>(bytes_.in_range(0, 1000));
    joints_.effort_limit = static_cast<double>(bytes_.in_range(0, 100));
    // From numbers that are there anyway, so that older seeds still mean what they meant.
    const int rate = bytes_.in_range(0, 1000);
    joints_.torque_rate_limit = rate > 900 ? -1.0 : static_cast<double>(rate);
    c.state_jump_factor = rate % 2 == 1 ? 3.0 : 0.0;
    joints_.following_error_limit = rate % 3 == 2 ? 0.5 : 0.0;
    if (rate % 5 == 4) c.torque_mode = TorqueMode::kJointImpedance;
    if (rate % 7 == 6) c.torque_mode = TorqueMode::kHandGuiding;
    joints_.locked = rate % 2 == 1;
    c.contact.reaction = static_cast<ContactReaction>(rate % 11 < 5 ? rate % 11 : 0);
    joints_.contact_threshold = rate % 13 == 0 ? 0.0 : 5.0;
    c.compute.torque_terms = c.compute.mass_matrix = bytes_.flag();
    c.compute.external_torque = bytes_.in_range(0, 7) == 7;  // the dearest
    c.compensated_by_hardware.gravity = bytes_.flag();
    joints_.drive = bytes_.in_range(0, 7) != 0;
    rigs_.for_each([this](fuzz::Rig& rig) { rig.set(config_, joints_); });
  }
  /// Another description comes: mostly of a robot that may replace the old one at once, and mostly
  /// in the same cycle.
  void exchange() {
    constexpr std::array<std::size_t, 8> kKinds{0, 1, 1, 0, 1, 2, 1, 2};
    const auto which = bytes_.any<std::uint8_t>();
    rigs_.set_robot(kKinds[which % kKinds.size()], config_, joints_);
    if (which < 192) step(which < 128 ? 0 : kMs);
    ++cycles_;
  }

  void step(std::int64_t dt) {
    ++cycles_;
    now_ += dt;
    ros_now_ += dt;
    const Rig* const before = &rigs_.current();
    if (rigs_.adopt()) {
      const TorqueController& controller = rigs_.current().controller;
      if (controller.coordinates().same_as(before->controller.coordinates())) {
        laws_.replaced();
      } else {
        laws_.other_joints(controller.model().nv());
      }
    }
    Rig& rig = rigs_.current();
    rig.inbox->update();
    ControlView in = rig.inbox->inputs(rig.settings, active_ && !rigs_.leaving(), activation_);
    in.acknowledgement = acknowledgement_;
    stepping = true;
    heap_calls = 0;
    rig.controller.step(now_, in, rig.out);
    stepping = false;
    fuzz::expect(heap_calls == 0, "a step takes no memory");
    laws_.judge(in, rig.out, floating_base_, now_, static_cast<double>(dt) * 1e-9);
  }

  /// Whatever came before: silence leads to zero within the timeouts and ramps, or is silent.
  void expect_end() {
    joints_.torque_rate_limit = -1.0;
    config_.fallback = Fallback::kZero;
    rigs_.for_each([this](fuzz::Rig& rig) { rig.set(config_, joints_); });
    step(kMs);
    const double silence_s = config_.state_timeout_s + config_.ramp_s + 0.2;
    for (double s = 0.0; s < silence_s && !has_ended(s); s += 0.1) step(100 * kMs);
    const ControlOutput& out = rigs_.current().out;
    fuzz::expect(!out.send_torque || out.torque.isZero(0.0), "silence ends in zero in time");
  }

  /// Without states, for so long, nothing more will come.
  [[nodiscard]] bool has_ended(double silence_s) {
    const ControlOutput& out = rigs_.current().out;
    const bool fell = out.phase == Phase::kFallback && out.ramp == 1.0;
    const bool zero = out.torque.isZero(0.0);
    const bool silent = out.phase == Phase::kWaiting || out.phase == Phase::kStopped ||
                        (out.phase == Phase::kInactive && !active_);
    return silence_s > config_.state_timeout_s && !rigs_.leaving() && (silent || (fell && zero));
  }

  static constexpr int kLongest = 20;  // cycles: more sequences find more than longer ones
  fuzz::ByteSource& bytes_;
  bool floating_base_;
  fuzz::Rigs& rigs_;
  fuzz::EngineLaws laws_;
  Config config_;
  fuzz::JointNumbers joints_;
  bool active_ = true;
  std::uint64_t activation_ = 1, acknowledgement_ = 0;
  int cycles_ = 0;
  std::int64_t now_ = 1000'000 * kMs, ros_now_ = 5000'000 * kMs;
  JointStateView state_;
  TrajectoryView reference_;
};

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  static const bool hooked = __sanitizer_install_malloc_and_free_hooks != nullptr &&
                             __sanitizer_install_malloc_and_free_hooks(on_malloc, on_free) > 0;
  (void)hooked;
  fuzz::ByteSource bytes(data, size);
  Sequence(bytes).play();
  return 0;
}
