#include "cli/check/report_json.hpp"

#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "model/report_of_everything.hpp"

namespace spatial_dynamics::test {
namespace {

using OrderedJson = nlohmann::ordered_json;

TEST(ReportJson, HasEveryPartOfTheReportInTheDocumentedOrder) {
  const OrderedJson got = OrderedJson::parse(cli::report_json(report_of_everything()));
  std::vector<std::string> keys;
  for (const auto& [key, value] : got.items()) keys.push_back(key);
  EXPECT_EQ(keys, (std::vector<std::string>{"name", "dof", "joints", "total_mass", "lumped",
                                            "mimic", "locked", "findings"}));
  EXPECT_EQ(got["name"],
            "r\xC3\xBC"
            "bezahl");
  EXPECT_EQ(got["dof"], 8);
  EXPECT_EQ(got["total_mass"], 12.3456789);
  EXPECT_EQ(got["lumped"], OrderedJson({{"tool", "hand"}}));
  EXPECT_EQ(
      got["mimic"][0],
      OrderedJson({{"joint", "finger"}, {"leader", "slide"}, {"ratio", -2.0}, {"offset", -0.5}}));
  EXPECT_EQ(got["locked"][0], OrderedJson({{"joint", "wrist"}, {"value", 0.75}}));
  EXPECT_EQ(got["findings"][0], OrderedJson({{"code", "massless_end_link"},
                                             {"severity", "warning"},
                                             {"element", "link 'hand'"},
                                             {"what", "it weighs nothing"},
                                             {"remedy", "weigh it"}}));
}

TEST(ReportJson, UnlimitedIsNull) {
  const OrderedJson joints = OrderedJson::parse(cli::report_json(report_of_everything()))["joints"];
  EXPECT_EQ(joints[1]["lower"], -1.5);
  EXPECT_TRUE(joints[1]["upper"].is_null());
  EXPECT_EQ(joints[1]["effort"], 30.0);
  EXPECT_EQ(joints[1]["velocity"], 2.0);
  EXPECT_EQ(joints[1]["armature"], 0.25);
  EXPECT_TRUE(joints[2]["velocity"].is_null());
  EXPECT_TRUE(joints[0]["lower"].is_null());
}

TEST(ReportJson, HasTheLimitsOfVersion12AndTheWeight) {
  ModelReport report = report_of_everything();
  report.joints[1].limits.acceleration = 7.0;
  report.joints[1].limits.deceleration = 8.0;
  report.joints[1].limits.jerk = 9.0;
  report.joints[1].weight = 12.5;
  const OrderedJson joints = OrderedJson::parse(cli::report_json(report))["joints"];
  EXPECT_EQ(joints[1]["acceleration"], 7.0);
  EXPECT_EQ(joints[1]["deceleration"], 8.0);
  EXPECT_EQ(joints[1]["jerk"], 9.0);
  EXPECT_EQ(joints[1]["weight"], 12.5);
  for (const char* key : {"acceleration", "deceleration", "jerk", "weight"}) {
    EXPECT_TRUE(joints[2][key].is_null()) << key;
  }
}

TEST(ReportJson, AnEmptyReportHasEmptyLists) {
  const OrderedJson got = OrderedJson::parse(cli::report_json({}));
  for (const char* key : {"joints", "mimic", "locked", "findings"}) {
    EXPECT_EQ(got[key], OrderedJson::array()) << key;
  }
  EXPECT_EQ(got["lumped"], OrderedJson::object());
}

TEST(ReportJson, InvalidUtf8IsReplaced) {
  ModelReport report = report_of_everything();
  report.findings[0].what = "it is called \xFF\"\n";
  const std::string what = OrderedJson::parse(cli::report_json(report))["findings"][0]["what"];
  EXPECT_EQ(what, "it is called \xEF\xBF\xBD\"\n");
}

}  // namespace
}  // namespace spatial_dynamics::test
