// Counts of a serialised message, before it is decoded.
#include "runtime/message_counts.hpp"

#include <gtest/gtest.h>

#include <cstdint>
#include <string>
#include <vector>

namespace spatial_dynamics::test {
namespace {

/// Writes messages as DDS does, in one of its encodings.
class Encoder {
 public:
  Encoder(bool little, bool second) : little_(little), second_(second) {
    const int encoding = (second ? 6 : 0) + (little ? 1 : 0);
    bytes = {'\0', static_cast<char>(encoding), '\0', '\0'};
  }
  void number(std::uint32_t x) {
    while (bytes.size() % 4 != 0) bytes += '\0';
    for (int i = 0; i < 4; ++i) bytes += static_cast<char>(x >> 8 * (little_ ? i : 3 - i));
  }
  void text(const std::string& x) {
    number(static_cast<std::uint32_t>(x.size() + 1));
    bytes += x + '\0';
  }
  void length(std::uint32_t x) {
    if (second_) number(4 * x + 4);
    number(x);
  }
  void header() {
    number(1);
    number(2);
    text("base");
  }
  std::string bytes;

 private:
  bool little_, second_;
};

class MessageCounts : public ::testing::TestWithParam<std::pair<bool, bool>> {
 protected:
  [[nodiscard]] Encoder begin() const {
    Encoder encoder(GetParam().first, GetParam().second);
    encoder.header();
    return encoder;
  }
};

TEST_P(MessageCounts, NamesOfAJointStateAreCounted) {
  Encoder good = begin(), bad = begin();
  good.length(65'536);
  bad.length(65'537);
  EXPECT_EQ(check_joint_state_counts(good.bytes), "");
  EXPECT_EQ(check_joint_state_counts(bad.bytes), "it has 65537 names, and at most 65536 are read");
  EXPECT_NE(check_trajectory_counts(bad.bytes), "");
}

TEST_P(MessageCounts, PointsOfATrajectoryAreCounted) {
  for (const std::uint32_t points : {0U, 100'000U, 100'001U, 1'300'000U}) {
    Encoder encoder = begin();
    encoder.length(2);
    encoder.text("shoulder");
    encoder.text("elbow");
    encoder.length(points);
    const std::string reason = check_trajectory_counts(encoder.bytes);
    EXPECT_EQ(reason.empty(), points <= 100'000U) << reason;
    if (points > 100'000U) {
      EXPECT_NE(reason.find(std::to_string(points) + " points"), std::string::npos) << reason;
    }
  }
}

TEST_P(MessageCounts, TruncatedBytesAreLeftToTheDecoder) {
  Encoder encoder = begin();
  encoder.length(3);
  encoder.text("shoulder");
  for (std::size_t size = 0; size <= encoder.bytes.size(); ++size) {
    const std::string_view part = std::string_view(encoder.bytes).substr(0, size);
    EXPECT_EQ(check_trajectory_counts(part), "");
    EXPECT_EQ(check_joint_state_counts(part), "");
  }
}
INSTANTIATE_TEST_SUITE_P(Encodings, MessageCounts,
                         ::testing::Values(std::pair(true, false), std::pair(false, false),
                                           std::pair(true, true), std::pair(false, true)));

}  // namespace
}  // namespace spatial_dynamics::test
