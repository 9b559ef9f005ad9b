#include "identification/joint_state_topics.hpp"

#include <algorithm>
#include <cmath>
#include <tuple>

#include "identification/log_problem.hpp"
#include "support/text.hpp"

namespace spatial_dynamics {
namespace {

constexpr std::size_t kMostTopics = 100'000;
constexpr std::size_t kListedTopics = 5;

}  // namespace

void JointStateRows::find_coordinates(const std::vector<std::string>& names) {
  if (names == names_) return;
  names_ = names;
  of_name_.assign(names.size(), kNoIndex);
  for (std::size_t i = 0; i < names.size(); ++i) {
    for (std::size_t k = 0; k < coordinates_.size(); ++k) {
      if (names[i] == coordinates_[k].name) of_name_[i] = static_cast<Index>(k);
    }
  }
}

void JointStateRows::add(const JointStateMessage& message, std::int64_t received) {
  ++messages_;
  find_coordinates(message.name);
  row_.assign(table_.width(), kMissingNumber);
  const auto fill = [&](LogQuantity quantity, const std::vector<double>& values) {
    if (values.size() != message.name.size()) return std::size_t{0};
    std::size_t count = 0;
    const std::size_t first = first_column(quantity, coordinates_.size());
    for (std::size_t i = 0; i < values.size(); ++i) {
      if (of_name_[i] == kNoIndex || !std::isfinite(values[i])) continue;
      row_[first + to_size(of_name_[i])] = values[i];
      ++count;
    }
    return count;
  };
  const std::size_t positions = fill(LogQuantity::kPosition, message.position);
  if (positions == 0) return;
  (void)fill(LogQuantity::kVelocity, message.velocity);
  positions_ = std::max(positions_, positions);
  efforts_ = std::max(efforts_, fill(LogQuantity::kEffort, message.effort));
  const std::int64_t time = message.stamp != 0 ? message.stamp : received;
  if (!begin_.has_value()) begin_ = time;
  // As unsigned numbers the difference can't overflow.
  const auto since = static_cast<std::int64_t>(static_cast<std::uint64_t>(time) -
                                               static_cast<std::uint64_t>(*begin_));
  row_[0] = 1e-9 * static_cast<double>(since);
  table_.add(row_, ", message " + std::to_string(messages_));
}

std::size_t JointStateTopics::topic(const std::string& name, const std::string& type,
                                    const std::string& encoding) {
  for (std::size_t i = 0; i < topics_.size(); ++i) {
    if (topics_[i].name == name && topics_[i].type == type) return i;
  }
  if (topics_.size() == kMostTopics) throw LogProblem("has over 100000 topics");
  const bool is_named = options_.topic.empty() || options_.topic == name;
  const bool is_joint_states = type == kJointStateType && encoding == "cdr";
  topics_.push_back({name, type, is_named && is_joint_states, JointStateRows(coordinates_)});
  return topics_.size() - 1;
}

void JointStateTopics::message(std::size_t topic, std::int64_t received, std::string_view bytes) {
  TopicRows& rows = topics_[topic];
  if (!rows.wanted) return;
  const std::string problem = decode_joint_state(bytes, message_);
  if (!problem.empty()) {
    throw LogProblem("message " + std::to_string(rows.rows.messages() + 1) + " on topic " +
                     in_quotes(rows.name) + " is not a JointState: " + problem);
  }
  rows.rows.add(message_, received);
}

std::string JointStateTopics::list(bool joint_states) const {
  std::string names;
  std::size_t count = 0;
  for (const TopicRows& topic : topics_) {
    if (joint_states != (topic.type == kJointStateType)) continue;
    if (++count > kListedTopics) continue;
    names += (names.empty() ? "" : ", ") + in_quotes(topic.name);
  }
  return count > kListedTopics ? names + " and " + std::to_string(count - kListedTopics) + " more"
                               : names;
}

JointStateTopics::TopicRows& JointStateTopics::chosen() {
  const std::string joint_states = list(true), others = list(false);
  if (!options_.topic.empty()) {
    for (TopicRows& topic : topics_) {
      if (topic.name == options_.topic && topic.wanted) return topic;
    }
    for (const TopicRows& topic : topics_) {
      if (topic.name != options_.topic || topic.type == kJointStateType) continue;
      throw LogProblem("has messages of type " + in_quotes(topic.type) + " on topic " +
                       in_quotes(topic.name) + ", not " + kJointStateType);
    }
    throw LogProblem("has no topic " + in_quotes(options_.topic) +
                     (joint_states.empty() ? "; it has no joint states"
                                           : "; its joint states are on " + joint_states));
  }
  TopicRows* best = nullptr;
  const auto score = [](const TopicRows& topic) {
    return std::make_tuple(topic.rows.positions(), topic.rows.efforts(), topic.rows.messages());
  };
  for (TopicRows& topic : topics_) {
    if (topic.wanted && (best == nullptr || score(topic) > score(*best))) best = &topic;
  }
  if (best != nullptr) return *best;
  const std::string wanted = std::string("has no topic of type ") + kJointStateType;
  if (!joint_states.empty()) throw LogProblem(wanted + " in CDR, the encoding of ROS 2");
  throw LogProblem(wanted + (others.empty() ? "" : "; it has " + others));
}

LogTable JointStateTopics::choose() {
  TopicRows& best = chosen();
  if (best.rows.messages() == 0) {
    throw LogProblem("has no message on topic " + in_quotes(best.name));
  }
  if (best.rows.positions() == 0) {
    throw LogProblem("has no joint of this robot on topic " + in_quotes(best.name) +
                     "; is it another robot's?");
  }
  LogTable table = std::move(best.rows.table());
  table.source.topic = best.name;
  return table;
}

}  // namespace spatial_dynamics
