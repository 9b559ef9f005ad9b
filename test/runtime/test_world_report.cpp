#include "runtime/world_report.hpp"

#include "runtime/core_harness.hpp"
#include "runtime/report_values.hpp"
#include "spatial_dynamics/model/load_urdf.hpp"

namespace spatial_dynamics::test {
namespace {

class WorldReportTest : public ::testing::Test {
 protected:
  WorldReportTest() : robot(load_urdf(urdf_text("arm7")), ModelReport{}, config), report(notes) {
    const Model& model = robot.controller.model();
    hand = model.link(last_moving_link(model)).name;
  }
  [[nodiscard]] PayloadView payload(double mass) const {
    return {hand, mass, Vector3(0.0, 0.0, 0.1), Matrix3::Zero(), 1};
  }
  [[nodiscard]] std::string value(const std::string& key) const {
    for (const auto& [name, text] : report.values(robot, config)) {
      if (name == key) return text;
    }
    return "";
  }

  Config config;
  Robot robot;
  Notes notes;
  WorldReport report;
  std::string hand;
};

TEST(PayloadText, HasMassAndCentre) {
  EXPECT_EQ(payload_text(Inertia::from_com(1.5, Vector3(0.0, 0.0, 0.05), Matrix3::Zero())),
            "1.5 kg at [0, 0, 0.05] m");
  EXPECT_EQ(payload_text(Inertia::Zero()), "none");
}

TEST_F(WorldReportTest, ValuesAreConfiguredUntilAMessageSetsThem) {
  EXPECT_NE(value("gravity").find("as configured"), std::string::npos);
  EXPECT_EQ(value(payload_key(hand)), "");
  ASSERT_EQ(robot.inbox.on_payload(payload(2.0)), RejectionReason::kNone);
  EXPECT_NE(value(payload_key(hand)).find("2 kg at [0, 0, 0.1] m, set on ~/payload"),
            std::string::npos);
}

TEST_F(WorldReportTest, ChangeIsLoggedOnce) {
  report.on_payload(robot, payload(2.0), RejectionReason::kNone);
  report.on_payload(robot, payload(2.0), RejectionReason::kNone);
  ASSERT_EQ(notes.lines.size(), 1U);
  EXPECT_EQ(notes.lines[0].find(payload_key(hand) + " is now 2 kg"), 0U) << notes.lines[0];
  report.on_payload(robot, payload(0.0), RejectionReason::kNone);
  EXPECT_NE(notes.lines.back().find("is taken off"), std::string::npos);
}

TEST_F(WorldReportTest, RejectedPayloadOfAFixedLinkNamesAMovingOne) {
  report.on_payload(robot, payload(2.0), RejectionReason::kUnknownLink);
  EXPECT_TRUE(notes.lines.empty());
  report.on_payload(robot, payload(2.0), RejectionReason::kFixedPayload);
  ASSERT_EQ(notes.lines.size(), 1U);
  EXPECT_NE(notes.lines[0].find("such as '" + hand + "'"), std::string::npos) << notes.lines[0];
}

TEST_F(WorldReportTest, LostPayloadsAndMessagesWithoutRobotAreLogged) {
  report.note_lost_payloads({"gone"});
  report.note_no_robot("~/gravity");
  ASSERT_EQ(notes.lines.size(), 2U);
  EXPECT_EQ(notes.lines[0].find("payload on link 'gone' is lost"), 0U);
  EXPECT_NE(notes.lines[1].find("~/gravity was dropped"), std::string::npos);
}

}  // namespace
}  // namespace spatial_dynamics::test
