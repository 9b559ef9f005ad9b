#include "cli/identify/payload_text.hpp"

#include <initializer_list>

#include "support/text.hpp"

namespace spatial_dynamics::cli {
namespace {

std::string vector_text(const Vector3& v) {
  return "{x: " + rounded_text(v.x()) + ", y: " + rounded_text(v.y()) +
         ", z: " + rounded_text(v.z()) + "}";
}

std::string yaml_text(const std::string& text) {
  std::string quoted = "'";
  for (const char c : text) quoted.append(c == '\'' ? 2 : 1, c);
  return quoted + "'";
}

void append_numbers(std::string& list, std::initializer_list<double> numbers) {
  for (const double number : numbers) list += (list.empty() ? "" : ", ") + yaml_number(number);
}

/// The inertia of a point about its centre of mass is zero, up to rounding.
bool is_point(const Inertia& payload) {
  return payload.inertia_about_com().norm() <=
         1e-12 * payload.mass * (1.0 + payload.com().squaredNorm());
}

/// Without the rounding errors of a point.
Matrix3 inertia_about_com(const Inertia& payload) {
  return is_point(payload) ? Matrix3(Matrix3::Zero()) : payload.inertia_about_com();
}

}  // namespace

std::string yaml_number(double value) {
  std::string text = rounded_text(value + 0.0);
  if (text.find('.') != std::string::npos) return text;
  const std::size_t exponent = text.find('e');
  return exponent == std::string::npos ? text + ".0"
                                       : text.substr(0, exponent) + ".0" + text.substr(exponent);
}

std::string payload_argument(const NamedPayload& payload) {
  const Vector3 com = payload.inertia.com();
  std::string text = payload.link + "=" + rounded_text(payload.inertia.mass);
  for (const double number : {com.x(), com.y(), com.z()}) text += "," + rounded_text(number);
  if (is_point(payload.inertia)) return text;
  const Matrix3 I = payload.inertia.inertia_about_com();
  for (const double number : {I(0, 0), I(1, 1), I(2, 2), I(0, 1), I(0, 2), I(1, 2)}) {
    text += "," + rounded_text(number);
  }
  return text;
}

std::string payload_message(const NamedPayload& payload) {
  const Inertia& total = payload.inertia;
  const Matrix3 I = inertia_about_com(total);
  return "  ros2 topic pub --once /dynamics/payload geometry_msgs/msg/InertiaStamped \\\n"
         "    '{header: {frame_id: " +
         payload.link + "}, inertia: {m: " + rounded_text(total.mass) +
         ", com: " + vector_text(total.com()) + ",\n      ixx: " + rounded_text(I(0, 0)) +
         ", ixy: " + rounded_text(I(0, 1)) + ", ixz: " + rounded_text(I(0, 2)) +
         ", iyy: " + rounded_text(I(1, 1)) + ", iyz: " + rounded_text(I(1, 2)) +
         ", izz: " + rounded_text(I(2, 2)) + "}}'\n";
}

std::string payload_parameters(const std::vector<NamedPayload>& payloads) {
  std::string links, masses, centers, inertias;
  bool points = true;
  for (const NamedPayload& payload : payloads) {
    const Vector3 com = payload.inertia.com();
    const Matrix3 I = inertia_about_com(payload.inertia);
    links += (links.empty() ? "" : ", ") + yaml_text(payload.link);
    append_numbers(masses, {payload.inertia.mass});
    append_numbers(centers, {com.x(), com.y(), com.z()});
    append_numbers(inertias, {I(0, 0), I(1, 1), I(2, 2), I(0, 1), I(0, 2), I(1, 2)});
    points = points && is_point(payload.inertia);
  }
  return "/**:\n  ros__parameters:\n    payloads:\n      links: [" + links + "]\n      masses: [" +
         masses + "]  # kg\n      centers: [" + centers + "]  # m, in the frame of each link\n" +
         (points ? std::string()
                 : "      inertias: [" + inertias +
                       "]  # kg m^2: ixx iyy izz ixy ixz iyz about the centre of mass\n");
}

}  // namespace spatial_dynamics::cli
