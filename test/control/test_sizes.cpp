// A wrong size is reported as a fault: no member of the input or output can cause undefined
// behaviour.
#include "control/sizes.hpp"

#include <functional>
#include <string>
#include <utility>
#include <vector>

#include "control/controller_harness.hpp"
#include "support/malloc_hook.hpp"

namespace spatial_dynamics::test {
namespace {

using Change = std::function<void(ControlInput&, ControlOutput&)>;
using Changes = std::vector<std::pair<std::string, Change>>;

template <typename Values>
void resize_by(Values& values, int by) {
  values.resize(static_cast<decltype(values.size())>(static_cast<int>(values.size()) + by));
}

/// Changes of the input: every vector with one number too many or too few, and every link with an
/// index that the model does not have.
Changes wrong_inputs(int by, Index link) {
  return {
      {"q", [by](auto& in, auto&) { resize_by(in.states.q, by); }},
      {"v", [by](auto& in, auto&) { resize_by(in.states.v, by); }},
      {"effort", [by](auto& in, auto&) { resize_by(in.states.effort, by); }},
      {"received", [by](auto& in, auto&) { resize_by(in.states.received, by); }},
      {"has_effort", [by](auto& in, auto&) { resize_by(in.states.has_effort, by); }},
      {"references", [by](auto& in, auto&) { resize_by(in.references.joints, by); }},
      {"command", [by](auto& in, auto&) { resize_by(in.effort_command.effort, by); }},
      {"command.received", [by](auto& in, auto&) { resize_by(in.effort_command.received, by); }},
      {"wrench",
       [link](auto& in, auto&) {
         in.wrenches.links.push_back({link, Force::Zero(), 1});
       }},
      {"payload",
       [link](auto& in, auto&) {
         in.payloads.links.push_back({link, Inertia::Zero()});
         ++in.payloads.generation;
       }},
  };
}

Changes wrong_outputs(int by) {
  return {
      {"out.q", [by](auto&, auto& out) { resize_by(out.q, by); }},
      {"out.v", [by](auto&, auto& out) { resize_by(out.v, by); }},
      {"out.torque", [by](auto&, auto& out) { resize_by(out.torque, by); }},
      {"out.drive", [by](auto&, auto& out) { resize_by(out.drive, by); }},
      {"out.acceleration", [by](auto&, auto& out) { resize_by(out.acceleration, by); }},
      {"out.external_torque", [by](auto&, auto& out) { resize_by(out.external_torque, by); }},
      {"out.position_error", [by](auto&, auto& out) { resize_by(out.position_error, by); }},
      {"out.terms.gravity", [by](auto&, auto& out) { resize_by(out.terms.gravity, by); }},
      {"out.terms.coriolis", [by](auto&, auto& out) { resize_by(out.terms.coriolis, by); }},
      {"out.terms.inertial", [by](auto&, auto& out) { resize_by(out.terms.inertial, by); }},
      {"out.terms.friction", [by](auto&, auto& out) { resize_by(out.terms.friction, by); }},
      {"out.terms.external", [by](auto&, auto& out) { resize_by(out.terms.external, by); }},
      {"rows", [by](auto&, auto& out) { out.mass_matrix.resize(7 + by, 7); }},
      {"columns", [by](auto&, auto& out) { out.mass_matrix.resize(7, 7 + by); }},
  };
}

class WrongSizeTest : public ::testing::Test {
 protected:
  WrongSizeTest() : model(load_urdf_file(shipped_urdf("arm7"))), controller(model, settings()) {
    q = random_configuration(random, model);
    for (const int by : {-7, -1, 1, 1000}) {
      for (auto& change : wrong_inputs(by, by < 0 ? by : model.link_count() - 1 + by)) {
        changes.push_back(std::move(change));
      }
      for (auto& change : wrong_outputs(by)) changes.push_back(std::move(change));
    }
  }
  static ControlSettings settings() {
    ControlSettings s;
    s.torque_mode = TorqueMode::kComputedTorque;
    s.compute = {true, true, true};
    return s;
  }
  void cycle(ControlInput& in, ControlOutput& out) {
    now += kMillisecond;
    if (in.states.q.size() == 7) in.set_state(now, q, VectorXd(VectorXd::Zero(7)));
    controller.step(now, in, out);
  }

  Random random{3};
  Model model;
  TorqueController controller;
  VectorXd q;
  std::int64_t now = 1000 * kMillisecond;
  Changes changes;
};

TEST_F(WrongSizeTest, SendsNothingBeforeFirstTorque) {
  for (const auto& [name, change] : changes) {
    controller = TorqueController(model, settings());
    ControlInput in = controller.make_input();
    ControlOutput out = controller.make_output();
    in.set_reference(now, q, VectorXd(VectorXd::Zero(7)), VectorXd(VectorXd::Zero(7)));
    change(in, out);
    for (int i = 0; i < 3; ++i) {
      cycle(in, out);
      EXPECT_TRUE(has(out.faults, Fault::kWrongSize)) << name;
      EXPECT_FALSE(out.send_torque || out.send_drive || out.send_acceleration) << name;
      EXPECT_EQ(out.phase, Phase::kWaiting) << name;
    }
  }
}

TEST_F(WrongSizeTest, TorqueRampsToZeroOrIsNotSentWhileRunning) {
  for (const auto& [name, change] : changes) {
    controller = TorqueController(model, settings());
    ControlInput in = controller.make_input();
    ControlOutput out = controller.make_output();
    for (int i = 0; i < 3; ++i) cycle(in, out);
    ASSERT_TRUE(out.send_torque);
    EXPECT_FALSE(has(out.faults, Fault::kWrongSize));
    const double largest_step = out.torque.cwiseAbs().maxCoeff() / 290.0;  // 0.3 s at 1 kHz
    VectorXd before = out.torque;
    change(in, out);
    for (int i = 0; i < 302; ++i) {
      cycle(in, out);
      ASSERT_TRUE(has(out.faults, Fault::kWrongSize)) << name;
      ASSERT_EQ(out.phase, Phase::kFallback) << name;
      ASSERT_EQ(out.send_torque, out.torque.size() == 7) << name;
      if (!out.send_torque) continue;
      ASSERT_LE((out.torque - before).cwiseAbs().maxCoeff(), largest_step) << name;
      before = out.torque;
    }
    EXPECT_TRUE(!out.send_torque || out.torque.isZero(0.0)) << name;
  }
}

TEST_F(WrongSizeTest, RightSizesResumeModeWithRamp) {
  ControlInput in = controller.make_input();
  ControlOutput out = controller.make_output();
  cycle(in, out);
  const VectorXd full = out.torque;
  ControlInput wrong = in;
  wrong.states.v.resize(6);
  for (int i = 0; i < 400; ++i) cycle(wrong, out);
  ASSERT_TRUE(out.torque.isZero(0.0));
  cycle(in, out);
  EXPECT_EQ(out.phase, Phase::kRunning);
  EXPECT_LE(out.torque.cwiseAbs().maxCoeff(), full.cwiseAbs().maxCoeff() / 100.0);
  for (int i = 0; i < 400; ++i) cycle(in, out);
  EXPECT_LE((out.torque - full).cwiseAbs().maxCoeff(), 1e-9);
}

TEST_F(WrongSizeTest, GravityOnlyHoldsLastValidPositionAndPayload) {
  ControlSettings gravity_only = settings();
  gravity_only.fallback = Fallback::kGravityOnly;
  controller.set_settings(gravity_only);
  ControlInput in = controller.make_input();
  ControlOutput out = controller.make_output();
  const Index hand = model.link_count() - 1;
  in.set_payload(hand, Inertia::from_com(1.0, {0, 0, 0.1}, 0.001 * Matrix3::Identity()));
  for (int i = 0; i < 400; ++i) cycle(in, out);
  const VectorXd held = out.torque;
  in.payloads.links.push_back({model.link_count(), Inertia::Zero()});
  for (int i = 0; i < 400; ++i) cycle(in, out);
  ASSERT_EQ(out.phase, Phase::kFallback);
  EXPECT_LE((out.torque - held).cwiseAbs().maxCoeff(), 1e-9);
}

TEST_F(WrongSizeTest, WrongArgumentOfSetterIsSameFault) {
  const VectorXd zero = VectorXd::Zero(7), short_one = VectorXd::Zero(6);
  const std::vector<std::function<void(ControlInput&)>> calls = {
      [&](ControlInput& in) { in.set_state(now, short_one, zero); },
      [&](ControlInput& in) { in.set_state(now, zero, short_one); },
      [&](ControlInput& in) { in.set_state(now, zero, zero, short_one); },
      [&](ControlInput& in) { in.set_reference(now, short_one, zero, zero); },
      [&](ControlInput& in) { in.set_wrench(now, -1, Force::Zero()); },
      [&](ControlInput& in) { in.set_payload(model.link_count(), Inertia::Zero()); },
  };
  for (const auto& call : calls) {
    controller = TorqueController(model, settings());
    ControlInput in = controller.make_input();
    ControlOutput out = controller.make_output();
    cycle(in, out);
    ASSERT_EQ(out.phase, Phase::kRunning);
    call(in);
    now += kMillisecond;
    controller.step(now, in, out);
    EXPECT_TRUE(has(out.faults, Fault::kWrongSize));
    EXPECT_EQ(out.phase, Phase::kFallback);
    cycle(in, out);
    EXPECT_FALSE(has(out.faults, Fault::kWrongSize)) << "only the next step reports it";
    EXPECT_EQ(out.phase, Phase::kRunning);
    TorqueController next(model, settings());
    next.continue_from(controller);
    next.step(now += kMillisecond, in, out);
    EXPECT_FALSE(has(out.faults, Fault::kWrongSize));
  }
}

TEST_F(WrongSizeTest, WrongSettingsAreReplacedByThoseOfController) {
  const ControlInput in = controller.make_input();
  for (VectorXd JointSettings::*member :
       {&JointSettings::kp, &JointSettings::kd, &JointSettings::effort_limit,
        &JointSettings::torque_rate_limit, &JointSettings::braking_speed,
        &JointSettings::following_error_limit}) {
    JointSettings joints = resolve_joint_settings(settings(), model);
    (joints.*member).resize(3);
    ControlOutput out = controller.make_output();
    const ControlSettings config = settings();
    const Vector3 gravity = model.gravity();
    controller.step(now,
                    {config, joints, gravity, in.states, in.references, in.effort_command,
                     in.wrenches, in.payloads, in.gravity},
                    out);
    EXPECT_TRUE(has(out.faults, Fault::kWrongSize));
    EXPECT_FALSE(out.send_torque);
  }
}

TEST_F(WrongSizeTest, StepWithWrongSizeDoesNotAllocate) {
  for (const auto& [name, change] : changes) {
    controller = TorqueController(model, settings());
    ControlInput in = controller.make_input();
    ControlOutput out = controller.make_output();
    for (int i = 0; i < 3; ++i) cycle(in, out);
    change(in, out);
    const HeapWatch watch;
    for (int i = 0; i < 3; ++i) controller.step(now += kMillisecond, in, out);
    EXPECT_EQ(watch.count(), 0u) << name;
  }
}

TEST_F(WrongSizeTest, HoldsPositionWhenKnotsVanish) {
  ControlInput in = controller.make_input();
  ControlOutput out = controller.make_output();
  for (int i = 0; i < 3; ++i) cycle(in, out);
  for (std::size_t k = 0; k < 7; ++k) {
    const double goal = q(static_cast<Index>(k)) + 0.2;
    in.references.joints[k] = full_reference(1, now, false, {{1.0, goal, 0.0, 0.0, 0.0}});
  }
  for (int i = 0; i < 100; ++i) cycle(in, out);
  for (JointReference& reference : in.references.joints) reference = JointReference{};
  for (int i = 0; i < 100; ++i) cycle(in, out);
  EXPECT_EQ(out.phase, Phase::kRunning);
  EXPECT_TRUE(out.torque.allFinite());
}

}  // namespace
}  // namespace spatial_dynamics::test
