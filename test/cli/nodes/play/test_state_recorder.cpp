#include "cli/nodes/play/state_recorder.hpp"

#include <gtest/gtest.h>

#include "cli/robot_file.hpp"

namespace spatial_dynamics::test {
namespace {

TEST(StateRecorder, WritesRowsByJointAndSkipsPartialMessages) {
  const TemporaryFile file("");
  cli::StateRecorder recorder(file.path());
  recorder.write(0.5, {{"b", "a"}, {1, 2}, {3, 4}, {}});
  recorder.write(0.6, {{"a", "c", "b"}, {5, 0, 6}, {7, 0, 8}, {9, 0, 10}});
  recorder.write(0.7, {{"a"}, {5}, {7}, {9}});
  EXPECT_EQ(recorder.rows(), 2U);
  EXPECT_TRUE(recorder.close());
  EXPECT_EQ(text_of(file.path()),
            "time,position:b,velocity:b,effort:b,position:a,velocity:a,effort:a\n"
            "0.5,1,3,,2,4,\n0.6,6,8,10,5,7,9\n");
}

TEST(StateRecorder, NamesAFileThatCannotBeWritten) {
  EXPECT_THROW(cli::StateRecorder("/no/such/folder/log.csv"), std::runtime_error);
}

}  // namespace
}  // namespace spatial_dynamics::test
