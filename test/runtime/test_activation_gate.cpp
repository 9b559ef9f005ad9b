// When a node may start beside others, with a simulated clock.
#include "runtime/activation_gate.hpp"
#include "support/constants.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <random>

namespace spatial_dynamics::test {
namespace {

ForeignPublisher rival(std::uint64_t source, bool precedes_us = false) {
  return {source, "/dynamics/torque", "/x", true, precedes_us};
}

class GateTest : public ::testing::Test {
 protected:
  bool open_at(int ms, bool ready = true) { return gate.open(ms * kMillisecond, ready); }

  ActivationGate gate;
};

TEST_F(GateTest, IsOpenWithoutLookAround) { EXPECT_TRUE(open_at(0)); }

TEST_F(GateTest, IsClosedWhileTheNodeLooksAround) {
  gate.look_around(1000 * kMillisecond);
  EXPECT_FALSE(open_at(1000));
  EXPECT_FALSE(open_at(1199));
  EXPECT_TRUE(open_at(1200));
}

TEST_F(GateTest, IsClosedForHalfASecondAfterEachForeignTorque) {
  gate.set_publishers({rival(7)});
  gate.note_torque(7, 1000 * kMillisecond);
  EXPECT_FALSE(open_at(1001));
  gate.note_torque(7, 1400 * kMillisecond);
  EXPECT_FALSE(open_at(1899));
  EXPECT_TRUE(open_at(1900));
}

TEST_F(GateTest, OtherPublishersDoNotCloseIt) {
  gate.set_publishers({{7, "/dynamics/torque", "/recorder", false, true}});
  gate.note_torque(7, 1000 * kMillisecond);
  gate.note_torque(8, 1000 * kMillisecond);  // not in the list
  EXPECT_TRUE(open_at(1001));
  EXPECT_EQ(gate.obstacle(1001 * kMillisecond), "");
  EXPECT_EQ(gate.publishers().size(), 1u);
}

TEST_F(GateTest, HigherOfTwoWaitingNodesStartsLater) {
  gate.set_publishers({rival(7, true)});
  EXPECT_FALSE(open_at(1000));
  EXPECT_FALSE(open_at(1299));
  EXPECT_TRUE(open_at(1300));
  gate.set_publishers({rival(7, false)});
  EXPECT_TRUE(open_at(1301));
}

TEST_F(GateTest, HigherOfTwoWaitsFromWhenItIsReady) {
  gate.set_publishers({rival(7, true)});
  EXPECT_FALSE(open_at(5000, false));
  EXPECT_FALSE(open_at(9000));
  gate.note_torque(7, 9100 * kMillisecond);  // the lower one has started
  EXPECT_FALSE(open_at(9300));
  EXPECT_FALSE(open_at(9599));
}

TEST_F(GateTest, ReplacesKilledNodeAfterHalfASecond) {
  gate.set_publishers({rival(7, true)});
  gate.note_torque(7, 1000 * kMillisecond);
  gate.set_publishers({rival(7, true)});  // DDS still lists it for ten seconds
  EXPECT_FALSE(open_at(1499));
  EXPECT_TRUE(open_at(1500));
}

TEST_F(GateTest, LowerOfTwoStartsFirstAfterLongSilence) {
  gate.set_publishers({rival(7, true)});
  gate.note_torque(7, 1000 * kMillisecond);
  EXPECT_FALSE(open_at(2100));  // both were deactivated at 1000, and are activated again
  EXPECT_FALSE(open_at(2399));
  EXPECT_TRUE(open_at(2400));
}

TEST_F(GateTest, LowerOfTwoNodesWaitingForAThirdStartsFirst) {
  gate.set_publishers({rival(7, false), rival(8, true)});
  gate.note_torque(7, 1000 * kMillisecond);
  EXPECT_FALSE(open_at(1499));
  EXPECT_FALSE(open_at(1500));  // 8 may start now
  EXPECT_FALSE(open_at(1799));
  EXPECT_TRUE(open_at(1800));
}

TEST_F(GateTest, EstablishedNodeDoesNotYield) {
  gate.set_publishers({rival(7, true), rival(8, false)});
  const std::int64_t settled = 1000 * kMillisecond + ActivationGate::kSettling;
  EXPECT_FALSE(gate.yields(settled, 1000 * kMillisecond));
  for (std::int64_t now = settled; now < settled + 5000 * kMillisecond; now += 100 * kMillisecond) {
    gate.note_torque(7, now);
    gate.note_torque(8, now);
    EXPECT_FALSE(gate.yields(now, 1000 * kMillisecond));
  }
}

TEST_F(GateTest, HigherOfTwoSimultaneousStartsYieldsAtOnce) {
  gate.set_publishers({rival(7, true)});
  EXPECT_FALSE(gate.yields(1000 * kMillisecond, 1000 * kMillisecond));
  gate.note_torque(7, 1900 * kMillisecond);
  EXPECT_TRUE(gate.yields(1901 * kMillisecond, 1000 * kMillisecond));
  EXPECT_FALSE(open_at(1902));
}

TEST_F(GateTest, LowerOfTwoSimultaneousStartsYieldsOnlyIfOtherPersists) {
  gate.set_publishers({rival(7, false)});
  for (int ms = 1900; ms < 6900; ms += 100) {
    gate.note_torque(7, ms * kMillisecond);
    EXPECT_FALSE(gate.yields(ms * kMillisecond, 1000 * kMillisecond)) << ms;
  }
  gate.note_torque(7, 6900 * kMillisecond);
  EXPECT_TRUE(gate.yields(6900 * kMillisecond, 1000 * kMillisecond));
}

TEST_F(GateTest, NodeStaysActiveAfterRivalYields) {
  gate.set_publishers({rival(7, false)});
  gate.note_torque(7, 1900 * kMillisecond);
  EXPECT_FALSE(gate.yields(1900 * kMillisecond, 1000 * kMillisecond));
  EXPECT_FALSE(
      gate.yields(2500 * kMillisecond, 1000 * kMillisecond));  // it has been silent for 0.6 s
  for (int ms = 3000; ms < 9000; ms += 100) {
    gate.note_torque(7, ms * kMillisecond);
    EXPECT_FALSE(gate.yields(ms * kMillisecond, 1000 * kMillisecond)) << ms;
  }
}

/// Two nodes, each with its gate, that send every 10 ms and discover each other late.
class TwoGates {
 public:
  /// The times of each node's first states, and of its discovery of the other, ms.
  struct Times {
    int ready, discovers;
  };
  explicit TwoGates(std::array<Times, 2> times) : times_(times) {}

  void advance(int ms) {
    const std::int64_t now = ms * kMillisecond;
    for (std::size_t i = 0; i < 2; ++i) {
      Node& node = nodes_[i];
      if (ms == times_[i].discovers) node.gate.set_publishers({rival(1, i == 1)});
      if (ms >= times_[i].discovers && nodes_[1 - i].sends(now)) node.gate.note_torque(1, now);
    }
    for (std::size_t i = 0; i < 2; ++i) nodes_[i].step(now, ms >= times_[i].ready);
  }
  [[nodiscard]] bool drives(std::size_t i) const { return nodes_[i].driving; }

 private:
  struct Node {
    ActivationGate gate;
    bool driving = false;
    std::int64_t since = 0, ramps_until = 0;

    [[nodiscard]] bool sends(std::int64_t now) const { return driving || now < ramps_until; }
    void step(std::int64_t now, bool ready) {
      if (driving && gate.yields(now, since)) {
        driving = false;
        ramps_until = now + 300 * kMillisecond;
      } else if (!driving && now >= ramps_until && gate.open(now, ready) && ready) {
        driving = true;
        since = now;
      }
    }
  };
  std::array<Times, 2> times_;
  std::array<Node, 2> nodes_;
};

TEST(TwoGatesTest, ExactlyOneDrivesForAnyDiscoveryDelay) {
  std::mt19937 random(1);
  const auto up_to = [&random](int ms) {
    return std::uniform_int_distribution<int>(0, ms / 10)(random) * 10;
  };
  for (int run = 0; run < 500; ++run) {
    // Discovery within 1.5 s of a node's first torque, in either direction.
    const int first = up_to(1000), second = up_to(1000), late = std::max(first, second);
    const std::array<TwoGates::Times, 2> times{
        {{first, up_to(late + 400)}, {second, up_to(late + 400)}}};
    TwoGates gates(times);
    for (int ms = 0; ms < 9000; ms += 10) gates.advance(ms);
    const bool driver = gates.drives(1);
    for (int ms = 9000; ms < 12000; ms += 10) {
      gates.advance(ms);
      ASSERT_NE(gates.drives(0), gates.drives(1))
          << first << ' ' << second << ' ' << times[0].discovers << ' ' << times[1].discovers;
      ASSERT_EQ(gates.drives(1), driver);
    }
  }
}

TEST(TwoGatesTest, EstablishedNodeKeepsDriving) {
  for (const std::size_t established : {0u, 1u}) {
    std::array<TwoGates::Times, 2> times{{{0, 6000}, {0, 6000}}};
    times[1 - established] = {5500, 6000};  // starts, and discovers the other 0.5 s later
    TwoGates gates(times);
    for (int ms = 0; ms < 16000; ms += 10) {
      gates.advance(ms);
      ASSERT_TRUE(gates.drives(established)) << ms;
    }
    EXPECT_FALSE(gates.drives(1 - established));
  }
}

TEST_F(GateTest, ObstacleHasNodeAndTopic) {
  EXPECT_EQ(gate.obstacle(0), "");
  gate.set_publishers({rival(7)});
  EXPECT_EQ(gate.obstacle(0), "");
  gate.note_torque(7, 1000 * kMillisecond);
  EXPECT_EQ(gate.obstacle(1001 * kMillisecond), "node /x sends on /dynamics/torque");
  EXPECT_EQ(gate.obstacle(1500 * kMillisecond), "");
  gate.set_publishers({{7, "/torques", "", true, true}});
  EXPECT_EQ(gate.obstacle(3000 * kMillisecond),
            "another spatial_dynamics node may send first on /torques");
}

}  // namespace
}  // namespace spatial_dynamics::test
