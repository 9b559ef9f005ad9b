// The joint states of a recording, by topic, and the choice of the topic that is the log.
#pragma once

#include <optional>

#include "identification/joint_state_message.hpp"
#include "identification/log_table.hpp"

namespace spatial_dynamics {

/// Collects messages for a robot's coordinates and makes rows of them.
class JointStateRows {
 public:
  explicit JointStateRows(const std::vector<ScalarCoordinate>& coordinates)
      : coordinates_(coordinates), table_(coordinates.size()) {}

  /// Appends a message. Its time is the stamp, or `received`, ns, if that is zero. Messages
  /// without a position of any of the robot's joints are ignored. Throws LogProblem.
  void add(const JointStateMessage& message, std::int64_t received);

  [[nodiscard]] LogTable& table() noexcept { return table_; }
  [[nodiscard]] std::size_t messages() const noexcept { return messages_; }
  /// The largest numbers of coordinates with a position, and with an effort, in one message.
  [[nodiscard]] std::size_t positions() const noexcept { return positions_; }
  [[nodiscard]] std::size_t efforts() const noexcept { return efforts_; }

 private:
  void find_coordinates(const std::vector<std::string>& names);

  const std::vector<ScalarCoordinate>& coordinates_;
  LogTable table_;
  std::vector<std::string> names_;  // of the last message
  std::vector<Index> of_name_;      // coordinate of each of them; kNoIndex: none
  std::vector<double> row_;
  std::optional<std::int64_t> begin_;  // time of the first row, ns
  std::size_t messages_ = 0, positions_ = 0, efforts_ = 0;
};

/// Receives the messages of a recording from its reader.
class JointStateTopics {
 public:
  JointStateTopics(const std::vector<ScalarCoordinate>& coordinates, const LogReadOptions& options)
      : coordinates_(coordinates), options_(options) {}

  /// Announces a topic; the same name and type twice give the same number. `encoding` is "cdr" for
  /// ROS 2.
  std::size_t topic(const std::string& name, const std::string& type, const std::string& encoding);
  /// True if messages of this topic are needed.
  [[nodiscard]] bool wanted(std::size_t topic) const { return topics_[topic].wanted; }
  /// `received` in ns. Throws LogProblem if the message can't be decoded.
  void message(std::size_t topic, std::int64_t received, std::string_view bytes);

  /// The rows of the chosen topic. Throws LogProblem if there is none.
  LogTable choose();

 private:
  struct TopicRows {
    std::string name, type;
    bool wanted = false;
    JointStateRows rows;
  };
  [[nodiscard]] std::string list(bool joint_states) const;
  [[nodiscard]] TopicRows& chosen();

  const std::vector<ScalarCoordinate>& coordinates_;
  const LogReadOptions& options_;
  std::vector<TopicRows> topics_;
  JointStateMessage message_;
};

}  // namespace spatial_dynamics
