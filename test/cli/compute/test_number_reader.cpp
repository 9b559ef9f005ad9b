#include "cli/compute/number_reader.hpp"

#include <gtest/gtest.h>

#include <array>

namespace spatial_dynamics::test {
namespace {

using cli::JsonReader;
using cli::Place;

TEST(NumberReader, PlaceNamesMemberElementAndItem) {
  EXPECT_EQ((Place{"q"}.text()), "q");
  EXPECT_EQ((Place{"v", "elbow"}.text()), "v of 'elbow'");
  EXPECT_EQ((Place{"wrenches", "hand", 5}.text()), "wrenches of 'hand'[5]");
}

TEST(NumberReader, ReturnsTheCountButStoresNoMoreThanRequested) {
  std::array<double, 3> values{7, 7, 7};
  JsonReader long_array("[1,2,3,4]"), short_array("[5]");
  EXPECT_EQ(cli::read_numbers(long_array, {"q"}, 2, values.data()), 4);
  EXPECT_EQ(values, (std::array<double, 3>{1, 2, 7}));
  EXPECT_EQ(cli::read_numbers(short_array, {"q"}, 2, values.data()), 1);
  EXPECT_EQ(values, (std::array<double, 3>{5, 2, 7}));
  EXPECT_EQ(cli::wrong_count({"q"}, 2, 4), "q must have 2 numbers, not 4");
  EXPECT_EQ(cli::wrong_count({"q"}, 1, 0), "q must have 1 number, not 0");
}

TEST(NumberReader, RejectsWhatIsNoMeaningfulNumber) {
  const auto error = [](const char* text) -> std::string {
    JsonReader json(text);
    std::array<double, 2> values{};
    try {
      cli::read_numbers(json, {"q"}, 2, values.data());
    } catch (const cli::InputError& rejected) {
      return rejected.what();
    }
    return {};
  };
  EXPECT_EQ(error("[1e15,-1e15]"), "");
  EXPECT_EQ(error("[0,1.1e15]"), "q[1] is beyond 1e15, which is not a meaningful number");
  EXPECT_EQ(error("[true]"), "q[0] must be a number");
  EXPECT_EQ(error("\"1\""), "q must be an array of 2 numbers");
}

}  // namespace
}  // namespace spatial_dynamics::test
