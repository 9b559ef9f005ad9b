// Detection of contacts and the reactions to them, in the whole controller.
#include <cmath>
#include <limits>

#include "control/contact_guard.hpp"
#include "control/contact_scene.hpp"
#include "control/controller_harness.hpp"
#include "support/malloc_hook.hpp"

namespace spatial_dynamics::test {
namespace {

constexpr double kModelError = 0.1;

class ContactTest : public ::testing::Test {
 protected:
  static ControlSettings settings(ContactReaction reaction) {
    ControlSettings settings;
    settings.torque_mode = TorqueMode::kComputedTorque;
    settings.contact.reaction = reaction;
    return settings;
  }
  /// Moves for three seconds and is then pushed by 80 N until it reacts.
  void touch(ContactReaction reaction) {
    scene.emplace(model, settings(reaction), kModelError, 1);
    scene->run(3.0);
    ASSERT_FALSE(scene->touched());
    ASSERT_TRUE(scene->time_to_detection({0.0, 80.0, 0.0}, 0.3));
  }

  Model model = load_urdf_file(shipped_urdf("arm7"));
  std::optional<ContactScene> scene;
};

TEST_F(ContactTest, DetectsAPushWithinAHundredMilliseconds) {
  ContactScene pushed(model, settings(ContactReaction::kHold), kModelError, 1);
  pushed.run(3.0);
  const auto time = pushed.time_to_detection({0.0, 50.0, 0.0}, 0.3);
  ASSERT_TRUE(time);
  EXPECT_LE(*time, 0.1);
  EXPECT_GE(pushed.out().contact, 0);
}

TEST_F(ContactTest, NoFalseAlarmInAMinuteWithNoiseAndTenPerCentModelError) {
  ContactScene free(model, settings(ContactReaction::kHold), kModelError, 2);
  free.run(60.0);
  EXPECT_FALSE(free.touched());
  EXPECT_TRUE(free.finite());
}

TEST_F(ContactTest, HoldStaysAtTheContactAndIgnoresReferencesUntilAcknowledged) {
  touch(ContactReaction::kHold);
  const VectorXd q = scene->simulator().q();
  scene->push(Vector3::Zero());
  scene->run(1.0);
  EXPECT_LE((scene->simulator().q() - q).norm(), 0.1);
  EXPECT_LE(scene->simulator().v().norm(), 0.1) << "the reference moves on";
  EXPECT_TRUE(scene->touched());
  scene->acknowledge();
  scene->run(1.0);
  EXPECT_FALSE(scene->touched());
  EXPECT_GT(scene->simulator().v().norm(), 0.1) << "the reference is followed";
}

TEST_F(ContactTest, FloatYieldsToThePush) {
  touch(ContactReaction::kFloat);
  const VectorXd q = scene->simulator().q();
  scene->run(0.5);
  EXPECT_GT((scene->simulator().q() - q).norm(), 0.2);
  EXPECT_TRUE(scene->touched());
}

TEST_F(ContactTest, RetreatReturnsToWhereItCameFrom) {
  scene.emplace(model, settings(ContactReaction::kRetreat), kModelError, 1);
  scene->run(3.0 - PathMemory::kLengthSeconds);
  const VectorXd earlier = scene->simulator().q();
  scene->run(PathMemory::kLengthSeconds);
  const VectorXd q = scene->simulator().q();
  ASSERT_TRUE(scene->time_to_detection({0.0, 80.0, 0.0}, 0.3));
  scene->push(Vector3::Zero());
  scene->run(1.5);
  const double way = (q - earlier).norm();
  ASSERT_GT(way, 0.05);
  EXPECT_LE((scene->simulator().q() - earlier).norm(), 0.5 * way);
  EXPECT_LE(scene->simulator().v().norm(), 0.05);
}

TEST_F(ContactTest, FallbackLastsUntilAcknowledged) {
  ControlSettings falling = settings(ContactReaction::kFallback);
  falling.fallback = Fallback::kGravityOnly;
  scene.emplace(model, falling, kModelError, 1);
  scene->run(3.0);
  ASSERT_TRUE(scene->time_to_detection({0.0, 80.0, 0.0}, 0.3));
  scene->push(Vector3::Zero());
  scene->run(0.5);
  textbook::Data data(model);
  EXPECT_LE((scene->out().torque - gravity_torque(model, data, scene->out().q)).norm(), 5.0);
  EXPECT_EQ(scene->out().phase, Phase::kFallback);
  scene->acknowledge();
  scene->run(0.1);
  EXPECT_EQ(scene->out().phase, Phase::kRunning);
}

TEST_F(ContactTest, ExplicitActivationEndsTheReactionAndAnAcknowledgementBeforeDoesNot) {
  scene.emplace(model, settings(ContactReaction::kFallback), kModelError, 1);
  scene->acknowledge();
  scene->in().activation = 1;
  scene->run(3.0);
  ASSERT_TRUE(scene->time_to_detection({0.0, 80.0, 0.0}, 0.3));
  scene->push(Vector3::Zero());
  scene->in().active = false;
  scene->run(0.5);
  scene->in().active = true;
  scene->run(0.01);
  EXPECT_EQ(scene->out().phase, Phase::kFallback) << "the same activation";
  EXPECT_TRUE(scene->touched());
  scene->in().activation = 2;
  scene->run(0.01);
  EXPECT_EQ(scene->out().phase, Phase::kRunning);
  EXPECT_FALSE(scene->touched());
}

TEST_F(ContactTest, ReactionStartsFasterThanOtherRampsAndDoesNotStep) {
  for (const ContactReaction reaction :
       {ContactReaction::kHold, ContactReaction::kFloat, ContactReaction::kRetreat}) {
    ControlSettings without_envelope = settings(reaction);  // which brakes pushed joints at once
    without_envelope.envelope.enabled = false;
    scene.emplace(model, without_envelope, kModelError, 1);
    scene->run(3.0);
    ASSERT_TRUE(scene->time_to_detection({0.0, 80.0, 0.0}, 0.3));
    VectorXd before = scene->out().torque;
    for (int i = 0; i < 100; ++i) {
      scene->step();
      const VectorXd change = (scene->out().torque - before).cwiseAbs();
      // The default rate limit: the effort limit in 20 ms.
      for (Index k = 0; k < 7; ++k) {
        EXPECT_LE(change(k), 0.05 * model.joint(k + 1).limits.effort + 1e-9) << to_string(reaction);
      }
      before = scene->out().torque;
    }
  }
}

TEST_F(ContactTest, HandGuidingFeelsNoContact) {
  ControlSettings guiding = settings(ContactReaction::kFallback);
  guiding.torque_mode = TorqueMode::kHandGuiding;
  ContactScene guided(model, guiding, kModelError, 1);
  guided.run(0.5, false);
  guided.push({0.0, 80.0, 0.0});
  guided.run(0.5, false);
  EXPECT_FALSE(guided.touched());
  EXPECT_EQ(guided.out().phase, Phase::kRunning);
}

TEST_F(ContactTest, ReactionsDoNotAllocate) {
  for (const ContactReaction reaction : {ContactReaction::kHold, ContactReaction::kFloat,
                                         ContactReaction::kRetreat, ContactReaction::kFallback}) {
    scene.emplace(model, settings(reaction), kModelError, 1);
    scene->run(0.5);
    scene->push({0.0, 80.0, 0.0});
    const HeapWatch watch;
    scene->run(0.3);
    scene->acknowledge();
    scene->run(0.3);
    EXPECT_EQ(watch.count(), 0u) << to_string(reaction);
  }
}

TEST(ContactThresholds, DefaultIsATenthOfTheEffortLimitAndNoiseIsRejected) {
  const Model model = load_urdf_file(shipped_urdf("arm7"));
  ControlSettings settings;
  EXPECT_NEAR(resolve_joint_settings(settings, model).contact_threshold(0), 8.7, 1e-12);
  settings.contact.threshold = {0.0};
  EXPECT_TRUE(std::isinf(resolve_joint_settings(settings, model).contact_threshold(0)));
  settings.contact.threshold = {0.5};
  try {
    (void)resolve_joint_settings(settings, model);
    ADD_FAILURE() << "0.5 N m is less than 1 % of 87 N m";
  } catch (const ParameterError& error) {
    EXPECT_NE(std::string(error.what())
                  .find("which is below the noise of its torque; give at "
                        "least 0.87"),
              std::string::npos)
        << error.what();
  }
  for (const double bad : {-1.0, std::numeric_limits<double>::quiet_NaN()}) {
    settings.contact.threshold = {bad};
    EXPECT_THROW(check_settings(settings), ParameterError);
  }
}

}  // namespace
}  // namespace spatial_dynamics::test
