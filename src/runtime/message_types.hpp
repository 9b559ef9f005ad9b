// The message types of the topic tables, as the types of a middleware.
#pragma once

#include "runtime/topics.hpp"

namespace spatial_dynamics {

/// Names a message type in a call.
template <typename T>
struct MessageTag {
  using Type = T;
};

/// Calls `visit(MessageTag<T>)` with the type of middleware M that a row of a topic table names.
/// Publishers and subscriptions get their types here only. See message_views.hpp for M.
template <typename M, typename Visit>
void visit_message_type(MessageType type, const Visit& visit) {
  switch (type) {
    case MessageType::kBool:
      return visit(MessageTag<typename M::Bool>());
    case MessageType::kString:
      return visit(MessageTag<typename M::String>());
    case MessageType::kFloat64MultiArray:
      return visit(MessageTag<typename M::Float64MultiArray>());
    case MessageType::kJointState:
      return visit(MessageTag<typename M::JointState>());
    case MessageType::kJointTrajectory:
      return visit(MessageTag<typename M::JointTrajectory>());
    case MessageType::kOdometry:
      return visit(MessageTag<typename M::Odometry>());
    case MessageType::kAccelStamped:
      return visit(MessageTag<typename M::AccelStamped>());
    case MessageType::kWrenchStamped:
      return visit(MessageTag<typename M::WrenchStamped>());
    case MessageType::kInertiaStamped:
      return visit(MessageTag<typename M::InertiaStamped>());
    case MessageType::kVector3Stamped:
      return visit(MessageTag<typename M::Vector3Stamped>());
    case MessageType::kDiagnosticArray:
      return visit(MessageTag<typename M::DiagnosticArray>());
    case MessageType::kMetricsMessage:
      return visit(MessageTag<typename M::MetricsMessage>());
    case MessageType::kClock:
      return visit(MessageTag<typename M::Clock>());
  }
}

}  // namespace spatial_dynamics
