#include "cli/nodes/listen/json_line.hpp"

#include <array>
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <string_view>
#include <utility>

#include "dds/message.hpp"
#include "support/text.hpp"

namespace spatial_dynamics::cli {
namespace {

/// Writes one object, in the order of the calls.
class JsonObject {
 public:
  /// `raw` is JSON.
  void add_raw(std::string_view key, std::string_view raw) {
    text_ += text_.size() > 1 ? "," : "";
    append_json_string(text_, key);
    text_.append(":").append(raw);
  }
  void add(std::string_view key, std::string_view value) {
    std::string text;
    append_json_string(text, value);
    add_raw(key, text);
  }
  void add(std::string_view key, double value) { add_raw(key, number(value)); }
  void add_time(std::string_view key, std::int64_t nanoseconds) {
    std::array<char, 32> seconds{};  // a double would lose the last digits
    std::snprintf(seconds.data(), seconds.size(), "%s%lld.%09lld", nanoseconds < 0 ? "-" : "",
                  std::llabs(nanoseconds / 1'000'000'000), std::llabs(nanoseconds % 1'000'000'000));
    add_raw(key, seconds.data());
  }
  template <typename Header>
  void add_header(const Header& header) {
    add_time("stamp", dds::nanoseconds(header.stamp));
    add("frame", dds::text(header.frame_id));
  }
  template <typename Xyz>
  void add_vector(std::string_view key, const Xyz& v) {
    add_raw(key, "[" + number(v.x) + "," + number(v.y) + "," + number(v.z) + "]");
  }
  /// Numbers by name; those without a name are left out. Nothing if there are none.
  template <typename Names, typename Values>
  void add_by_name(std::string_view key, const Names& names, const Values& values) {
    if (values.empty()) return;
    JsonObject by_name;
    for (std::size_t i = 0; i < values.size() && i < names.size(); ++i) {
      by_name.add(names[i], values[i]);
    }
    add_raw(key, std::move(by_name).end());
  }
  [[nodiscard]] std::string end() && { return std::move(text_) + "}"; }

  static std::string number(double value) {
    if (!std::isfinite(value)) return "null";
    std::string text;
    append_number(text, value);
    return text;
  }

 private:
  std::string text_ = "{";
};

/// "[…,…]" of the texts that `write` returns.
template <typename Range, typename Write>
std::string json_array(const Range& range, const Write& write) {
  std::string text = "[";
  for (const auto& element : range) text.append(text.size() > 1 ? "," : "").append(write(element));
  return text + "]";
}

const char* level_name(std::uint8_t level) noexcept {
  constexpr std::array<const char*, 4> kNames{"OK", "WARN", "ERROR", "STALE"};
  return level < kNames.size() ? kNames.at(level) : "UNKNOWN";
}

std::string statistic_name(std::uint8_t type) {
  constexpr std::array<const char*, 6> kNames{"uninitialized", "average", "minimum",
                                              "maximum",       "stddev",  "sample_count"};
  return type < kNames.size() ? kNames.at(type) : "type " + std::to_string(type);
}

}  // namespace

std::string json_line(const dds::JointState& message) {
  JsonObject line;
  line.add_time("stamp", dds::nanoseconds(message.header.stamp));
  const auto names = dds::view(message.name);
  line.add_by_name("position", names, dds::view(message.position));
  line.add_by_name("velocity", names, dds::view(message.velocity));
  line.add_by_name("effort", names, dds::view(message.effort));
  return std::move(line).end();
}

std::string json_line(const dds::JointTrajectory& message) {
  JsonObject line;
  line.add_time("stamp", dds::nanoseconds(message.header.stamp));
  const auto names = dds::view(message.joint_names);
  line.add_raw("points", json_array(dds::view(message.points), [&names](const auto& p) {
                 JsonObject point;
                 point.add_time("time_from_start", dds::nanoseconds(p.time_from_start));
                 point.add_by_name("position", names, dds::view(p.positions));
                 point.add_by_name("velocity", names, dds::view(p.velocities));
                 point.add_by_name("acceleration", names, dds::view(p.accelerations));
                 point.add_by_name("effort", names, dds::view(p.effort));
                 return std::move(point).end();
               }));
  return std::move(line).end();
}

std::string json_line(const dds::Bool& message) {
  JsonObject line;
  line.add_raw("data", message.data ? "true" : "false");
  return std::move(line).end();
}

std::string json_line(const dds::String& message) {
  JsonObject line;
  line.add("data", dds::text(message.data));
  return std::move(line).end();
}

std::string json_line(const dds::Float64MultiArray& message) {
  JsonObject line;
  line.add_raw("dimensions", json_array(dds::view(message.layout.dim), [](const auto& d) {
                 JsonObject dimension;
                 dimension.add("label", dds::text(d.label));
                 dimension.add("size", static_cast<double>(d.size));
                 return std::move(dimension).end();
               }));
  line.add_raw("data", json_array(dds::view(message.data), &JsonObject::number));
  return std::move(line).end();
}

std::string json_line(const dds::Odometry& message) {
  JsonObject line;
  line.add_header(message.header);
  line.add("child_frame", dds::text(message.child_frame_id));
  line.add_vector("position", message.pose.pose.position);
  const auto& q = message.pose.pose.orientation;
  line.add_raw("orientation",
               json_array(std::array<double, 4>{q.x, q.y, q.z, q.w}, &JsonObject::number));
  line.add_vector("linear", message.twist.twist.linear);
  line.add_vector("angular", message.twist.twist.angular);
  return std::move(line).end();
}

std::string json_line(const dds::AccelStamped& message) {
  JsonObject line;
  line.add_header(message.header);
  line.add_vector("linear", message.accel.linear);
  line.add_vector("angular", message.accel.angular);
  return std::move(line).end();
}

std::string json_line(const dds::WrenchStamped& message) {
  JsonObject line;
  line.add_header(message.header);
  line.add_vector("force", message.wrench.force);
  line.add_vector("torque", message.wrench.torque);
  return std::move(line).end();
}

std::string json_line(const dds::InertiaStamped& message) {
  const auto& m = message.inertia;
  JsonObject inertia;
  for (const auto& [key, value] :
       {std::pair("ixx", m.ixx), std::pair("iyy", m.iyy), std::pair("izz", m.izz),
        std::pair("ixy", m.ixy), std::pair("ixz", m.ixz), std::pair("iyz", m.iyz)}) {
    inertia.add(key, value);
  }
  JsonObject line;
  line.add_header(message.header);
  line.add("mass", m.m);
  line.add_vector("center", m.com);
  line.add_raw("inertia", std::move(inertia).end());
  return std::move(line).end();
}

std::string json_line(const dds::Vector3Stamped& message) {
  JsonObject line;
  line.add_header(message.header);
  line.add_vector("vector", message.vector);
  return std::move(line).end();
}

std::string json_line(const dds::DiagnosticArray& message) {
  JsonObject line;
  line.add_time("stamp", dds::nanoseconds(message.header.stamp));
  line.add_raw("status", json_array(dds::view(message.status), [](const auto& s) {
                 JsonObject values;
                 for (const dds::KeyValue& v : dds::view(s.values)) {
                   values.add(dds::text(v.key), dds::text(v.value));
                 }
                 JsonObject status;
                 status.add("level", level_name(s.level));
                 status.add("name", dds::text(s.name));
                 status.add("message", dds::text(s.message));
                 status.add_raw("values", std::move(values).end());
                 return std::move(status).end();
               }));
  return std::move(line).end();
}

std::string json_line(const dds::MetricsMessage& message) {
  JsonObject line;
  line.add_time("start", dds::nanoseconds(message.window_start));
  line.add_time("stop", dds::nanoseconds(message.window_stop));
  line.add("source", dds::text(message.measurement_source_name));
  line.add("metric", dds::text(message.metrics_source));
  line.add("unit", dds::text(message.unit));
  for (const dds::StatisticDataPoint& point : dds::view(message.statistics)) {
    line.add(statistic_name(point.data_type), point.data);
  }
  return std::move(line).end();
}

std::string json_line(const dds::Clock& message) {
  JsonObject line;
  line.add_time("clock", dds::nanoseconds(message.clock));
  return std::move(line).end();
}

}  // namespace spatial_dynamics::cli
