#include "cli/nodes/send/send.hpp"

#include <cmath>
#include <cstdint>
#include <tuple>
#include <utility>

#include "cli/common/options.hpp"
#include "support/text.hpp"

namespace spatial_dynamics::cli {
namespace {

void set_vector(dds::Vector3Message& field, const Vector3& v) noexcept {
  field = {v.x(), v.y(), v.z()};
}

/// One number for each joint.
std::pair<std::vector<std::string>, std::vector<double>> by_joint(
    const std::string& form, const std::vector<std::string>& texts) {
  std::pair<std::vector<std::string>, std::vector<double>> joints;
  for (const std::string& text : texts) {
    const Assignment given = parse_assignment(form, form, text);
    if (given.values.size() != 1) {
      throw CLI::ValidationError(form, "expects one number per joint, not " + in_quotes(text));
    }
    joints.first.push_back(given.name);
    joints.second.push_back(given.values[0]);
  }
  return joints;
}

}  // namespace

dds::Message<dds::InertiaStamped> payload_message(const std::string& text) {
  const Payload payload = parse_payload("PAYLOAD", text);
  const MassProperties& m = payload.mass_properties;
  const Matrix3& i = m.inertia_about_com;
  dds::Message<dds::InertiaStamped> message;
  dds::assign(message->header.frame_id, payload.link);
  message->inertia.m = m.mass;
  set_vector(message->inertia.com, m.com);
  message->inertia.ixx = i(0, 0);
  message->inertia.ixy = i(0, 1);
  message->inertia.ixz = i(0, 2);
  message->inertia.iyy = i(1, 1);
  message->inertia.iyz = i(1, 2);
  message->inertia.izz = i(2, 2);
  return message;
}

dds::Message<dds::Vector3Stamped> gravity_message(const std::string& text) {
  const std::vector<double> x = parse_numbers("GRAVITY", text);
  if (x.size() != 3) throw CLI::ValidationError("GRAVITY", "expects X,Y,Z, not " + in_quotes(text));
  dds::Message<dds::Vector3Stamped> message;
  dds::assign(message->header.frame_id, "");
  set_vector(message->vector, {x[0], x[1], x[2]});
  return message;
}

dds::Message<dds::WrenchStamped> wrench_message(const std::string& text) {
  constexpr const char* kForm = "LINK=FX,FY,FZ[,TX,TY,TZ]";
  const Assignment given = parse_assignment("WRENCH", kForm, text);
  const std::vector<double>& x = given.values;
  if (x.size() != 3 && x.size() != 6) {
    throw CLI::ValidationError("WRENCH",
                               std::string("expects ") + kForm + ", not " + in_quotes(text));
  }
  dds::Message<dds::WrenchStamped> message;
  dds::assign(message->header.frame_id, given.name);
  set_vector(message->wrench.force, {x[0], x[1], x[2]});
  if (x.size() == 6) set_vector(message->wrench.torque, {x[3], x[4], x[5]});
  return message;
}

dds::Message<dds::JointState> effort_message(const std::vector<std::string>& texts) {
  const auto [names, efforts] = by_joint("JOINT=EFFORT", texts);
  dds::Message<dds::JointState> message;
  dds::assign(message->header.frame_id, "");
  dds::assign(message->name, names);
  dds::assign(message->effort, efforts);
  return message;
}

dds::Message<dds::JointState> stiffness_message(const std::vector<std::string>& texts) {
  constexpr const char* kForm = "STIFFNESS";
  std::vector<std::string> names;
  std::vector<double> values;
  const bool for_all = texts.size() == 1 && texts[0].find('=') == std::string::npos;
  if (for_all) {
    values = parse_numbers(kForm, texts[0]);
    if (values.size() != 1) {
      throw CLI::ValidationError(
          kForm, "expects one number for all joints, or JOINT=STIFFNESS of each joint, not " +
                     in_quotes(texts[0]));
    }
  } else {
    std::tie(names, values) = by_joint("JOINT=STIFFNESS", texts);
  }
  for (std::size_t i = 0; i < values.size(); ++i) {
    if (values[i] >= 0.0) continue;
    throw CLI::ValidationError(
        kForm, "of " + (for_all ? std::string("all joints") : joint_element(names[i])) + " is " +
                   number_text(values[i]) + "; give 0 or more, in N m/rad or N/m");
  }
  dds::Message<dds::JointState> message;
  dds::assign(message->header.frame_id, "");
  dds::assign(message->name, names);
  dds::assign(message->effort, values);
  return message;
}

dds::Message<dds::JointTrajectory> reference_message(const std::vector<std::string>& texts,
                                                     double seconds) {
  const auto [names, positions] = by_joint("JOINT=POSITION", texts);
  const std::vector<double> zeros(names.size(), 0.0);
  dds::Message<dds::JointTrajectory> message;
  dds::assign(message->header.frame_id, "");
  dds::assign(message->joint_names, names);
  dds::resize(message->points, 1);
  dds::JointTrajectoryPoint& point = dds::elements(message->points)[0];
  dds::assign(point.positions, positions);
  dds::assign(point.velocities, zeros);
  dds::assign(point.accelerations, zeros);
  point.time_from_start =
      dds::from_nanoseconds<dds::Duration>(static_cast<std::int64_t>(std::round(seconds * 1e9)));
  return message;
}

}  // namespace spatial_dynamics::cli
