// Values of diagnostics and names of metrics that programs read: written by the node, read by
// `spatial_dynamics demo` and `spatial_dynamics send`.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "spatial_dynamics/control/control_output.hpp"

namespace spatial_dynamics {

/// The name of a node's status in diagnostics. Allocates.
std::string status_name(const std::string& node);

// Keys of diagnostics.
inline constexpr const char* kOverrunsKey = "overruns";
inline constexpr const char* kTorquesSentKey = "torques sent";
inline constexpr const char* kTorquesReplacedKey = "torques replaced";
inline constexpr const char* kFaultsKey = "faults";
inline constexpr const char* kTorqueModeKey = "torque mode";
/// The stiffness of each joint, in a mode with springs.
inline constexpr const char* kStiffnessKey = "stiffness";
/// How many contacts were acknowledged; absent while there is no contact.reaction.
inline constexpr const char* kAcknowledgedKey = "contacts acknowledged";
/// Gains that are not stable at the rate of the loop; absent without any.
inline constexpr const char* kGainsKey = "gains outside of the stable range";
/// The last message that was dropped with an explanation: reason, element and remedy.
inline constexpr const char* kLastRejectionKey = "last rejected message";
/// The payload of a link. Allocates.
std::string payload_key(std::string_view link);
/// The key of the warning that the weight of a link's payload exceeds an effort limit. Allocates.
std::string payload_warning_key(std::string_view link);

/// Present while a change of payloads or gravity is not checked against the effort limits yet.
inline constexpr const char* kPayloadCheckKey = "payload check";

// Metrics that are durations.
inline constexpr const char* kStateAgeMetric = "state_age";
inline constexpr const char* kWakeupJitterMetric = "wakeup_jitter";
inline constexpr const char* kComputeTimeMetric = "compute_time";
inline constexpr const char* kStateToTorqueMetric = "state_to_torque";

/// The value of kFaultsKey without a fault.
inline constexpr const char* kNoFaults = "none";
/// The value of kFaultsKey: kNoFaults, or a list of names. Allocates.
std::string faults_text(Faults faults);
/// Whether a value of kFaultsKey reports a fault.
inline bool reports_fault(std::string_view faults) noexcept { return faults != kNoFaults; }

/// Median and 99th percentile of the last second.
struct Quantiles {
  double p50_ms = 0.0, p99_ms = 0.0;
};
/// The key with the quantiles of a metric of those above, as diagnostics and documentation spell
/// it: "state age p50, p99". Allocates.
std::string quantiles_key(std::string_view metric);
/// The metric whose quantiles_key() this is; empty for another key. Allocates.
std::string_view metric_of_key(std::string_view key);
/// "0.012 ms, 0.034 ms". Allocates.
std::string quantiles_text(const Quantiles& quantiles);
/// The quantiles whose quantiles_text() this is; empty for another text.
std::optional<Quantiles> parse_quantiles(std::string_view text) noexcept;

/// A value that is a count; empty for another text.
std::optional<std::uint64_t> parse_count(std::string_view text) noexcept;

}  // namespace spatial_dynamics
