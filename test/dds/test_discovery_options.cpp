#include <gtest/gtest.h>

#include "dds/discovery_options.hpp"
#include "dds/graph.hpp"
#include "dds_test.hpp"

namespace spatial_dynamics::dds {
namespace {

using test::environment_of;
using test::error_of;
using test::Variables;

DiscoveryOptions options_of(const Variables& variables) {
  return discovery_options_from(environment_of(variables));
}
std::string config_of(const Variables& variables) {
  return cyclone_config(options_of(variables), 42);
}

/// The end of every configuration.
const std::string kEnd =
    "<Internal><MaxSampleSize>33554432 B</MaxSampleSize>"
    "<WriterLingerDuration>0 s</WriterLingerDuration></Internal></Domain></CycloneDDS>";

TEST(DiscoveryOptions, DomainIsZeroUnlessTheEnvironmentGivesAnother) {
  EXPECT_EQ(options_of({}).domain_id, 0U);
  EXPECT_EQ(options_of({{"ROS_DOMAIN_ID", ""}}).domain_id, 0U);
  EXPECT_EQ(options_of({{"ROS_DOMAIN_ID", "0"}}).domain_id, 0U);
  EXPECT_EQ(options_of({{"ROS_DOMAIN_ID", "42"}}).domain_id, 42U);
  EXPECT_EQ(options_of({{"ROS_DOMAIN_ID", "232"}}).domain_id, 232U);
  EXPECT_EQ(options_of({{"ROS_DOMAIN_ID", "0x10"}}).domain_id,
            16U);  // as strtoul reads it in ROS 2
  EXPECT_EQ(options_of({{"ROS_DOMAIN_ID", "010"}}).domain_id, 8U);
}

TEST(DiscoveryOptions, InvalidDomainIsRejectedByName) {
  for (const char* text : {"233", "-1", "abc", "5x", "1.0", " 1", "99999999999999999999", "0x"}) {
    EXPECT_EQ(
        error_of([&] {
          (void)options_of({{"ROS_DOMAIN_ID", text}});
        }),
        std::string("ROS_DOMAIN_ID is '") + text + "', and must be an integer from 0 to 232.");
  }
}

TEST(DiscoveryOptions, SubnetIsTheDefaultAndUsesMulticast) {
  EXPECT_EQ(config_of({}),
            "<CycloneDDS><Domain><Discovery><ParticipantIndex>auto</ParticipantIndex>"
            "<MaxAutoParticipantIndex>32</MaxAutoParticipantIndex></Discovery>" +
                kEnd);
  EXPECT_EQ(config_of({{"ROS_AUTOMATIC_DISCOVERY_RANGE", "SUBNET"}}), config_of({}));
}

TEST(DiscoveryOptions, LocalhostUsesUnicastToThisHost) {
  const std::string config =
      "<CycloneDDS><Domain><General><AllowMulticast>false</AllowMulticast></General>"
      "<Discovery><ParticipantIndex>auto</ParticipantIndex>"
      "<MaxAutoParticipantIndex>32</MaxAutoParticipantIndex>"
      "<Peers><Peer address=\"127.0.0.1\"/></Peers></Discovery>" +
      kEnd;
  EXPECT_EQ(config_of({{"ROS_AUTOMATIC_DISCOVERY_RANGE", "LOCALHOST"}}), config);
  EXPECT_EQ(config_of({{"ROS_LOCALHOST_ONLY", "1"}}), config);
}

TEST(DiscoveryOptions, OffUsesDomainTagOfProcess) {
  EXPECT_EQ(config_of({{"ROS_AUTOMATIC_DISCOVERY_RANGE", "OFF"}}),
            "<CycloneDDS><Domain><General><AllowMulticast>false</AllowMulticast></General>"
            "<Discovery><ParticipantIndex>none</ParticipantIndex>"
            "<Tag>ros_discovery_off_42</Tag></Discovery>" +
                kEnd);
}

TEST(DiscoveryOptions, SystemDefaultLeavesDiscoveryToCyclone) {
  EXPECT_EQ(config_of({{"ROS_AUTOMATIC_DISCOVERY_RANGE", "SYSTEM_DEFAULT"}}),
            "<CycloneDDS><Domain>" + kEnd);
}

TEST(DiscoveryOptions, StaticPeersAreAddedAndEscaped) {
  EXPECT_NE(config_of({{"ROS_STATIC_PEERS", "10.0.0.1;robot.local"}})
                .find("<Peers><Peer address=\"10.0.0.1\"/><Peer address=\"robot.local\"/></Peers>"),
            std::string::npos);
  EXPECT_NE(config_of({{"ROS_AUTOMATIC_DISCOVERY_RANGE", "LOCALHOST"}, {"ROS_STATIC_PEERS", "a"}})
                .find("<Peers><Peer address=\"127.0.0.1\"/><Peer address=\"a\"/></Peers>"),
            std::string::npos);
  EXPECT_NE(config_of({{"ROS_STATIC_PEERS", "\"/><x>&"}})
                .find("<Peer address=\"&quot;/&gt;&lt;x&gt;&amp;\"/>"),
            std::string::npos);
}

TEST(DiscoveryOptions, UnusedPeersAreIgnoredWithAWarning) {
  for (const char* range : {"OFF", "SYSTEM_DEFAULT"}) {
    const DiscoveryOptions options =
        options_of({{"ROS_AUTOMATIC_DISCOVERY_RANGE", range}, {"ROS_STATIC_PEERS", "a"}});
    EXPECT_TRUE(options.static_peers.empty());
    ASSERT_EQ(options.warnings.size(), 1U);
    EXPECT_EQ(
        options.warnings[0],
        std::string("ROS_STATIC_PEERS is ignored, because ROS_AUTOMATIC_DISCOVERY_RANGE is ") +
            range + ".");
  }
}

TEST(DiscoveryOptions, LocalhostOnlyOverridesRangeAndPeers) {
  const DiscoveryOptions options = options_of({{"ROS_LOCALHOST_ONLY", "1"},
                                               {"ROS_AUTOMATIC_DISCOVERY_RANGE", "SUBNET"},
                                               {"ROS_STATIC_PEERS", "a"}});
  EXPECT_EQ(options.range, DiscoveryRange::kLocalhost);
  EXPECT_TRUE(options.static_peers.empty());
  EXPECT_EQ(options.warnings.size(), 1U);
  EXPECT_EQ(options_of({{"ROS_LOCALHOST_ONLY", "0"}}).range, DiscoveryRange::kSubnet);
}

TEST(DiscoveryOptions, UnknownRangeMeansLocalhostAndIsReported) {
  const DiscoveryOptions options = options_of({{"ROS_AUTOMATIC_DISCOVERY_RANGE", "subnet"}});
  EXPECT_EQ(options.range, DiscoveryRange::kLocalhost);
  ASSERT_EQ(options.warnings.size(), 1U);
  EXPECT_NE(options.warnings[0].find("'subnet'"), std::string::npos);
}

TEST(DiscoveryOptions, CycloneDdsUriIsAppendedLast) {
  const std::string config = config_of({{"CYCLONEDDS_URI", "file:///etc/cyclonedds.xml"}});
  EXPECT_EQ(config, config_of({}) + ",file:///etc/cyclonedds.xml");
  EXPECT_EQ(config_of({{"ROS_AUTOMATIC_DISCOVERY_RANGE", "SYSTEM_DEFAULT"},
                       {"CYCLONEDDS_URI", "<CycloneDDS/>"}}),
            "<CycloneDDS><Domain>" + kEnd + ",<CycloneDDS/>");
}

TEST(DiscoveryOptions, IdentifiersHave24BytesUpToHumble) {
  const auto size_of = [](const Variables& variables) {
    return gid_size_from(environment_of(variables));
  };
  EXPECT_EQ(size_of({}), GidSize::k16);
  EXPECT_EQ(size_of({{"ROS_DISTRO", "jazzy"}}), GidSize::k16);
  EXPECT_EQ(size_of({{"ROS_DISTRO", "humble"}}), GidSize::k24);
  EXPECT_EQ(size_of({{"ROS_DISTRO", "humble"}, {"SPATIAL_DYNAMICS_GID_BYTES", "16"}}),
            GidSize::k16);
  EXPECT_EQ(size_of({{"SPATIAL_DYNAMICS_GID_BYTES", "24"}}), GidSize::k24);
  EXPECT_EQ(
      error_of([&] {
        (void)size_of({{"SPATIAL_DYNAMICS_GID_BYTES", "20"}});
      }),
      "SPATIAL_DYNAMICS_GID_BYTES is '20', and must be 16, or 24 for ROS 2 Humble and older.");
}

}  // namespace
}  // namespace spatial_dynamics::dds
